import { useState } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import type { VariationItem } from '@starside/contract/variations.ts'
import { fill } from '@starside/contract/fill.ts'
import { keysOf } from '@starside/contract/keys-of.ts'
import { bringIntoView, bringWorkIntoView } from '../ui/bring-into-view.ts'
import { useMessages } from '../ui/language.tsx'
import type { CatalogueAreas } from '../ui/messages/catalogues.ts'
import { Pencil } from '../ui/pencil.tsx'
import type { Arrangement } from '@starside/contract/arrangement.ts'
import { deletionUndoMs, variationsMax } from '@starside/contract/limits.ts'
import { call, ApiError } from '../api/call.ts'
import { useSubmission } from '../ui/form.tsx'
import { useDeleted } from './use-deleted.ts'

/** The versions of one selfie across its foot, the best one first, and places for those that are made; nothing of a single one. */
export function VariationStrip(props: { item: GenerationItem; variations: Variations }) {
  const { item, variations } = props
  const m = useMessages('variations')
  const names = useMessages('dashboard')
  const [best] = item.variations
  if (!best || (item.variations.length < 2 && variations.othersCame !== null)) return null
  const texts = item.variations.map((variation, index) =>
    fill(m.one, { number: index + 1, how: wordsOf(variation, best, m, names) }),
  )
  return (
    <div>
      <div
        role="group"
        aria-label={m.title}
        aria-busy={variations.busy}
        className="grid auto-cols-[calc((100%-1.25rem)/6)] grid-flow-col gap-1 overflow-x-auto xl:grid-flow-row xl:grid-cols-[repeat(auto-fill,minmax(var(--tile-min),1fr))]"
        // Wide ones are as low as they are small.
        style={{ ['--tile-min' as string]: best.widthPx > best.heightPx ? '6rem' : '4rem' }}
      >
        {item.variations.map(({ variationId, isChosen, ...variation }, index) => (
          <button
            key={variationId}
            ref={variationId === variations.awaitedId ? leadTo : null}
            type="button"
            aria-pressed={isChosen}
            tabIndex={isChosen ? 0 : -1}
            style={{ ['--aspect' as string]: variation.widthPx / variation.heightPx }}
            className={`version outline-offset-[-3px]! ${variations.pendingId === variationId ? 'animate-pulse' : ''} ${isChosen ? '' : 'opacity-75 hover:opacity-100 focus:opacity-100'}`}
            onClick={isChosen ? undefined : () => void variations.choose(variationId)}
          >
            <img
              src={variation.thumbnailUrl}
              alt={texts[index]}
              width={variation.widthPx}
              height={variation.heightPx}
              fetchPriority="low"
              // Until it has come, the selfie itself stands there, which has.
              style={{ backgroundImage: `url("${item.thumbnailUrl}")` }}
              className="h-auto w-full bg-cover bg-center"
            />
            {isChosen ? <Pencil drawing="ring" className="chosen-ring" /> : null}
          </button>
        ))}
        {Array.from({ length: variations.othersCame === null ? variationsMax : 0 }, (_, index) => (
          <span key={index} className="aspect-4/5 animate-pulse bg-ash/40" />
        ))}
      </div>
      <p role="status" className="edge-print mt-1 leading-tight text-ash xl:min-h-[2lh]">
        {variations.pendingId === null
          ? texts[item.variations.findIndex(({ isChosen }) => isChosen)]
          : m.making}
      </p>
    </div>
  )
}

/** Goes on at a version that has come, with the picture in sight. */
function leadTo(version: HTMLElement | null): void {
  bringWorkIntoView(version?.closest('.result-print')?.firstElementChild ?? null)
  bringIntoView(version)
  version?.focus({ preventScroll: true })
}

function wordsOf(
  variation: VariationItem,
  best: VariationItem,
  m: CatalogueAreas['variations'],
  names: CatalogueAreas['dashboard'],
): string {
  if (variation.variationId === best.variationId) return m.best
  const { arrangement, look } = variation
  const inLook = look === best.look ? [] : [names.looks[look]]
  if (arrangement === null || best.arrangement === null) return inLook[0] ?? m.another
  const { scene, aspect } = arrangement
  const differences = describeVariation({ ...variation, arrangement }, best.arrangement)
  const said = { ...m, scene: names.scenes[scene], format: aspect }
  const words = [...inLook, ...differences.map((difference) => said[difference])]
  return words.length === 0 ? m.other : words.slice(0, 2).join(', ')
}

/** Heads that are this much larger or smaller are seen to be. */
const sizeStep = 1.08

type Arranged = Pick<VariationItem, 'source'> & { arrangement: Arrangement }

/** What tells a variation from the best one, as far as a word can say it, the most visible first; nothing for the best one itself. */
export function describeVariation({ arrangement, source }: Arranged, best: Arrangement) {
  const [size = 1, bestSize = 1] = [arrangement, best].map(headSize)
  const [front] = arrangement.frontToBack
  const found = {
    adjusted: source === 'adjusted',
    scene: arrangement.scene !== best.scene,
    format: arrangement.aspect !== best.aspect,
    swapped: leftToRight(arrangement) !== leftToRight(best),
    userInFront: front === 0 && best.frontToBack[0] !== 0,
    starInFront: front !== 0 && best.frontToBack[0] !== front,
    closer: size > bestSize * sizeStep,
    wider: size * sizeStep < bestSize,
    mirrored: arrangement.subjects.some((one, n) => one.mirrored !== best.subjects[n]?.mirrored),
  }
  return keysOf(found).filter((difference) => found[difference])
}

function headSize({ subjects }: Arrangement): number {
  return Math.max(...subjects.map(({ size }) => size))
}

function leftToRight({ subjects }: Arrangement): string {
  return [...subjects.keys()].toSorted((one, other) => subjects[one]!.x - subjects[other]!.x).join()
}

/** Failures that tell that the selfie is no longer as it is shown: another tab may have changed it. */
const outdated = ['variation_unknown', 'variation_chosen', 'more_variations_made', 'layers_expired']

const stateOf = (item: GenerationItem | null) => `${item?.generationId} ${item?.variations.length}`

export type Variations = ReturnType<typeof useVariations>

/** Choosing, deleting and bringing back variations, and asking for others; none while `item` is null. */
export function useVariations(item: GenerationItem | null, onItem: (item: GenerationItem) => void) {
  const { busy, error, submit } = useSubmission(useMessages('variations').failed)
  /** The one that is being made at full size. */
  const [pendingId, setPendingId] = useState<string | null>(null)
  const { offerUndo, restore: restoreAll, ...undo } = useDeleted()
  /** The one that was saved or brought back last. */
  const [awaitedId, setAwaitedId] = useState<string>()
  /** How the selfie was whose other versions were asked for, or came, and how many; null while they are made. */
  const [others, setOthers] = useState<{ of: string; came: number | null }>()
  const params = { generationId: item?.generationId ?? '' }
  /** Takes over the selfie that a call answers; as it is now where a failure says that it has changed. */
  const act = (work: () => Promise<{ generation: GenerationItem }>) =>
    submit(async () => {
      try {
        onItem((await work()).generation)
      } catch (failure) {
        if (failure instanceof ApiError && outdated.includes(failure.code)) {
          onItem((await call('GET /api/generations/:generationId', { params })).generation)
        }
        throw failure
      }
    })
  const choose = async (variationId: string): Promise<boolean> => {
    setPendingId(variationId)
    const path = 'PUT /api/generations/:generationId/chosen'
    const isChosen = await act(() => call(path, { params, body: { variationId } }))
    setPendingId(null)
    return isChosen
  }
  const askForOthers = async (): Promise<void> => {
    setOthers({ of: stateOf(item), came: null })
    const isDone = await act(async () => {
      const made = await call('POST /api/generations/:generationId/variations/more', { params })
      const came = made.generation.variations.length - (item?.variations.length ?? 0)
      setOthers({ of: stateOf(made.generation), came })
      return made
    })
    if (!isDone) setOthers(undefined)
  }
  /** Deletes the version on show, once its neighbour stands in its place. */
  const remove = async (): Promise<void> => {
    const all = item?.variations ?? []
    const at = all.findIndex(({ isChosen }) => isChosen)
    const neighbour = all[at + 1] ?? all[at - 1]
    const variationId = all[at]?.variationId
    if (!variationId || !neighbour || !(await choose(neighbour.variationId))) return
    const path = 'DELETE /api/generations/:generationId/variations/:variationId'
    const untilMs = Date.now() + deletionUndoMs
    const isGone = await act(() => call(path, { params: { ...params, variationId } }))
    if (isGone) offerUndo([variationId], untilMs)
  }
  /** Brings back what was deleted, and shows the last of it. */
  const restore = async (): Promise<void> => {
    const path = 'POST /api/generations/:generationId/variations/:variationId/restore'
    const [last] = await restoreAll((variationId) =>
      act(() => call(path, { params: { ...params, variationId } })),
    )
    if (!last) return
    setAwaitedId(last)
    await choose(last)
  }
  const deleteLayers = () =>
    submit(async () => {
      await call('DELETE /api/generations/:generationId/layers', { params })
      if (item) onItem({ ...item, adjustableUntil: null, hasMoreVariations: false })
    })
  /** Takes over the selfie with a version that was saved. */
  const takeSaved = (saved: GenerationItem): void => {
    setAwaitedId(saved.variations.find(({ isChosen }) => isChosen)?.variationId)
    onItem(saved)
  }
  const acts = { choose, askForOthers, remove, restore, takeSaved, deleteLayers }
  const othersCame = others?.of === stateOf(item) ? others.came : undefined
  return { busy, error, pendingId, awaitedId, othersCame, ...undo, ...acts }
}
