import { useState } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { useMessages } from '../ui/language.tsx'
import { PencilFrame } from '../ui/pencil.tsx'
import { Compare } from './compare.tsx'
import { DevelopingTray } from './developing-tray.tsx'
import { EmptyFrame, Frame } from './frame.tsx'
import { PictureActions } from './picture-actions.tsx'
import { starTexts } from './star-texts.ts'
import type { GeneratedPicture, RunningGeneration } from './use-generator.ts'

interface ResultPanelProps {
  running: RunningGeneration | null
  picture: GeneratedPicture | null
  /** The user's photo and the star's, for the tray and for the comparison. */
  ghosts: readonly [string | null, string | null]
  onItem: (item: GenerationItem) => void
  /** The picture's address no longer works. */
  onGone: () => void
}

/** AI RESULT: an empty frame, the print in its tray, then the picture and what to do with it. */
export function ResultPanel({ running, picture, ghosts, onItem, onGone }: ResultPanelProps) {
  'use memo'
  const m = useMessages('dashboard')
  const [comparing, setComparing] = useState(false)
  const shown = running ? null : picture
  const { alt } = starTexts(shown?.item?.celebrity, m)
  const before = ghosts[0]
  const content = (() => {
    if (running) return <DevelopingTray running={running} ghosts={ghosts} />
    if (!shown) return <EmptyFrame>{m.resultPlaceholder}</EmptyFrame>
    if (comparing && before) {
      return (
        <Compare before={before} after={shown.imageUrl} beforeAlt={m.yourPhotoAlt} afterAlt={alt} />
      )
    }
    return (
      <div className="relative">
        <img
          key={shown.imageUrl}
          src={shown.imageUrl}
          alt={alt}
          width={shown.item?.widthPx ?? 1024}
          height={shown.item?.heightPx ?? 1280}
          className={`block h-auto w-full ${shown.fresh ? 'appears' : ''}`}
          onError={onGone}
        />
        {shown.fresh ? (
          <PencilFrame className="-inset-1.5 h-[calc(100%+0.75rem)] w-[calc(100%+0.75rem)]" />
        ) : null}
      </div>
    )
  })()
  return (
    <Frame number="2" title={m.aiResultPanel} badge={shown ? m.badgeAi : null} picture={content}>
      {running ? <p className="text-[0.95rem] text-ash">{m.mayLeave}</p> : null}
      {shown ? (
        <>
          <p className="text-[0.95rem] text-ash">
            {m.aiLabel}
            {shown.item?.watermarked ? ` ${m.watermarkNote}` : ''}
          </p>
          {before ? (
            <button
              type="button"
              className="button button-film justify-self-start"
              aria-pressed={comparing}
              onClick={() => setComparing(!comparing)}
            >
              {m.beforeAfter}
            </button>
          ) : null}
          <PictureActions onFilm imageUrl={shown.imageUrl} item={shown.item} onItem={onItem} />
        </>
      ) : null}
    </Frame>
  )
}
