import { createPortal } from 'react-dom'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { fill } from '@starside/contract/fill.ts'
import { PublicLink } from '../sharing/public-link.tsx'
import { ShareDestinations } from '../sharing/share-destinations.tsx'
import { useMessages } from '../ui/language.tsx'
import { minutesText } from '../ui/use-elapsed.ts'
import { FilmButton } from './film-button.tsx'
import type { useVariations } from './use-variations.ts'

interface MoreActionsProps {
  imageUrl: string
  item: GenerationItem | null
  text: string
  link: string
  /** Opens the device's own share sheet; null where it has none for pictures. */
  shareFile: (() => Promise<void>) | null
  /** How long the picture can still be adjusted, in milliseconds. */
  keptMs: number
  variations: ReturnType<typeof useVariations>
  /** Comparing with the person's own photo; null where that is not at hand. */
  compare: { isOn: boolean; toggle: () => void } | null
  onItem: (item: GenerationItem) => void
}

/** What is done with a picture less often. */
export function MoreActions(props: MoreActionsProps) {
  const m = useMessages('dashboard')
  const { imageUrl, item, text, link, shareFile, compare, variations } = props
  return (
    <div className="grid gap-3 border-t border-ash/45 pt-3">
      <div className="flex flex-wrap gap-2">
        {compare ? (
          <FilmButton aria-pressed={compare.isOn} onClick={compare.toggle}>
            {m.beforeAfter}
          </FilmButton>
        ) : null}
        {shareFile ? (
          <FilmButton onClick={() => void shareFile()}>{m.sharePicture}</FilmButton>
        ) : null}
        <FilmButton onClick={() => print()}>{m.printPicture}</FilmButton>
      </div>
      {item ? <Versions item={item} keptMs={props.keptMs} variations={variations} /> : null}
      {item?.watermarked ? <p className="text-[0.95rem] text-ash">{m.watermarkNote}</p> : null}
      <ShareDestinations text={text} link={link} />
      {createPortal(<img src={imageUrl} alt="" className="print-picture" />, document.body)}
      {item ? (
        <PublicLink item={item} buttonClass="button button-film" onItem={props.onItem} />
      ) : null}
    </div>
  )
}

function Versions(
  props: Pick<MoreActionsProps, 'keptMs' | 'variations'> & { item: GenerationItem },
) {
  const m = useMessages('variations')
  const { item, keptMs, variations } = props
  const { deletedId, restore } = variations
  const [best] = item.variations
  const hasParts = best !== undefined && best.arrangement !== null
  return (
    <>
      {item.hasMoreVariations && keptMs > 0 ? (
        <p className="flex items-center gap-3">
          <FilmButton disabled={variations.busy} onClick={() => void variations.askForOthers()}>
            {m.others}
          </FilmButton>
          {m.othersNote}
        </p>
      ) : null}
      <div role="status">
        {deletedId === null ? null : (
          <p className="flex flex-wrap items-center gap-x-4 border-l-[10px] border-amber py-1 pl-4">
            {m.deleted}
            <FilmButton onClick={() => void restore(deletedId)}>{m.undo}</FilmButton>
          </p>
        )}
      </div>
      <p className="flex flex-wrap items-center gap-x-3 text-[0.95rem] text-ash">
        {keptMs > 0 ? (
          <>
            {fill(m.kept, { time: minutesText(keptMs) })}
            <button
              type="button"
              className="text-link min-h-11 text-bone"
              onClick={() => void variations.deleteLayers()}
            >
              {m.deleteNow}
            </button>
          </>
        ) : hasParts ? (
          m.keptNoLonger
        ) : (
          m.noParts
        )}
      </p>
    </>
  )
}
