import { createPortal } from 'react-dom'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { formatMessage } from '@starside/contract/fill.ts'
import { ShareElsewhere, type PublicLink } from '../sharing/public-link.tsx'
import { bringIntoView } from '../ui/bring-into-view.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import type { usePictureSharing } from './use-picture-sharing.ts'
import type { SelfiePictureProps } from './selfie-picture.tsx'
import { FilmButton } from '../ui/button.tsx'

interface MoreActionsProps extends Pick<SelfiePictureProps, 'imageUrl' | 'variations'> {
  item: GenerationItem
  passing: Pick<ReturnType<typeof usePictureSharing>, 'text' | 'shareFile'>
  shared: PublicLink
}

/** What is done with a picture less often. */
export function MoreActions(props: MoreActionsProps) {
  const m = useMessages('dashboard')
  const names = useMessages('variations')
  const { imageUrl, item, variations, passing } = props
  const { language } = useLanguage()
  const { deletedIds } = variations
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
        {deletedIds ? (
          <p ref={bringIntoView} className="deleted-notice">
            {formatMessage(names.deleted, { count: deletedIds.length }, language)}
            <FilmButton onClick={() => void variations.restore()}>{names.undo}</FilmButton>
          </p>
        ) : null}
      </div>
      <ShareElsewhere text={passing.text} shared={props.shared} />
      {createPortal(<img src={imageUrl} alt="" className="print-picture" />, document.body)}
    </div>
  )
}
