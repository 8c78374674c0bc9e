import costs from './layout-costs.json' with { type: 'json' }
import grid from './search-grid.json' with { type: 'json' }
import { lowerBy, stretchMax } from './arrange-people.ts'
import type { Arrangement, Formation, UnitSubjects } from './arrange-people.ts'
import type { CutKind } from './layout-subject.ts'
import { clamp } from '../../image/raster.ts'

/** Where an arrangement stands in the picture. */
export interface Placement {
  /** Of the base head, in pixels. */
  headSize: number
  /** The point between the outermost middles, 0…1 of the width. */
  centreX: number
  /** The eyes of who stands at the back, 0…1 of the height. */
  eyesY: number
}

/**
 * What a measure of a layout costs, as pieces of a curve: from each one's limit on, `slope` for each 1 more
 * (or less, of `below`), and `once` where it is passed at all.
 */
type Curve = readonly { above?: number; below?: number; once?: number; slope: number }[]

/**
 * The taste of the layouts, found by comparing pictures of the same people. Lengths are in head sizes, or in parts
 * of the picture's sides; sizes and distances against the wanted ones in natural logarithms.
 */
const curves: Record<keyof typeof costs, Curve> = costs

function costOf(measure: keyof typeof costs, value: number): number {
  let cost = 0
  for (const { above, below, once = 0, slope } of curves[measure]) {
    const beyond = above === undefined ? below! - value : value - above
    if (beyond > 0) cost += once + slope * beyond
  }
  return cost
}

/** The outline of a face lies at least this far inside of the picture, in parts of its sides. */
const faceMarginMin = 0.02
/** A border shorter than this (head sizes) passes for a fold; any layout beats a longer one. */
export const visibleCutMin = costs.open[1]!.above
/** How far below the picture a photo's lower border lies that isn't seen, in pixels. */
export const belowPicture = 3
/** The step by which the front person's eyes lie lower, when nothing speaks for another one. */
const naturalStep = grid.pair.sideBySide.steps[0]!

/** A lower bound of a formation's placements; `wider`: distances in parts of the natural ones. */
export function formationCost(formation: Formation, wider: number, units: UnitSubjects): number {
  const { leftToRight, frontToBack, step } = formation
  // The outermost look towards the middle or straight ahead.
  const [left, right] = [units[leftToRight[0]!]!, units[leftToRight.at(-1)!]!]
  const inwards = (left.subject.head.yaw - right.subject.head.yaw) / 2
  return (
    costOf('starInFront', frontToBack.indexOf(0)) +
    // Of two, who is cropped close may stand low, and the other higher.
    (units.length === 2 ? 0 : unevenCost(formation, units)) +
    costOf('lookingOutwards', -inwards) +
    costOf('distance', Math.abs(Math.log(wider))) +
    costOf('step', Math.abs(step - naturalStep))
  )
}

/** What it costs that the user stands lower than two stars, and who is cropped close higher than others. */
function unevenCost(formation: Formation, units: UnitSubjects): number {
  const low = units.map((_, subject) => lowAgainstOthers(formation, subject))
  const highs = low.map((each, subject) => (units[subject]!.isCroppedClose ? -each : 0))
  return costOf('userLow', low[0]!) + costOf('croppedHigh', Math.max(...highs))
}

/** How much lower somebody's eyes lie than the others' in the mean, in head sizes. */
function lowAgainstOthers(formation: Formation, subject: number): number {
  const lower = formation.frontToBack.map((_, other) => lowerBy(formation, other))
  const own = lower[subject]!
  const total = lower.reduce((sum, each) => sum + each, 0)
  return own - (total - own) / (lower.length - 1)
}

/** The size of heads at arm's length; less where hair wants the width. */
export function preferredHeadSize(
  { faces, hair, headCount }: Arrangement,
  width: number,
  height: number,
): number {
  const wide = clamp((width / height - 4 / 5) / (16 / 9 - 4 / 5), 0, 1)
  const aside = 1.3 + 0.6 * (headCount - 2)
  const hairWidth = clamp(-hair.left, 0, aside) + clamp(hair.right, 0, aside)
  // Friends may have stood far apart, and all their faces must come in.
  const block = headCount > 2 ? Math.max(hairWidth, faces.right - faces.left) : hairWidth
  return Math.min((0.37 + 0.05 * wide) * height, width / block)
}

/** What a composition costs without photo borders; Infinity where a face is too near the frame. */
export function compositionCost(
  arrangement: Arrangement,
  { headSize, centreX, eyesY }: Placement,
  width: number,
  height: number,
): number {
  const { faces, hair } = arrangement
  const x = (units: number): number => centreX + (units * headSize) / width
  const y = (units: number): number => eyesY + (units * headSize) / height
  const sides = Math.min(x(faces.left), 1 - x(faces.right))
  if (Math.min(sides, y(faces.top), 1 - y(faces.bottom)) < faceMarginMin) return Infinity
  const hairTop = y(hair.top)
  const middle = (clamp(x(hair.left), 0, 1) + clamp(x(hair.right), 0, 1)) / 2
  const outside = Math.max(0, -x(hair.left)) + Math.max(0, x(hair.right) - 1)
  return (
    arrangement.formationCost +
    costOf('coverAround', arrangement.coverAround) +
    costOf('cover', arrangement.cover) +
    costOf('faceToSide', sides) +
    sizeCost(arrangement, headSize, width, height) +
    costOf('headHeight', headSize / height) +
    // A small face that is enlarged much stays soft.
    costOf('enlarging', Math.log(headSize / arrangement.smallestHead / 2)) +
    // A hand's breadth above the hair; much air above is dull, hair that is cut is cramped.
    costOf('headroom', hairTop) +
    costOf('hairCut', (-hairTop * height) / headSize) +
    // Eyes lie in the upper part of a selfie, not in its middle.
    costOf('eyesLow', eyesY + (arrangement.step * headSize) / height / 2) +
    costOf('eyesHigh', eyesY) +
    // Hair and ears may leave at the sides, as they do at arm's length.
    costOf('hairOutside', (outside * width) / headSize) +
    costOf('aside', Math.abs(middle - 0.5))
  )
}

/** What heads cost that are larger or smaller than they would best be. */
export function sizeCost(
  arrangement: Arrangement,
  headSize: number,
  width: number,
  height: number,
): number {
  return costOf('size', Math.log(headSize / preferredHeadSize(arrangement, width, height)))
}

/** The borders that are mended where they show. */
export type MendedCut = Exclude<CutKind, 'open' | 'bottom' | 'seam'>

/** The borders that show in a placement, in head sizes, and how far bodies must be drawn longer. */
export interface ShownBorders {
  /** About which nothing can be done. */
  open: number
  /** Where people were parted from their neighbours. */
  seam: number
  /** By subject. */
  mended: readonly Record<MendedCut, number>[]
  /** By subject; 1 where nothing is drawn longer. */
  stretch: number[]
}

export function shownBorders(
  { cuts, leftToRight }: Arrangement,
  { headSize, centreX, eyesY }: Placement,
  width: number,
  height: number,
): ShownBorders {
  const shown: ShownBorders = {
    open: 0,
    seam: 0,
    mended: leftToRight.map(() => ({ leftShoulder: 0, rightShoulder: 0, cap: 0 })),
    stretch: leftToRight.map(() => 1),
  }
  // A tolerance of two pixels: the very rim of a photo is never used.
  const left = (2 - centreX * width) / headSize
  const right = (width - 2 - centreX * width) / headSize
  const top = (2 - eyesY * height) / headSize
  const bottom = (height - 2 - eyesY * height) / headSize
  const end = (height - eyesY * height) / headSize
  // Where a body can't be drawn longer, the rim itself must lie below the picture.
  const below = (height + belowPicture - eyesY * height) / headSize
  for (const { x, y, subject, kind, length, lowest, stretchFrom } of cuts) {
    if (x <= left || x >= right || y <= top || y >= (kind === 'bottom' ? below : bottom)) continue
    if (kind === 'open' || kind === 'seam') shown[kind] += length
    else if (kind === 'bottom') {
      if (lowest !== undefined && lowest < below) shown.open += length
      const factor = (end - stretchFrom) / Math.max(y - stretchFrom, 1 / headSize)
      shown.stretch[subject] = Math.max(shown.stretch[subject]!, Math.min(factor, stretchMax))
    } else shown.mended[subject]![kind] += length
  }
  return shown
}

export function borderCost(shown: ShownBorders): number {
  let cost = costOf('open', shown.open) + costOf('seam', shown.seam)
  for (const [subject, { cap, leftShoulder, rightShoulder }] of shown.mended.entries()) {
    cost += costOf('shoulder', leftShoulder) + costOf('shoulder', rightShoulder)
    // A longer body is better than a visible border, but worse than none of both.
    cost += costOf('cap', cap) + costOf('stretch', shown.stretch[subject]!)
  }
  return cost
}
