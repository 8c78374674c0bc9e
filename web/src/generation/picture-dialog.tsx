import type { KeyboardEvent, ReactNode } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import { fill } from '@starside/contract/fill.ts'
import { Dialog, DialogTitle } from '../ui/dialog.tsx'
import { useLanguage, useMessages, dateTimeText } from '../ui/language.tsx'
import { FilmButton } from '../ui/button.tsx'
import { SelfieView } from './selfie-view.tsx'
import { starTexts } from './star-texts.ts'

interface PictureDialogProps {
  /** Finished selfies in the order of the gallery, as far as they are loaded. */
  items: readonly GenerationItem[]
  /** How many there are, loaded or not. */
  total: number
  openId: string | null
  notices: ReactNode
  /** Shows a neighbour, where there is one. */
  onTurnBy: (step: -1 | 1) => void
  onClose: () => void
  onDelete: (item: GenerationItem) => void
  onItem: (item: GenerationItem) => void
}

/** One finished picture of the gallery, large, with everything that can be done with it. */
export function PictureDialog(props: PictureDialogProps) {
  const { items, total, openId, onTurnBy, onClose } = props
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const at = items.findIndex(({ generationId }) => generationId === openId)
  const item = items[at]
  if (!item) return null
  const { title } = starTexts(item.celebrities, m)
  const aspect = Number(item.widthPx) / Number(item.heightPx) || 0.8
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const target = event.target instanceof Element ? event.target : null
    // What has arrow keys of its own keeps them, and so does the editor, a dialog within this one.
    const isOther = target?.closest('dialog') !== event.currentTarget.closest('dialog')
    if (event.defaultPrevented || isOther || target?.matches('input, select, textarea')) return
    if (event.key === 'ArrowLeft') onTurnBy(-1)
    if (event.key === 'ArrowRight') onTurnBy(1)
  }
  const turnButton = (step: -1 | 1, sign: string, label: string) => (
    <FilmButton
      aria-label={label}
      aria-disabled={items[at + step] === undefined}
      onClick={() => onTurnBy(step)}
    >
      {sign}
    </FilmButton>
  )
  return (
    <Dialog onClose={onClose} className="picture-dialog phone-sheet max-w-2xl lg:max-w-6xl">
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Its keys do what buttons inside do. */}
      <div
        // An opened dialog gives it the focus, and not to the first button, which deletes.
        ref={(whole) => whole?.setAttribute('autofocus', '')}
        tabIndex={-1}
        className="on-film grid gap-3 bg-film p-4 text-bone outline-none sm:p-5"
        onKeyDown={onKeyDown}
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2 sm:grid-cols-[minmax(0,1fr)_auto]">
          <div className="max-sm:sr-only">
            <DialogTitle className="display narrow truncate py-0.5 text-2xl" title={title}>
              {title}
            </DialogTitle>
            <p className="edge-print truncate text-ash">
              {dateTimeText(item.createdAt, language)}
              {' · '}
              {item.watermarked ? m.withWatermark : m.withoutWatermark}
            </p>
          </div>
          <div className="flex items-center gap-2">
            <span role="status" className="mr-auto pr-2 max-sm:w-38 max-sm:pr-0 max-sm:text-center">
              {fill(m.placeOfSelfie, { number: at + 1, total: Math.max(total, items.length) })}
            </span>
            {/* The second press of a double one would delete the next. */}
            <FilmButton onClick={({ detail }) => detail > 1 || props.onDelete(item)}>
              {m.deletePicture}
            </FilmButton>
            <FilmButton onClick={onClose}>{m.close}</FilmButton>
          </div>
        </div>
        {props.notices}
        <div className="grid grid-cols-[minmax(0,1fr)] *:[grid-area:1/1]">
          <div className="turn-buttons" style={{ ['--aspect' as string]: aspect }}>
            {turnButton(-1, '‹', m.previousSelfie)}
            {turnButton(1, '›', m.nextSelfie)}
          </div>
          <SelfieView
            key={item.generationId}
            imageUrl={item.imageUrl ?? ''}
            item={item}
            onItem={props.onItem}
            onSwipe={onTurnBy}
          />
        </div>
        {/* Its neighbours are fetched ahead. */}
        {[items[at - 1], items[at + 1]].map((one) =>
          one?.imageUrl ? <img key={one.generationId} src={one.imageUrl} alt="" hidden /> : null,
        )}
      </div>
    </Dialog>
  )
}
