import { createPortal } from 'react-dom'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { ShareElsewhere, type PublicLink } from '../sharing/public-link.tsx'
import { bringIntoView } from '../ui/bring-into-view.ts'
import { useMessages } from '../ui/language.tsx'
import type { usePictureSharing } from './use-picture-sharing.ts'
import type { SelfiePictureProps } from './selfie-picture.tsx'
import { TextButton, FilmButton } from '../ui/button.tsx'

interface MoreActionsProps extends Pick<SelfiePictureProps, 'imageUrl' | 'variations'> {
  item: GenerationItem
  passing: Pick<ReturnType<typeof usePictureSharing>, 'text' | 'shareFile'>
  shared: PublicLink
  canAdjust: boolean
}

/** What is done with a picture less often. */
export function MoreActions(props: MoreActionsProps) {
  const m = useMessages('dashboard')
  const names = useMessages('variations')
  const { imageUrl, item, variations, passing } = props
  const { deletedId } = variations
  return (
    <div ref={bringIntoView} className="more-actions grid gap-3 border-t border-ash/45 pt-3">
      <div className="flex flex-wrap gap-2 *:grow">
        {passing.shareFile ? (
          <FilmButton onClick={() => void passing.shareFile?.()}>{m.sharePicture}</FilmButton>
        ) : null}
        <FilmButton onClick={() => print()}>{m.printPicture}</FilmButton>
        {item.variations.length > 1 ? (
          <FilmButton onClick={() => void variations.remove()}>{names.deleteOne}</FilmButton>
        ) : null}
      </div>
      <div role="status" className="empty:hidden">
        {deletedId === null ? null : (
          <p ref={bringIntoView} className="deleted-notice">
            {names.deleted}
            <FilmButton onClick={() => void variations.restore(deletedId)}>{names.undo}</FilmButton>
          </p>
        )}
      </div>
      <p className="text-[0.95rem] text-ash">
        {props.canAdjust ? (
          <>
            {names.keptParts}{' '}
            <TextButton className="py-1 text-bone" onClick={() => void variations.deleteLayers()}>
              {names.deleteNow}
            </TextButton>
          </>
        ) : item.variations[0]?.arrangement ? (
          names.keptNoLonger
        ) : (
          names.noParts
        )}
      </p>
      {item.watermarked ? <p className="text-[0.95rem] text-ash">{m.watermarkNote}</p> : null}
      <ShareElsewhere text={passing.text} shared={props.shared} />
      {createPortal(<img src={imageUrl} alt="" className="print-picture" />, document.body)}
    </div>
  )
}
