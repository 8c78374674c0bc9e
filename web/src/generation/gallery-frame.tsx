import type { GenerationItem } from '@starside/contract/generation.ts'
import { dateTimeText } from '../ui/date-text.ts'
import { fill } from '@starside/contract/fill.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { starTexts } from './star-texts.ts'

interface GalleryFrameProps {
  item: GenerationItem
  /** Counted from the oldest, which is 1. */
  number: number
  onOpen: () => void
  onRemove: () => void
}

/** One selfie of the gallery, which opens large; or why there is none. */
export function GalleryFrame({ item, number, onOpen, onRemove }: GalleryFrameProps) {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const date = dateTimeText(item.createdAt, language)
  const { name } = starTexts(item.celebrities, m)
  const picture = item.thumbnailUrl ?? item.imageUrl
  const caption = (
    <span className="edge-print mt-1 flex justify-between gap-2">
      <span className="text-amber">{number}</span>
      <span className="truncate">{name}</span>
    </span>
  )
  if (item.state !== 'done' || !picture) {
    return (
      <div>
        <Unfinished hasFailed={item.state === 'failed'} onRemove={onRemove} />
        {caption}
      </div>
    )
  }
  return (
    <button type="button" className="group block w-full text-left" onClick={onOpen}>
      <span className="relative block">
        <img
          src={picture}
          alt={fill(m.openFrame, { number, celebrity: name, date })}
          width={400}
          height={500}
          loading="lazy"
          decoding="async"
          className="block aspect-4/5 h-auto w-full object-cover outline-3 outline-transparent group-hover:outline-bone"
        />
        <span aria-hidden="true" className="stamp absolute top-1.5 left-1.5">
          {m.badgeAi}
        </span>
      </span>
      <span aria-hidden="true">{caption}</span>
    </button>
  )
}

function Unfinished({ hasFailed, onRemove }: { hasFailed: boolean; onRemove: () => void }) {
  const m = useMessages('dashboard')
  return (
    <div className="flex aspect-4/5 flex-col justify-between border border-ash/45 p-3 text-sm">
      <p className="font-semibold">{hasFailed ? m.frameFailed : m.frameRunning}</p>
      {hasFailed ? (
        <div>
          <p className="text-ash">{m.frameFailedText}</p>
          <button type="button" className="text-link mt-2 min-h-11" onClick={onRemove}>
            {m.deletePicture}
          </button>
        </div>
      ) : null}
    </div>
  )
}
