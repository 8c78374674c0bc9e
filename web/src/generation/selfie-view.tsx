import { useId, useState } from 'react'
import { createPortal } from 'react-dom'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { pages } from '@starside/contract/pages.ts'
import { fill, formatMessage } from '@starside/contract/fill.ts'
import { shareNetwork } from '@starside/contract/sharing.ts'
import { bringWorkIntoView } from '../ui/bring-into-view.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { TextLink } from '../ui/router.tsx'
import { loadPart } from '../ui/load-later.tsx'
import { minutesText, nearEndMs, useNow } from '../ui/use-elapsed.ts'
import { SmallError, Status } from '../ui/form.tsx'
import { greyReasonsOf } from './photo-fitness.ts'
import { usePictureSharing } from './use-picture-sharing.ts'
import { useVariations } from './variation-strip.tsx'
import { SelfiePicture, type SelfiePictureProps } from './selfie-picture.tsx'
import {
  LinkSwitch,
  ShareElsewhere,
  usePublicLink,
  type PublicLink,
} from '../sharing/public-link.tsx'
import { FilmButton, MainButton, TextButton } from '../ui/button.tsx'

const VariationEditor = loadPart(() => import('./editor/variation-editor.tsx'), 'VariationEditor')

interface SelfieViewProps extends Omit<SelfiePictureProps, 'variations' | 'canAskForOthers'> {
  onItem: (item: GenerationItem) => void
  /** Whether another photo or star stands beside it than it was made of. */
  isEarlier?: boolean | undefined
}

/** A finished selfie: the picture, its versions across its foot, and below what is done with it. */
export function SelfieView(props: SelfieViewProps) {
  'use memo'
  const { imageUrl, item, fresh = false, isEarlier = false, onItem } = props
  const m = useMessages('dashboard')
  const names = useMessages('variations')
  const { language } = useLanguage()
  const variations = useVariations(item, onItem)
  const passing = usePictureSharing(imageUrl, item)
  const shared = usePublicLink(item, onItem)
  const [isAdjusting, setAdjusting] = useState(false)
  const moreId = useId()
  const [hasMore, setMore] = useState(false)
  const until = item?.adjustableUntil ?? null
  const nowMs = useNow(until !== null)
  const keptMs = until === null ? 0 : Math.max(0, Date.parse(until) - nowMs)
  const greyReasons = greyReasonsOf(item?.greyHints ?? [], m)
  const count = variations.othersCame ?? null
  const share = () => void Promise.all([passing.share(), shared.link && shared.share()])
  const toldOfOthers = count !== null && formatMessage(names.othersCame, { count }, language)
  return (
    // One of an earlier visit leaves the page where it is.
    <div ref={fresh ? bringWorkIntoView : null} className="print-row grid content-start gap-3">
      {isEarlier ? <h4 className="last-selfie display narrow text-2xl">{m.lastSelfie}</h4> : null}
      <SelfiePicture
        {...props}
        variations={variations}
        canAskForOthers={keptMs > 0 && (item?.hasMoreVariations ?? false)}
      />
      <div className="selfie-actions">
        <MainButton onClick={() => void passing.download()}>{m.downloadImage}</MainButton>
        <FilmButton onClick={share}>{fill(m.shareOn, { host: shareNetwork.name })}</FilmButton>
        {keptMs > 0 ? (
          <FilmButton onClick={() => setAdjusting(true)}>{names.adjust}</FilmButton>
        ) : null}
        <TextButton className="menu-button tall" disabled={item === null} popoverTarget={moreId}>
          {m.more}
        </TextButton>
        {props.onGone ? (
          <TextLink to={`${pages.dashboard.path}#create`} onClick={props.onGone}>
            {m.newSelfie}
          </TextLink>
        ) : null}
      </div>
      <div
        id={moreId}
        popover="auto"
        className="more-actions"
        onBeforeToggle={({ newState }) => setMore(newState === 'open')}
      >
        {hasMore && item ? (
          <MoreActions {...{ imageUrl, item, passing, shared, variations, isKept: keptMs > 0 }} />
        ) : null}
      </div>
      <div className="selfie-notes grid content-start gap-3">
        {item?.isGreyAdvised && !isEarlier ? (
          <p className="text-[0.95rem]">
            {greyReasons ? fill(m.greyBecause, { reasons: greyReasons }) : m.greyFirst}
          </p>
        ) : null}
        {keptMs > 0 && keptMs < nearEndMs ? (
          <p className="text-[0.95rem] text-ash">
            {fill(names.keptUntil, { time: minutesText(keptMs) })}
          </p>
        ) : null}
        <Status className="font-semibold">{shared.notice ?? passing.notice ?? toldOfOthers}</Status>
        <SmallError>{variations.error ?? shared.error ?? passing.error}</SmallError>
        <LinkSwitch shared={shared} />
        <p className="text-[0.95rem] text-ash">
          {m.aiLabel}{' '}
          {item?.watermarked ? (
            <TextLink to={`${pages.dashboard.path}#packages`} className="text-bone">
              {m.removeWatermark}
            </TextLink>
          ) : null}
        </p>
      </div>
      {item && isAdjusting ? (
        <VariationEditor
          item={item}
          onClose={() => setAdjusting(false)}
          onSaved={(saved) => {
            setAdjusting(false)
            variations.takeSaved(saved)
          }}
        />
      ) : null}
    </div>
  )
}

interface MoreActionsProps extends Pick<SelfiePictureProps, 'imageUrl' | 'variations'> {
  item: GenerationItem
  isKept: boolean
  passing: Pick<ReturnType<typeof usePictureSharing>, 'text' | 'shareFile'>
  shared: PublicLink
}

/** What is done with a picture less often. */
export function MoreActions(props: MoreActionsProps) {
  const m = useMessages('dashboard')
  const names = useMessages('variations')
  const { imageUrl, item, variations, passing } = props
  const { language } = useLanguage()
  return (
    <>
      <ShareElsewhere text={passing.text} shared={props.shared} />
      <div className="flex flex-wrap gap-2 *:grow">
        {passing.shareFile ? (
          <FilmButton onClick={() => void passing.shareFile?.()}>{m.sharePicture}</FilmButton>
        ) : null}
        <FilmButton onClick={() => print()}>{m.printPicture}</FilmButton>
        {item.variations.length > 1 ? (
          <TextButton onClick={() => void variations.remove()}>{names.deleteOne}</TextButton>
        ) : null}
        {props.isKept ? (
          <TextButton onClick={() => void variations.deleteLayers()}>{names.deleteNow}</TextButton>
        ) : null}
      </div>
      <div role="status" className="empty:hidden">
        {variations.deletedIds ? (
          <p className="deleted-notice">
            {formatMessage(names.deleted, { count: variations.deletedIds.length }, language)}
            <FilmButton onClick={() => void variations.restore()}>{names.undo}</FilmButton>
          </p>
        ) : null}
      </div>
      {createPortal(<img src={imageUrl} alt="" className="print-picture" />, document.body)}
    </>
  )
}
