import { createPortal } from 'react-dom'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { fill } from '@starside/contract/fill.ts'
import { PublicLink, ShareDestinations } from '../sharing/public-link.tsx'
import { bringIntoView } from '../ui/bring-into-view.ts'
import { useMessages } from '../ui/language.tsx'
import { minutesText } from '../ui/use-elapsed.ts'
import type { usePictureSharing } from './use-picture-sharing.ts'
import type { SelfiePictureProps } from './selfie-picture.tsx'
import { TextButton, FilmButton } from '../ui/button.tsx'

interface MoreActionsProps extends Pick<SelfiePictureProps, 'imageUrl' | 'item' | 'variations'> {
  passing: Pick<ReturnType<typeof usePictureSharing>, 'text' | 'link' | 'shareFile'>
  /** How long the picture can still be adjusted, in milliseconds. */
  keptMs: number
  onItem: (item: GenerationItem) => void
}

/** What is done with a picture less often. */
export function MoreActions(props: MoreActionsProps) {
  const m = useMessages('dashboard')
  const names = useMessages('variations')
  const { imageUrl, item, keptMs, variations } = props
  const { deletedId } = variations
  const { text, link, shareFile } = props.passing
  return (
    <div ref={bringIntoView} className="more-actions grid gap-3 border-t border-ash/45 pt-3">
      <div className="flex flex-wrap gap-2">
        {shareFile ? (
          <FilmButton onClick={() => void shareFile()}>{m.sharePicture}</FilmButton>
        ) : null}
        <FilmButton onClick={() => print()}>{m.printPicture}</FilmButton>
        {item && item.variations.length > 1 ? (
          <FilmButton onClick={() => void variations.remove()}>{names.deleteOne}</FilmButton>
        ) : null}
      </div>
      {item ? (
        <>
          <div role="status" className="empty:hidden">
            {deletedId === null ? null : (
              <p
                ref={bringIntoView}
                className="flex flex-wrap items-center gap-x-4 border-l-[10px] border-amber py-1 pl-4"
              >
                {names.deleted}
                <FilmButton onClick={() => void variations.restore(deletedId)}>
                  {names.undo}
                </FilmButton>
              </p>
            )}
          </div>
          <p className="flex flex-wrap items-center gap-x-3 text-[0.95rem] text-ash">
            {keptMs > 0 ? (
              <>
                {fill(names.kept, { time: minutesText(keptMs) })}
                <TextButton
                  className="min-h-11 text-bone"
                  onClick={() => void variations.deleteLayers()}
                >
                  {names.deleteNow}
                </TextButton>
              </>
            ) : item.variations[0]?.arrangement ? (
              names.keptNoLonger
            ) : (
              names.noParts
            )}
          </p>
        </>
      ) : null}
      {item?.watermarked ? <p className="text-[0.95rem] text-ash">{m.watermarkNote}</p> : null}
      <p className="-mb-2 text-[0.95rem] text-ash">
        {item?.shareUrl ? m.sharesPicture : m.sharesSite}
      </p>
      <ShareDestinations text={text} link={link} />
      {createPortal(<img src={imageUrl} alt="" className="print-picture" />, document.body)}
      {item ? <PublicLink item={item} onItem={props.onItem} /> : null}
    </div>
  )
}
