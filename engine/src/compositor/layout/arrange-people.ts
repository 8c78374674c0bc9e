import type { CutKind, UnitSubject } from './layout-subject.ts'
import type { Point } from '../../image/raster.ts'

/** Everybody who is to be placed: the user, or the user's company, comes first, then the stars. */
export type UnitSubjects = readonly UnitSubject[]

/** How the subjects stand to each other, whatever the size and the place in the picture. */
export interface Formation {
  /** Indexes of the subjects from left to right. */
  leftToRight: readonly number[]
  /** The same from the front to the back. */
  frontToBack: readonly number[]
  /** Distances of the middles of neighbours from left to right, in head sizes. */
  spreads: readonly number[]
  /** How much lower the eyes of who stands in front lie than those at the back, in head sizes. */
  step: number
  /** How much smaller heads are for each head size that they stand higher, being farther away. */
  smallerBehind: number
  /** So many stand at one height in front, and the others at one behind; undefined: each at their own. */
  frontRow: number | undefined
}

/**
 * All subjects in one frame: head sizes about the point midway between the outermost middles, at the
 * height of the eyes at the back. All that doesn't depend on the picture is found here once.
 */
export interface Arrangement extends Formation {
  /** What this way to stand costs. */
  formationCost: number
  /** How many heads there are. */
  headCount: number
  /** How much of a face is covered at most, 0…1; and of the same a little enlarged. */
  cover: number
  coverAround: number
  /** The smaller of both heads in its photo, in pixels. */
  smallestHead: number
  /** The box about all faces. */
  faces: Box
  /** Outermost hair at both sides, and the top of the higher hair. */
  hair: { left: number; right: number; top: number }
  cuts: readonly ArrangedCut[]
}

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

/** A point of a photo's border that nobody in front hides. */
export interface ArrangedCut extends Point {
  /** Index of the subject. */
  subject: number
  kind: CutKind
  /** Length of border it stands for, in head sizes. */
  length: number
  /** At the lower border: the lowest it can be brought to, or undefined where that is hidden. */
  lowest: number | undefined
  /** At the lower border: where the stretch begins. */
  stretchFrom: number
}

/** A matte (0…255) from this on hides what lies behind it. */
export const hidingAlphaMin = 128
/** A face is enlarged by this when its cover is measured, as the mesh ends before the cheeks do. */
const aroundFace = 1.1
/** A body is made longer by at most this factor. */
export const stretchMax = 1.9

/** Where the middle of a subject stands in the arrangement's frame, and how large its head is there. */
export function standOf(
  units: UnitSubjects,
  subject: number,
  formation: Formation,
): Point & { scale: number } {
  const { leftToRight, spreads, step, smallerBehind } = formation
  const total = spreads.reduce((sum, spread) => sum + spread, 0)
  const before = spreads.slice(0, leftToRight.indexOf(subject))
  const lower = lowerBy(formation, subject)
  const scale = 1 - smallerBehind * (step - lower)
  return {
    x: before.reduce((sum, spread) => sum + spread, -total / 2),
    y: lower - units[subject]!.eyes.y * scale,
    scale,
  }
}

/** How much lower somebody's eyes lie than those at the back: the front lowest, the last not at all. */
export function lowerBy({ frontToBack, step, frontRow }: Formation, subject: number): number {
  const last = frontToBack.length - 1
  const rank = frontToBack.indexOf(subject)
  if (frontRow !== undefined) return rank < frontRow ? step : 0
  return (step * (last - rank)) / last
}

export function arrangePeople(
  units: UnitSubjects,
  formation: Formation,
  formationCost: number,
): Arrangement {
  const { leftToRight } = formation
  const placed = units.map((unit, subject) => placeUnit(units, unit, subject, formation))
  const ovals = placed.flatMap(({ unit, toFrame }) => unit.oval.map(toFrame))
  const [left, right] = [placed[leftToRight[0]!]!, placed[leftToRight.at(-1)!]!]
  return {
    ...formation,
    formationCost,
    headCount: units.reduce((sum, unit) => sum + unit.subject.heads.length, 0),
    cover: coverOf(placed, 1),
    coverAround: coverOf(placed, aroundFace),
    smallestHead: Math.min(...placed.map(({ unit, scale }) => unit.subject.head.size / scale)),
    faces: {
      left: Math.min(...ovals.map(({ x }) => x)),
      right: Math.max(...ovals.map(({ x }) => x)),
      top: Math.min(...ovals.map(({ y }) => y)),
      bottom: Math.max(...ovals.map(({ y }) => y)),
    },
    hair: {
      left: left.toFrame({ x: -left.unit.left, y: 0 }).x,
      right: right.toFrame({ x: right.unit.right, y: 0 }).x,
      top: Math.min(...placed.map(({ unit, toFrame }) => toFrame({ x: 0, y: unit.top }).y)),
    },
    cuts: placed.flatMap((person) => shownCuts(person, placed)),
  }
}

/** A subject at its place in the arrangement's frame. */
interface PlacedUnit {
  subject: number
  unit: UnitSubject
  /** 0 in front. */
  rank: number
  /** Size of the head in the frame. */
  scale: number
  /** From the subject's units to the frame. */
  toFrame: (point: Point) => Point
  /** The subject's matte at a point of the frame, 0…255. */
  matteAt: (x: number, y: number) => number
}

function placeUnit(
  units: UnitSubjects,
  unit: UnitSubject,
  subject: number,
  formation: Formation,
): PlacedUnit {
  const { scale, ...centre } = standOf(units, subject, formation)
  const { mask, maskScale } = unit.subject.silhouette
  const { a, b, tx, ty } = unit.toPhoto
  return {
    subject,
    unit,
    rank: formation.frontToBack.indexOf(subject),
    scale,
    toFrame: ({ x, y }) => ({ x: centre.x + x * scale, y: centre.y + y * scale }),
    matteAt(x, y) {
      const fromX = (x - centre.x) / scale
      const fromY = (y - centre.y) / scale
      const u = Math.floor((a * fromX - b * fromY + tx) / maskScale)
      const v = Math.floor((b * fromX + a * fromY + ty) / maskScale)
      const isOver = u >= 0 && v >= 0 && u < mask.width && v < mask.height
      return isOver ? mask.data[v * mask.width + u]! : 0
    },
  }
}

/** The share of a face that is covered at most, with so much about it. */
function coverOf(placed: readonly PlacedUnit[], around: number): number {
  let most = 0
  for (const { unit, rank, toFrame } of placed) {
    const before = placed.filter((other) => other.rank < rank)
    if (before.length === 0) continue
    for (const { middle, inFace } of unit.faces) {
      let over = 0
      for (const { x, y } of inFace) {
        const at = toFrame({
          x: middle.x + (x - middle.x) * around,
          y: middle.y + (y - middle.y) * around,
        })
        if (isBehind(before, at.x, at.y)) over++
      }
      most = Math.max(most, over / inFace.length)
    }
  }
  return most
}

/** Whether one of those in front hides a point of the frame. */
function isBehind(before: readonly PlacedUnit[], x: number, y: number): boolean {
  for (const other of before) if (other.matteAt(x, y) >= hidingAlphaMin) return true
  return false
}

function shownCuts(
  { subject, unit, rank, scale, toFrame }: PlacedUnit,
  placed: readonly PlacedUnit[],
): ArrangedCut[] {
  const { cuts, cutStep, stretchFrom } = unit
  const before = placed.filter((other) => other.rank < rank)
  const shown: ArrangedCut[] = []
  for (const { kind, ...point } of cuts) {
    const at = toFrame(point)
    if (isBehind(before, at.x, at.y)) continue
    const length = Math.max(0, point.y - stretchFrom)
    const lowest = toFrame({ x: point.x, y: point.y + length * (stretchMax - 1) })
    shown.push({
      ...at,
      subject,
      kind,
      length: cutStep * scale,
      lowest: kind === 'bottom' && !isBehind(before, lowest.x, lowest.y) ? lowest.y : undefined,
      stretchFrom: toFrame({ x: 0, y: stretchFrom }).y,
    })
  }
  return shown
}

/**
 * Distance of two neighbours' middles in head sizes: hair in front may lie over the other's hair, but
 * stays clear of the other's face.
 * @param leftIsFront whether the left one stands in front of the right one
 */
export function naturalSpread(left: UnitSubject, right: UnitSubject, leftIsFront: boolean): number {
  const hairBefore = leftIsFront ? left.right : right.left
  const hairBehind = leftIsFront ? right.left : left.right
  const faceBehind = (leftIsFront ? right : left).faceAside
  return hairBefore + faceBehind * 0.95 + 0.45 * Math.max(hairBehind - faceBehind, 0)
}
