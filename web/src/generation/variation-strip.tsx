import { Suspense, useState } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import type { VariationItem } from '@starside/contract/variations.ts'
import { fill, formatMessage } from '@starside/contract/fill.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { PencilRing } from '../ui/pencil.tsx'
import { minutesText, useNow } from '../ui/use-elapsed.ts'
import { describeVariation } from './describe-variation.ts'
import { useNeighbourFocus } from './use-neighbour-focus.ts'
import { useRovingFocus } from './use-roving-focus.ts'
import { useVariations } from './use-variations.ts'
import { loadLater } from '../ui/load-later.ts'

const VariationEditor = loadLater(
  async () => (await import('./editor/variation-editor.tsx')).VariationEditor,
)

interface VariationStripProps {
  item: GenerationItem
  buttonClass: string
  onItem: (item: GenerationItem) => void
}

/** The variations of one selfie to choose from, and what their parts are still good for. */
export function VariationStrip({ item, buttonClass, onItem }: VariationStripProps) {
  'use memo'
  const { language } = useLanguage()
  const m = useMessages('variations')
  const variations = useVariations(item, { onItem, fallback: m.failed })
  const [isAdjusting, setIsAdjusting] = useState(false)
  const best = item.variations[0]
  if (best === undefined) {
    return <p className="text-[0.95rem]">{m.noParts}</p>
  }
  return (
    <section aria-label={m.title} className="grid gap-3">
      {item.variations.length > 1 ? (
        <p className="text-[0.95rem]">
          {formatMessage(m.lead, { count: item.variations.length }, language)}
        </p>
      ) : null}
      <VariationFrames item={item} variations={variations} />
      <p role="status" className="text-[0.95rem] empty:hidden">
        {variations.pendingId === null ? null : m.making}
      </p>
      <DeletedNotice buttonClass={buttonClass} variations={variations} />
      <p role="alert" className="error-box empty:hidden">
        {variations.error}
      </p>
      {best.arrangement === null ? <p className="text-[0.95rem]">{m.noParts}</p> : null}
      {item.adjustableUntil ? (
        <LayerActions
          until={item.adjustableUntil}
          buttonClass={buttonClass}
          isBusy={variations.busy}
          onOthers={item.hasMoreVariations ? () => void variations.askForOthers() : null}
          onAdjust={() => setIsAdjusting(true)}
          onDelete={() => void variations.deleteLayers()}
        />
      ) : null}
      {isAdjusting ? (
        <Suspense fallback={null}>
          <VariationEditor
            item={item}
            onClose={() => setIsAdjusting(false)}
            onSaved={(saved) => {
              setIsAdjusting(false)
              variations.take(saved)
            }}
          />
        </Suspense>
      ) : null}
    </section>
  )
}

interface DeletedNoticeProps {
  buttonClass: string
  variations: ReturnType<typeof useVariations>
}

/** That a variation was deleted, and the way to bring it back. */
function DeletedNotice({ buttonClass, variations }: DeletedNoticeProps) {
  const m = useMessages('variations')
  const { deletedId, restore } = variations
  return (
    <div role="status">
      {deletedId === null ? null : (
        <p className="flex flex-wrap items-center gap-x-4 border-l-[10px] border-amber py-1 pl-4">
          {m.deleted}
          <button type="button" className={buttonClass} onClick={() => void restore(deletedId)}>
            {m.undo}
          </button>
        </p>
      )}
    </div>
  )
}

interface VariationFramesProps {
  item: GenerationItem
  variations: ReturnType<typeof useVariations>
}

/** The variations side by side, the best one first. */
function VariationFrames({ item, variations }: VariationFramesProps) {
  const m = useMessages('variations')
  const { group, onKeyDown } = useRovingFocus()
  const [best] = item.variations
  const expectRemoval = useNeighbourFocus(
    group,
    item.variations.map(({ variationId }) => variationId),
  )
  return (
    // The keys move the focus among the buttons inside, which work without them.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={group}
      role="group"
      aria-label={m.title}
      aria-busy={variations.busy}
      className="grid grid-cols-3 gap-x-2 gap-y-3"
      onKeyDown={onKeyDown}
    >
      {item.variations.map((variation, index) => (
        <VariationFrame
          key={variation.variationId}
          variation={variation}
          number={index + 1}
          best={best ?? variation}
          isPending={variations.pendingId === variation.variationId}
          onChoose={() => void variations.choose(variation.variationId)}
          onRemove={() => {
            expectRemoval(variation.variationId)
            void variations.remove(variation.variationId)
          }}
        />
      ))}
    </div>
  )
}

interface VariationFrameProps {
  variation: VariationItem
  number: number
  best: VariationItem
  isPending: boolean
  onChoose: () => void
  onRemove: () => void
}

/** One variation: pressing it shows the selfie as this one. */
function VariationFrame(props: VariationFrameProps) {
  const m = useMessages('variations')
  const { variation, number, isPending, onChoose, onRemove } = props
  const { isChosen, thumbnailUrl, widthPx, heightPx } = variation
  const how = useWords(variation, props.best)
  return (
    <div className="relative" data-frame={variation.variationId}>
      <button
        type="button"
        aria-pressed={isChosen}
        tabIndex={isChosen ? 0 : -1}
        className={`group block w-full text-left ${isPending ? 'animate-pulse' : ''}`}
        onClick={isChosen ? undefined : onChoose}
      >
        <img
          src={thumbnailUrl}
          alt={fill(m.one, { number, how })}
          width={widthPx}
          height={heightPx}
          loading="lazy"
          className="block aspect-4/5 h-auto w-full bg-film object-contain outline-3 outline-transparent group-hover:outline-bone"
        />
        <span aria-hidden="true" className="edge-print mt-1 flex justify-between gap-2">
          <span className="in-[.on-film]:text-amber">{number}</span>
          <span className="truncate">{how}</span>
        </span>
        {isChosen ? <PencilRing className="inset-[4%] h-[80%] w-[92%]" /> : null}
      </button>
      {isChosen ? null : (
        <button
          type="button"
          tabIndex={-1}
          aria-label={fill(m.deleteOne, { number })}
          className="group absolute top-0 right-0 flex size-11 items-start justify-end"
          onClick={onRemove}
        >
          {/* Smaller than what a finger needs, so that it hides no face. */}
          <span className="grid size-6 place-items-center bg-film text-bone group-hover:bg-bone group-hover:text-film">
            ×
          </span>
        </button>
      )}
    </div>
  )
}

/** What tells the variation from the best one, in words. */
function useWords(variation: VariationItem, best: VariationItem): string {
  const m = useMessages('variations')
  const names = useMessages('dashboard')
  if (variation.variationId === best.variationId) return m.best
  const { arrangement, look } = variation
  const inLook = look === best.look ? [] : [names.looks[look]]
  if (arrangement === null || best.arrangement === null) return inLook[0] ?? m.another
  const { scene, aspect } = arrangement
  const differences = describeVariation({ ...variation, arrangement }, best.arrangement)
  const words = [
    ...inLook,
    ...differences.map((difference) => {
      if (difference === 'scene') return names.scenes[scene]
      return difference === 'format' ? aspect : m[difference]
    }),
  ]
  return words.length === 0 ? m.other : words.slice(0, 2).join(', ')
}

interface LayerActionsProps {
  until: string
  buttonClass: string
  isBusy: boolean
  /** Null once others were asked for. */
  onOthers: (() => void) | null
  onAdjust: () => void
  onDelete: () => void
}

/** What a picture's parts are good for, as long as they are kept. */
function LayerActions(props: LayerActionsProps) {
  const m = useMessages('variations')
  const { until, buttonClass, isBusy, onOthers, onAdjust, onDelete } = props
  const leftMs = Date.parse(until) - useNow(true)
  if (leftMs <= 0) return <p className="text-[0.95rem]">{m.keptNoLonger}</p>
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {onOthers ? (
        <p className="flex items-center gap-3">
          <button type="button" className={buttonClass} disabled={isBusy} onClick={onOthers}>
            {m.others}
          </button>
          {m.othersNote}
        </p>
      ) : null}
      <button type="button" className={buttonClass} onClick={onAdjust}>
        {m.adjust}
      </button>
      <p className="flex flex-wrap items-center gap-x-3 text-[0.95rem]">
        {fill(m.kept, { time: minutesText(leftMs) })}
        <button type="button" className="text-link min-h-11" onClick={onDelete}>
          {m.deleteNow}
        </button>
      </p>
    </div>
  )
}
