import type { Arrangement } from '../../arrangement.ts'
import grid from '../layout/search-grid.json' with { type: 'json' }
import type { Aspect } from '../../image-provider.ts'
import { pictureSizes } from '../../picture-sizes.ts'
import { arrangePeople } from '../layout/arrange-people.ts'
import type { Arrangement as ArrangedPeople, Formation } from '../layout/arrange-people.ts'
import { sizeCost, visibleCutMin } from '../layout/layout-cost.ts'
import { layoutOf } from '../layout/layout.ts'
import { toUnits } from '../layout/layout-subject.ts'
import {
  headroomOf,
  listFormations,
  listRows,
  ordersOf,
  searchWithin,
  standLow,
} from '../layout/layout-search.ts'
import type { Choice, SearchBounds } from '../layout/layout-search.ts'
import { arrangedSubjects } from '../layout/place-arrangement.ts'
import type { ReadResult } from '../thread-messages.ts'

/** A way to stand that is as good as its kind can be. */
export interface Candidate {
  arrangement: Arrangement
  /** How far it is from a good composition; three quarters of what its size costs are left out. */
  cost: number
}

/** How large heads are, for 1 of the preferred size. */
const sizeClasses = grid.sizeClasses as unknown as readonly Required<
  Pick<SearchBounds, 'sizes' | 'sizeRange'>
>[]

/** No candidate costs so much more than the best. */
const costRange = 1.2
const otherAspectCost = 0.15

/** The best ways to stand by order, front and size, in `best`'s format; at usual size in others. */
export function listCandidates(
  subjects: readonly ReadResult[],
  best: Arrangement,
  resolution: 'standard' | 'high',
): Candidate[] {
  const units = subjects.map(toUnits)
  const sideBySide = listFormations(units)
  const remembered = new Map<Formation, ArrangedPeople>()
  const arrange = (formation: Formation, atLeast: number): ArrangedPeople => {
    const known = remembered.get(formation) ?? arrangePeople(units, formation, atLeast)
    remembered.set(formation, known)
    return known
  }
  const orders = ordersOf([...subjects.keys()])
  const others = (['4:5', '1:1', '16:9'] as const).filter((aspect) => aspect !== best.aspect)
  const formats: { aspect: Aspect; classes: typeof sizeClasses }[] = [
    { aspect: best.aspect, classes: sizeClasses },
    ...others.map((aspect) => ({ aspect, classes: sizeClasses.slice(0, 1) })),
  ]
  return formats.flatMap(({ aspect, classes }) => {
    const [width, height] = pictureSizes[aspect][resolution]
    const usual = searchWithin(sideBySide, arrange, { sizes: [1] }, width, height)
    const formations =
      usual && !standLow(usual, height)
        ? sideBySide
        : [...sideBySide, ...listRows(units)].toSorted((one, other) => one.atLeast - other.atLeast)
    const search = (bounds: SearchBounds): Choice | undefined =>
      searchWithin(formations, arrange, bounds, width, height)
    const lowest = search({ sizes: [1] })?.cost
    if (lowest === undefined) return []
    return orders.flatMap((leftToRight) =>
      orders.flatMap((frontToBack) =>
        classes.flatMap((sizes): Candidate[] => {
          const isWanted = (formation: Formation): boolean =>
            isSame(formation.leftToRight, leftToRight) && isSame(formation.frontToBack, frontToBack)
          const costLimit = lowest + costRange
          const choice = search({ ...sizes, formations: isWanted, costLimit })
          if (!choice || !isShowable(choice, width, height)) return []
          const layout = layoutOf(choice, units, width, height)
          const mirrored = subjects.map((subject, n) => ({
            ...subject,
            mirrored: best.subjects[n]!.mirrored,
          }))
          const arrangement: Arrangement = {
            ...best,
            aspect,
            subjects: arrangedSubjects(mirrored, layout, width, height),
            frontToBack: [...frontToBack],
          }
          const { headSize } = choice.placement
          // Three quarters of what a size costs, as another size is what a variation is for.
          const relief = 0.75 * sizeCost(choice.arrangement, headSize, width, height)
          const otherAspect = aspect === best.aspect ? 0 : otherAspectCost
          return [{ arrangement, cost: choice.cost - relief + otherAspect }]
        }),
      ),
    )
  })
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.every((value, n) => value === other[n])
}

/** What no sheet shows: borders, a covered cheek, much air, people at one side, small heads. */
function isShowable(choice: Choice, width: number, height: number): boolean {
  const { arrangement, placement, shown } = choice
  const { faces, coverAround } = arrangement
  const { headSize, centreX } = placement
  const middle = centreX + ((faces.left + faces.right) / 2) * (headSize / width)
  return (
    shown.open <= visibleCutMin &&
    coverAround <= 0.02 &&
    headroomOf(choice, height) <= 0.28 &&
    Math.abs(middle - 0.5) <= 0.1 &&
    headSize / height >= 0.21
  )
}
