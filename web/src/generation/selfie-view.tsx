import { useState } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import type { VariationItem } from '@starside/contract/variations.ts'
import { pages } from '@starside/contract/pages.ts'
import { fill, formatMessage } from '@starside/contract/fill.ts'
import { shareNetwork } from '@starside/contract/sharing.ts'
import { bringWorkIntoView } from '../ui/bring-into-view.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { Link } from '../ui/router.tsx'
import { loadPart } from '../ui/load-later.tsx'
import { minutesText, useNow } from '../ui/use-elapsed.ts'
import { SmallError, Status } from '../ui/form.tsx'
import { greyReasonsOf } from './photo-fitness.ts'
import { usePictureSharing } from './use-picture-sharing.ts'
import { useVariations, type Variations } from './variation-strip.tsx'
import { SelfiePicture, type SelfiePictureProps } from './selfie-picture.tsx'
import { LinkSwitch, usePublicLink } from '../sharing/public-link.tsx'
import { FilmButton, FoldButton, MainButton, TextButton } from '../ui/button.tsx'

const MoreActions = loadPart(() => import('./more-actions.tsx'), 'MoreActions')
const VariationEditor = loadPart(() => import('./editor/variation-editor.tsx'), 'VariationEditor')

interface SelfieViewProps extends Omit<SelfiePictureProps, 'variations' | 'canAskForOthers'> {
  onItem: (item: GenerationItem) => void
  /** Whether another photo stands beside it than the one that it was made of. */
  hasOtherPhoto?: boolean | undefined
}

/** A finished selfie: the picture, its versions across its foot, and below what is done with it. */
export function SelfieView(props: SelfieViewProps) {
  'use memo'
  const { imageUrl, item, fresh = false, hasOtherPhoto = false, onItem } = props
  const m = useMessages('dashboard')
  const names = useMessages('variations')
  const { language } = useLanguage()
  const variations = useVariations(item, onItem)
  const passing = usePictureSharing(imageUrl, item)
  const shared = usePublicLink(item, onItem)
  const [isAdjusting, setAdjusting] = useState(false)
  const [hasMore, setMore] = useState(false)
  const until = item?.adjustableUntil ?? null
  const nowMs = useNow(until !== null)
  const keptMs = until === null ? 0 : Math.max(0, Date.parse(until) - nowMs)
  const { othersCame: count } = variations
  const toldOfOthers =
    count === null
      ? names.makingOthers
      : count !== undefined && formatMessage(names.othersCame, { count }, language)
  return (
    // One of an earlier visit leaves the page where it is.
    <div ref={fresh ? bringWorkIntoView : null} className="print-row grid content-start gap-3">
      <SelfiePicture
        {...props}
        variations={variations}
        canAskForOthers={keptMs > 0 && (item?.hasMoreVariations ?? false)}
      />
      <div className="grid content-start gap-3">
        <div className="selfie-actions">
          <MainButton onClick={() => void passing.download()}>{m.downloadImage}</MainButton>
          {item ? (
            <FilmButton aria-disabled={shared.busy} onClick={() => void shared.copy()}>
              {shared.text}
            </FilmButton>
          ) : null}
          <FilmButton
            onClick={() => void Promise.all([passing.share(), shared.link && shared.share()])}
          >
            {fill(m.shareOn, { host: shareNetwork.name })}
          </FilmButton>
          {keptMs > 0 ? (
            <FilmButton onClick={() => setAdjusting(true)}>{names.adjust}</FilmButton>
          ) : null}
          <FoldButton
            className="button button-film"
            disabled={item === null}
            unfolded={hasMore}
            onClick={() => setMore(!hasMore)}
          >
            {m.more}
          </FoldButton>
        </div>
        {item?.isGreyAdvised && !hasOtherPhoto ? (
          <GreyNote item={item} variations={variations} />
        ) : null}
        {keptMs > 0 ? (
          <p className="text-[0.95rem] text-ash">
            {fill(names.keptUntil, { time: minutesText(keptMs) })}{' '}
            {hasMore ? (
              <TextButton className="py-1 text-bone" onClick={() => void variations.deleteLayers()}>
                {names.deleteNow}
              </TextButton>
            ) : null}
          </p>
        ) : null}
        <Status className="font-semibold">{shared.notice ?? passing.notice ?? toldOfOthers}</Status>
        <SmallError>{variations.error ?? shared.error ?? passing.error}</SmallError>
        <LinkSwitch shared={shared} asks={hasMore} />
        <p className="text-[0.95rem] text-ash">
          {m.aiLabel}{' '}
          {item?.watermarked ? (
            <Link
              to={`${pages.dashboard.path}#packages`}
              className="text-link inline-block py-1 text-bone"
            >
              {m.removeWatermark}
            </Link>
          ) : null}
        </p>
      </div>
      {hasMore && item ? (
        <MoreActions {...{ imageUrl, item, passing, shared, variations }} />
      ) : null}
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

/** Why the picture is black and white first, and the way to colour and back. */
function GreyNote({ item, variations }: { item: GenerationItem; variations: Variations }) {
  const m = useMessages('dashboard')
  const isGrey = ({ look }: VariationItem) => look === 'black-and-white'
  const inColour = item.variations.some((one) => one.isChosen && !isGrey(one))
  const other = item.variations.find((one) => isGrey(one) === inColour)
  const reasons = greyReasonsOf(item.greyHints ?? [], m)
  return (
    <div className="flex flex-wrap items-center gap-2">
      <p className="grow-9 basis-40 text-[0.95rem]">
        {reasons ? fill(m.greyBecause, { reasons }) : m.greyFirst}
      </p>
      {other ? (
        <FilmButton
          className="grow xl:text-[0.95rem]"
          onClick={() => void variations.choose(other.variationId)}
        >
          {inColour ? m.showInGrey : m.showInColour}
        </FilmButton>
      ) : null}
    </div>
  )
}
