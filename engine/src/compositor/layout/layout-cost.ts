import { stretchMaxFor } from './arrange-people.ts'
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

/** The outline of a face lies at least this far inside of the picture, in parts of its sides. */
const faceMarginMin = 0.02
/** At most this part of a face may lie behind other people. */
const faceCoverMax = 0.03
/** A border shorter than this (head sizes) passes for a fold; any layout beats a longer one. */
const visibleCutMin = 0.08
const visibleCutCost = 10
/** A wider cap (head sizes) is seen to be made; only a border that shows is worse. */
const capUsual = 0.75
const wideCapCost = 2.5
/** How far below the picture a photo's lower border lies that isn't seen, in pixels. */
export const belowPicture = 3
/** The step by which the front person's eyes lie lower, when nothing speaks for another one. */
export const naturalStep = 0.08

/** A lower bound of a formation's placements; `wider`: distances in parts of the natural ones. */
export function formationCost(
  { leftToRight, frontToBack, step }: Formation,
  wider: number,
  units: UnitSubjects,
): number {
  // The outermost look towards the middle or straight ahead.
  const [left, right] = [units[leftToRight[0]!]!, units[leftToRight.at(-1)!]!]
  const inwards = (left.subject.head.yaw - right.subject.head.yaw) / 2
  return (
    (frontToBack[0] === 0 ? 0 : 0.12) +
    (inwards < 0 ? Math.min(-inwards * 0.5, 0.3) : 0) +
    1.1 * Math.abs(Math.log(wider)) +
    0.6 * Math.abs(step - naturalStep)
  )
}

/** The size of heads at arm's length; less where hair wants the width. */
export function preferredHeadSize(
  { faces, hair, headCount }: Arrangement,
  width: number,
  height: number,
): number {
  const wide = clamp((width / height - 0.8) / 0.98, 0, 1)
  const aside = 1.3 + 0.6 * (headCount - 2)
  const hairWidth = clamp(-hair.left, 0, aside) + clamp(hair.right, 0, aside)
  // Friends may have stood far apart, and all their faces must come in.
  const block = headCount > 2 ? Math.max(hairWidth, 1.08 * (faces.right - faces.left)) : hairWidth
  return Math.min((0.37 + 0.05 * wide) * height, (0.96 * width) / block)
}

/** What a composition costs without photo borders; Infinity where a face is too near the frame. */
export function compositionCost(
  arrangement: Arrangement,
  { headSize, centreX, eyesY }: Placement,
  width: number,
  height: number,
): number {
  const { faces, hair } = arrangement
  const preferred = preferredHeadSize(arrangement, width, height)
  const x = (units: number): number => centreX + (units * headSize) / width
  const y = (units: number): number => eyesY + (units * headSize) / height
  const sides = Math.min(x(faces.left), 1 - x(faces.right))
  // A tolerance of a pixel, as places are rounded to whole pixels.
  const margin = Math.min(sides, y(faces.top), 1 - y(faces.bottom)) - 1.5 / Math.min(width, height)
  if (margin < faceMarginMin) return Infinity
  let cost = arrangement.formationCost + coverCost(arrangement)
  cost += 14 * Math.max(0, 0.05 - sides)
  cost += (headSize > preferred ? 0.5 : 1.5) * Math.abs(Math.log(headSize / preferred))
  cost += 6 * Math.max(headSize / height - 0.44, 0)
  // A small face that is enlarged much stays soft.
  cost += 0.7 * Math.max(0, Math.log(headSize / arrangement.smallestHead / 2))
  cost += headroomCost(y(hair.top), height / headSize)
  // Eyes lie in the upper part of a selfie, not in its middle.
  cost += 5 * Math.max(eyesY + (arrangement.step * headSize) / height / 2 - 0.43, 0)
  cost += 4 * Math.max(0.27 - eyesY, 0)
  // Hair and ears may leave at the sides, as they do at arm's length.
  const outside = Math.max(0, 0.015 - x(hair.left)) + Math.max(0, x(hair.right) - 0.985)
  cost += (0.9 * outside * width) / headSize
  const middle = (clamp(x(hair.left), 0, 1) + clamp(x(hair.right), 0, 1)) / 2
  const aside = Math.abs(middle - 0.5)
  return cost + 1.5 * aside + 8 * Math.max(0, aside - 0.06)
}

/** A hand's breadth above the hair; much air above is dull, hair that is cut is cramped. */
function headroomCost(headroom: number, headsPerHeight: number): number {
  if (headroom > 0.15) return 8 * (headroom - 0.15) + 8 * Math.max(0, headroom - 0.28)
  if (headroom >= 0.06) return 0
  const cut = Math.max(0, -headroom) * headsPerHeight
  return 4 * (0.06 - Math.max(headroom, 0)) + (cut > 0 ? 0.1 + 2.5 * cut : 0)
}

function coverCost({ cover, coverAround }: Arrangement): number {
  return 3 * coverAround + (cover > faceCoverMax ? 20 + 20 * cover : 0)
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
  { cuts, headCount, leftToRight }: Arrangement,
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
  const stretchMax = stretchMaxFor(headCount)
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
  let cost = shown.open * 9 + (shown.open > visibleCutMin ? visibleCutCost : 0) + shown.seam * 0.7
  for (const [subject, { cap, leftShoulder, rightShoulder }] of shown.mended.entries()) {
    for (const shoulder of [leftShoulder, rightShoulder]) {
      if (shoulder > 0.02) cost += 0.5 + 0.4 * shoulder
    }
    if (cap > 0.02) cost += 0.3 + 2 * cap + (cap > capUsual ? wideCapCost : 0)
    // A longer body is better than a visible border, but worse than none of both.
    const factor = shown.stretch[subject]!
    cost += 0.18 * (factor - 1) + 1.2 * Math.max(0, factor - 1.3)
  }
  return cost
}
