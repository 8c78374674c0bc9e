import { useId, useRef, type KeyboardEvent } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { fill } from '@starside/contract/fill.ts'
import { pages } from '@starside/contract/pages.ts'
import { dateTimeText } from '../ui/date-text.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { Link } from '../ui/link.tsx'
import { PictureActions } from './picture-actions.tsx'
import { starTexts } from './star-texts.ts'
import { VariationStrip } from './variation-strip.tsx'

interface PictureDialogProps {
  /** Finished selfies in the order of the gallery, as far as they are loaded. */
  items: readonly GenerationItem[]
  /** How many there are, loaded or not. */
  total: number
  /** Null while none is open. */
  openId: string | null
  onTurn: (item: GenerationItem) => void
  onClose: () => void
  onDelete: (item: GenerationItem) => void
  onItem: (item: GenerationItem) => void
}

/** How far a finger moves sideways to turn to the next picture, in px. */
const swipeMinPx = 48

/** One finished picture of the gallery, large, with everything that can be done with it. */
export function PictureDialog(props: PictureDialogProps) {
  const { items, openId, onTurn, onClose } = props
  const id = useId()
  const at = items.findIndex(({ generationId }) => generationId === openId)
  const item = items[at]
  const turnBy = (step: -1 | 1): void => {
    const next = at < 0 ? undefined : items[at + step]
    if (next) onTurn(next)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const target = event.target instanceof Element ? event.target : null
    // What has arrow keys of its own keeps them, and so does the editor, a dialog within this one.
    const isOther = target?.closest('dialog') !== event.currentTarget.closest('dialog')
    if (event.defaultPrevented || isOther || target?.matches('input, select, textarea')) return
    if (event.key === 'ArrowLeft') turnBy(-1)
    if (event.key === 'ArrowRight') turnBy(1)
  }
  return (
    <Dialog
      open={item !== undefined}
      onClose={onClose}
      labelledBy={id}
      className="max-w-5xl max-md:h-dvh max-md:max-h-dvh max-md:w-full max-md:max-w-none max-md:rounded-none max-md:border-0"
    >
      {item ? (
        // The keys turn pages; the buttons inside do so without them.
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
        <div className="grid md:grid-cols-[3fr_2fr]" onKeyDown={onKeyDown}>
          <TurnedPicture {...props} item={item} at={at} onTurnBy={turnBy} />
          <AboutPicture {...props} item={item} titleId={id} />
        </div>
      ) : null}
    </Dialog>
  )
}

interface TurnedPictureProps extends PictureDialogProps {
  item: GenerationItem
  /** Its place among the items. */
  at: number
  onTurnBy: (step: -1 | 1) => void
}

/** The picture and below it the ways to its neighbours, also by a swipe. */
function TurnedPicture({ item, items, total, at, onTurnBy }: TurnedPictureProps) {
  const m = useMessages('dashboard')
  const startX = useRef<number | null>(null)
  const steps = [
    { step: -1, sign: '‹', label: m.previousSelfie },
    { step: 1, sign: '›', label: m.nextSelfie },
  ] as const
  const [previous, next] = steps.map(({ step, sign, label }) => (
    <button
      key={step}
      type="button"
      aria-label={label}
      aria-disabled={items[at + step] === undefined}
      className="button button-film text-xl"
      onClick={() => onTurnBy(step)}
    >
      {sign}
    </button>
  ))
  return (
    <div className="on-film bg-film text-bone">
      <div className="md:sticky md:top-0">
        <div
          className="relative mx-auto w-fit touch-pan-y md:pt-5"
          onPointerDown={(event) => {
            startX.current = event.pointerType === 'mouse' ? null : event.clientX
          }}
          onPointerUp={(event) => {
            const movedPx = startX.current === null ? 0 : event.clientX - startX.current
            startX.current = null
            if (Math.abs(movedPx) >= swipeMinPx) onTurnBy(movedPx > 0 ? -1 : 1)
          }}
        >
          <img
            src={item.imageUrl ?? ''}
            alt={starTexts(item.celebrities, m).alt}
            width={item.widthPx ?? 1024}
            height={item.heightPx ?? 1280}
            draggable={false}
            className="block h-auto max-h-[75dvh] w-auto max-w-full md:max-h-[calc(100dvh-8rem)]"
          />
          <span className="stamp absolute top-2 left-2">{m.badgeAi}</span>
        </div>
        <div className="flex items-center justify-between gap-4 p-2">
          {previous}
          <span role="status">
            {fill(m.placeOfSelfie, { number: at + 1, total: Math.max(total, items.length) })}
          </span>
          {next}
        </div>
      </div>
    </div>
  )
}

interface AboutPictureProps extends PictureDialogProps {
  item: GenerationItem
  titleId: string
}

function AboutPicture({ item, titleId, onClose, onDelete, onItem }: AboutPictureProps) {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  return (
    <div className="flex flex-col p-5 sm:p-6">
      <h2 id={titleId} className="display narrow text-4xl">
        {starTexts(item.celebrities, m).title}
      </h2>
      <p className="edge-print mt-3 text-grey">
        {dateTimeText(item.createdAt, language)}
        {' · '}
        {item.watermarked ? m.withWatermark : m.withoutWatermark}
      </p>
      <p className="mt-2 mb-5 text-[0.95rem]">
        {m.aiLabel}{' '}
        {item.watermarked ? (
          <Link to={`${pages.dashboard.path}#packages`} className="text-link">
            {m.removeWatermark}
          </Link>
        ) : null}
      </p>
      <PictureActions
        key={item.generationId}
        onFilm={false}
        imageUrl={item.imageUrl ?? ''}
        item={item}
        onItem={onItem}
      >
        {item.variations.length > 0 || item.hasBackgroundPhoto ? (
          <VariationStrip item={item} buttonClass="button" onItem={onItem} />
        ) : null}
      </PictureActions>
      <div className="mt-auto flex flex-wrap gap-2 pt-8">
        <button type="button" className="button" onClick={onClose}>
          {m.close}
        </button>
        <button type="button" className="button button-danger" onClick={() => onDelete(item)}>
          {m.deletePicture}
        </button>
      </div>
    </div>
  )
}
