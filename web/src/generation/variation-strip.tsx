import { useRef, useState } from 'react'
import type { GenerationItem } from '@starside/contract/generation.ts'
import type { VariationItem } from '@starside/contract/variations.ts'
import { fill } from '@starside/contract/fill.ts'
import { keysOf } from '@starside/contract/keys-of.ts'
import { bringIntoView } from '../ui/bring-into-view.ts'
import { useMessages } from '../ui/language.tsx'
import type { CatalogueAreas } from '../ui/messages/catalogues.ts'
import { Pencil } from '../ui/pencil.tsx'
import type { Arrangement } from '@starside/contract/arrangement.ts'
import { deletionUndoMs } from '@starside/contract/limits.ts'
import { call, ApiError } from '../api/call.ts'
import { FilmButton } from '../ui/button.tsx'
import { useSubmission } from '../ui/form.tsx'
import type { SelfiePictureProps } from './selfie-picture.tsx'
import { useDeleted } from './use-deleted.ts'

type VariationStripProps = Pick<SelfiePictureProps, 'variations' | 'canAskForOthers'>

/** The versions of one selfie, the best one first, with the way to others at their end, and the name of the one on show. */
export function VariationStrip(props: VariationStripProps & { item: GenerationItem }) {
  const { item, variations, canAskForOthers = false } = props
  const m = useMessages('variations')
  const names = useMessages('dashboard')
  const isMaking = variations.othersCame === null
  const all = item.variations.length > 1 ? item.variations : []
  const shown = all.find(({ variationId }) => variationId === variations.shownId)
  const texts = all.map((variation, index) =>
    fill(m.one, { number: index + 1, how: wordsOf(variation, all[0]!, m, names) }),
  )
  if (all.length === 0 && !canAskForOthers) return null
  return (
    <>
      <div role="group" aria-label={m.title} aria-busy={variations.busy} className="versions">
        {all.map((variation, index) => (
          <button
            key={variation.variationId}
            ref={variation.variationId === variations.awaitedId ? leadTo : null}
            type="button"
            title={texts[index]}
            aria-pressed={variation === shown}
            tabIndex={variation === shown ? 0 : -1}
            style={{ ['--aspect' as string]: variation.widthPx / variation.heightPx }}
            className="version outline-offset-[-3px]!"
            onClick={() => variation === shown || void variations.choose(variation.variationId)}
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
            {variation === shown ? <Pencil drawing="ring" className="chosen-ring" /> : null}
          </button>
        ))}
        {canAskForOthers ? (
          <FilmButton
            aria-disabled={variations.busy}
            className={`px-2 text-[0.85rem] ${isMaking ? 'animate-pulse' : ''}`}
            onClick={() => void variations.askForOthers()}
          >
            {isMaking ? m.makingOthers : m.others}
          </FilmButton>
        ) : null}
      </div>
      <p
        role="status"
        className="edge-print flex-1 leading-tight text-balance text-ash lg:min-h-[2lh]"
      >
        {shown && !shown.isRendered && variations.pendingId ? m.making : texts[all.indexOf(shown!)]}
      </p>
    </>
  )
}

/** Goes on at a version that has come, with the picture in sight. */
function leadTo(version: HTMLElement | null): void {
  bringIntoView(version?.closest('.result-print')?.firstElementChild ?? null)
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
  const choosing = useSubmission(useMessages('variations').failed)
  /** The one that was pressed and is shown, while the server makes it at full size. */
  const [pendingId, setPendingId] = useState<string | null>(null)
  const wantedId = useRef<string | null>(null)
  const { offerUndo, restore: restoreAll, ...undo } = useDeleted()
  /** The one that was saved or brought back last, or the first of others that came. */
  const [awaitedId, setAwaitedId] = useState<string>()
  /** How the selfie was whose other versions were asked for, or came, and how many; null while they are made. */
  const [others, setOthers] = useState<{ of: string; came: number | null }>()
  const params = { generationId: item?.generationId ?? '' }
  const shownId = pendingId ?? item?.variations.find(({ isChosen }) => isChosen)?.variationId
  /** Takes over the selfie that a call answers; as it is now where a failure says that it has changed. */
  const act = (work: () => Promise<{ generation: GenerationItem }>, by = submit) =>
    by(async () => {
      try {
        onItem((await work()).generation)
      } catch (failure) {
        if (failure instanceof ApiError && outdated.includes(failure.code)) {
          onItem((await call('GET /api/generations/:generationId', { params })).generation)
        }
        throw failure
      }
    })
  /** Shows it at once; of several that are pressed while the server answers the last one counts. */
  const choose = async (variationId: string): Promise<boolean> => {
    const isUnderWay = wantedId.current !== null
    wantedId.current = variationId
    setPendingId(variationId)
    if (isUnderWay) return false
    const path = 'PUT /api/generations/:generationId/chosen'
    let isChosen = true
    while (isChosen && wantedId.current !== null) {
      const body: { variationId: string } = { variationId: wantedId.current }
      isChosen = await act(() => call(path, { params, body }), choosing.submit)
      if (wantedId.current === body.variationId) wantedId.current = null
    }
    wantedId.current = null
    setPendingId(null)
    return isChosen
  }
  const askForOthers = async (): Promise<void> => {
    setOthers({ of: stateOf(item), came: null })
    const isDone = await act(async () => {
      const made = await call('POST /api/generations/:generationId/variations/more', { params })
      const came = made.generation.variations.slice(item?.variations.length ?? 0)
      setOthers({ of: stateOf(made.generation), came: came.length })
      setAwaitedId(came[0]?.variationId)
      return made
    })
    if (!isDone) setOthers(undefined)
  }
  /** Deletes the version on show, once its neighbour stands in its place; nothing while one is still being made. */
  const remove = async (): Promise<void> => {
    const all = item?.variations ?? []
    const at = all.findIndex(({ isChosen }) => isChosen)
    const neighbour = all[at + 1] ?? all[at - 1]
    const variationId = all[at]?.variationId
    if (pendingId || !variationId || !neighbour || !(await choose(neighbour.variationId))) return
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
  const takeSaved = (saved: GenerationItem): void => {
    setAwaitedId(saved.variations.find(({ isChosen }) => isChosen)?.variationId)
    onItem(saved)
  }
  const acts = { choose, askForOthers, remove, restore, takeSaved, deleteLayers }
  const othersCame = others?.of === stateOf(item) ? others.came : undefined
  const shown = { pendingId, shownId, awaitedId, othersCame }
  return { busy: busy || choosing.busy, error: error ?? choosing.error, ...shown, ...undo, ...acts }
}
