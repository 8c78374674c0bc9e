import grid from './search-grid.json' with { type: 'json' }
import { arrangePeople, naturalSpread, stretchMax } from './arrange-people.ts'
import type { Arrangement, Formation, UnitSubjects } from './arrange-people.ts'
import { PhotoError } from '../../photo/photo-error.ts'
import {
  belowPicture,
  borderCost,
  compositionCost,
  preferredHeadSize,
  shownBorders,
  formationCost,
} from './layout-cost.ts'
import type { Placement, ShownBorders } from './layout-cost.ts'

/** A placement that was judged. */
export interface Choice {
  arrangement: Arrangement
  placement: Placement
  shown: ShownBorders
  cost: number
}

/** Judges a placement; undefined where it isn't better than `limit`. */
type Judge = (arrangement: Arrangement, placement: Placement, limit: number) => Choice | undefined

/** Which placements are looked at. */
export interface SearchBounds {
  /** Of all formations; undefined takes all. */
  formations?: ((formation: Formation) => boolean) | undefined
  /** Sizes of heads, for 1 of the preferred one: those that are tried, and between which they stay. */
  sizes: readonly number[]
  sizeRange?: readonly [number, number] | undefined
  /** What costs as much isn't looked at. */
  costLimit?: number | undefined
}

/** Who would leave more of the picture empty above them, in parts of its height, stands in rows. */
const headroomMax = 0.2

/**
 * What is tried (`search-grid.json`): distances in parts of natural ones and steps between the eyes in head sizes, of two people,
 * of more from one photo with a star, and with two; sizes for 1 of the preferred one; places of eyes and middles in parts of the
 * picture; at last ever smaller moves.
 */
const allSizes = { sizes: grid.sizes }

/**
 * The best placement of all subjects. Their formations (sides, front, distances, step between the
 * eyes) are tried with the likeliest first; sizes and places in the picture lie on a coarse grid. The best is then moved in ever smaller steps.
 */
export function searchLayout(units: UnitSubjects, width: number, height: number): Choice {
  const arrange = (formation: Formation, atLeast: number): Arrangement =>
    arrangePeople(units, formation, atLeast)
  const sideBySide = searchWithin(listFormations(units), arrange, allSizes, width, height)
  if (sideBySide && !standLow(sideBySide, height)) return sideBySide
  const bounds = { ...allSizes, costLimit: sideBySide?.cost }
  const best = searchWithin(listRows(units), arrange, bounds, width, height) ?? sideBySide
  if (!best) throw new PhotoError('people_too_far_apart', 'user')
  return best
}

function headCountOf(units: UnitSubjects): number {
  return units.reduce((sum, unit) => sum + unit.subject.heads.length, 0)
}

/** Whether people stand so low in the picture that rows are tried. */
export function standLow(choice: Choice, height: number): boolean {
  return headroomOf(choice, height) > headroomMax
}

/** What is empty above the highest hair, in parts of the picture's height. */
export function headroomOf({ arrangement, placement }: Choice, height: number): number {
  return placement.eyesY + (arrangement.hair.top * placement.headSize) / height
}

/**
 * The best placement within bounds; undefined where there is none.
 * @param formations all of `listFormations`
 * @param arrange `arrangePeople`, perhaps remembered
 */
export function searchWithin(
  formations: readonly ListedFormation[],
  arrange: (formation: Formation, atLeast: number) => Arrangement,
  { formations: isWanted, sizes, sizeRange = [0, Infinity], costLimit = Infinity }: SearchBounds,
  width: number,
  height: number,
): Choice | undefined {
  const judge: Judge = (arrangement, placement, limit) => {
    const cheap = compositionCost(arrangement, placement, width, height)
    if (cheap >= limit) return undefined
    const larger = placement.headSize / preferredHeadSize(arrangement, width, height)
    if (larger < sizeRange[0] || larger > sizeRange[1]) return undefined
    const shown = shownBorders(arrangement, placement, width, height)
    const cost = cheap + borderCost(shown)
    return cost < limit ? { arrangement, placement, shown, cost } : undefined
  }
  let best: Choice | undefined
  for (const { formation, atLeast } of formations) {
    if (atLeast >= (best?.cost ?? costLimit)) break
    if (isWanted && !isWanted(formation)) continue
    const arrangement = arrange(formation, atLeast)
    for (const placement of placements(arrangement, sizes, width, height)) {
      best = judge(arrangement, placement, best?.cost ?? costLimit) ?? best
    }
  }
  return best && refine(best, judge)
}

/** A formation, and what it costs at least. */
export interface ListedFormation {
  formation: Formation
  atLeast: number
}

/** The formations, the likeliest first. */
export function listFormations(units: UnitSubjects): ListedFormation[] {
  return formationsOf(units, 'sideBySide', [undefined])
}

/**
 * Formations in rows, the likeliest first: who stands behind looks over the shoulders of the front row. Of three subjects each
 * may have a height of its own, or two of them one.
 */
export function listRows(units: UnitSubjects): ListedFormation[] {
  const frontRows = units.length === 2 ? [] : [1, 2]
  return formationsOf(units, 'rows', [undefined, ...frontRows])
}

function gridOf(units: UnitSubjects): typeof grid.pair {
  if (units.length > 2) return grid.twoStars
  return headCountOf(units) > 2 ? grid.company : grid.pair
}

function formationsOf(
  units: UnitSubjects,
  kind: 'sideBySide' | 'rows',
  frontRows: readonly Formation['frontRow'][],
): ListedFormation[] {
  const { smallerBehind, [kind]: tried } = gridOf(units)
  const orders = ordersOf(units.map((_, subject) => subject))
  const all = orders.flatMap((leftToRight) =>
    orders.flatMap((frontToBack) => {
      const naturals = naturalSpreads(units, leftToRight, frontToBack)
      return tried.widths.flatMap((wider) => {
        const spreads = naturals.map((natural) => natural * wider)
        return tried.steps.flatMap((step) =>
          frontRows.map((frontRow) => {
            const formation = { leftToRight, frontToBack, spreads, step, smallerBehind, frontRow }
            return { formation, atLeast: formationCost(formation, wider, units) }
          }),
        )
      })
    }),
  )
  return all.toSorted((one, other) => one.atLeast - other.atLeast)
}

/** All orders of some indexes, the given one first. */
export function ordersOf(indexes: readonly number[]): number[][] {
  if (indexes.length === 1) return [[...indexes]]
  return indexes.flatMap((first) =>
    ordersOf(indexes.filter((index) => index !== first)).map((rest) => [first, ...rest]),
  )
}

function naturalSpreads(
  units: UnitSubjects,
  leftToRight: readonly number[],
  frontToBack: readonly number[],
): number[] {
  return leftToRight.slice(1).map((right, n) => {
    const left = leftToRight[n]!
    const leftIsFront = frontToBack.indexOf(left) < frontToBack.indexOf(right)
    return naturalSpread(units[left]!, units[right]!, leftIsFront)
  })
}

function* placements(
  arrangement: Arrangement,
  sizes: readonly number[],
  width: number,
  height: number,
): Generator<Placement> {
  const preferred = preferredHeadSize(arrangement, width, height)
  for (const larger of sizes) {
    const headSize = preferred * larger
    const rows = rowsFor(arrangement, headSize, height)
    const columns = columnsFor(arrangement, headSize, width)
    for (const eyesY of rows) {
      for (const centreX of columns) yield { headSize, centreX, eyesY }
    }
  }
}

/** Candidates for the height of the eyes: a selfie's, and those where borders leave the picture. */
function rowsFor({ cuts }: Arrangement, headSize: number, height: number): number[] {
  let plain = 0
  let far = 0
  let top = 1
  for (const { kind, y, stretchFrom } of cuts) {
    if (kind === 'bottom') {
      const longest = y + Math.max(0, y - stretchFrom) * (stretchMax - 1)
      plain = Math.max(plain, (height + belowPicture + 1 - y * headSize) / height)
      far = Math.max(far, (height + belowPicture + 1 - longest * headSize) / height)
    } else if ((kind === 'open' || kind === 'cap') && y < 0) {
      top = Math.min(top, (1 - y * headSize) / height)
    }
  }
  const borders = [plain, (plain + far) / 2, far]
  return [...grid.rows, ...borders, top].filter(isInside)
}

const isInside = (place: number): boolean => place > 0 && place < 1

/** Candidates for the middle's place: about the picture's, and where borders leave at the sides. */
function columnsFor({ cuts }: Arrangement, headSize: number, width: number): number[] {
  let left = 0
  let right = 1
  for (const { kind, x } of cuts) {
    if (kind === 'bottom' || kind === 'cap' || kind === 'seam') continue
    if (x < 0) right = Math.min(right, (1 - x * headSize) / width)
    else left = Math.max(left, (width - 1 - x * headSize) / width)
  }
  return [...grid.columns, left, right].filter(isInside)
}

/** Moves the best placement in ever smaller steps while that helps. */
function refine(start: Choice, judge: Judge): Choice {
  let best = start
  for (const step of grid.refining) {
    for (let before = Infinity, n = 0; best.cost < before && n < 12; n++) {
      before = best.cost
      const { headSize, centreX, eyesY } = best.placement
      for (const sign of [step, -step]) {
        for (const placement of [
          { headSize: headSize * (1 + sign), centreX, eyesY },
          { headSize, centreX: centreX + sign, eyesY },
          { headSize, centreX, eyesY: eyesY + sign },
          { headSize: headSize * (1 + sign), centreX, eyesY: eyesY - sign },
        ]) {
          best = judge(best.arrangement, placement, best.cost) ?? best
        }
      }
    }
  }
  return best
}
