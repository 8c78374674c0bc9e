import { pointsInFace } from './face-coverage.ts'
import type { HeadMeasure } from '../faces/measure-head.ts'
import { clamp } from '../../image/raster.ts'
import type { Point } from '../../image/raster.ts'
import type { Silhouette } from '../matting/silhouette.ts'
import { applySimilarity, invertSimilarity, similarity } from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'

/** Who comes from one photo as the layout sees them; pixels of that photo. */
export interface LayoutSubject {
  /** All their heads measured as one, see `joinHeads`. */
  head: HeadMeasure
  /** The heads of the people who stay together, at least one. */
  heads: readonly HeadMeasure[]
  silhouette: Silhouette
}

/** What can be done about a border of a photo where it shows. */
export type CutKind =
  /** Nothing: it must lie outside of the picture or behind the front person. */
  | 'open'
  /** The lower border: the body is drawn longer. */
  | 'bottom'
  /** A shoulder at the photo's side: its corner is rounded to the line of an arm. */
  | 'leftShoulder'
  | 'rightShoulder'
  /** A little of the hair's top: the cap is completed. */
  | 'cap'
  /** Nothing, but it follows an outline, so it may show where there is no better place. */
  | 'seam'

/** A point where a photo cuts its person off, in head sizes about the middle of the face. */
export interface CutPoint extends Point {
  kind: CutKind
}

/** A subject in units of its own head size about the middle of its face, roll corrected. */
export interface UnitSubject {
  subject: LayoutSubject
  /** Radians by which the photo is rotated. */
  rotation: number
  toPhoto: Similarity
  /** Top of the hair. */
  top: number
  /** Outermost hair, from the middle. */
  left: number
  right: number
  /** From the middle to the outermost faces' edges, at either side. */
  faceAside: number
  eyes: Point
  oval: readonly Point[]
  /** The middle of each face, and points that lie evenly in it. */
  faces: readonly { middle: Point; inFace: readonly Point[] }[]
  cuts: readonly CutPoint[]
  /** Length of border that a cut point stands for. */
  cutStep: number
  /** The line from which on the body may be drawn longer. */
  stretchFrom: number
  /** Whether the photo ends above the shoulders. */
  isCroppedClose: boolean
}

/** Heads rolled further than this (radians) are rotated back to it. */
const rollMax = 0.22
/** A body may be made longer below this line, in head sizes under the chin. */
const stretchBelowChin = 0.45

/** Shoulders begin about there, in head sizes under the chin. */
const shouldersBelowChin = 0.6

/** The points of a border lie very close; of so many only one is used. */
const cutStride = 3

/** Hair that its photo cuts over at most this width (head sizes) is completed. */
const capWidthMax = 1.2
/**
 * Where a photo ends above a face: with less above the forehead (head sizes) there is no hair to draw on, it would become a bald
 * head's; and the picture's upper edge may come as near to it as that.
 */
export const aboveCut = 0.15

/** What was found out of a subject: one is asked about for the best picture and for each other. */
const known = new WeakMap<LayoutSubject, UnitSubject>()

/** The same subject in units of its head; what is known of it must not change. */
export function toUnits(subject: LayoutSubject): UnitSubject {
  const unit = known.get(subject) ?? measureUnits(subject)
  known.set(subject, unit)
  return unit
}

/**
 * Radians by which a subject's photo is rotated, so that no head is rolled too far; 0 where the photo ends above the shoulders:
 * its lower border can lie along the picture's alone.
 */
export function uprightRotation(subject: LayoutSubject): number {
  const { roll } = subject.head
  return isCroppedClose(subject) ? 0 : clamp(roll, -rollMax, rollMax) - roll
}

/** Whether the photo ends above the shoulders. */
function isCroppedClose({ head, silhouette }: LayoutSubject): boolean {
  return silhouette.photo.height < head.chin.y + shouldersBelowChin * head.size
}

function measureUnits(subject: LayoutSubject): UnitSubject {
  const { head, heads, silhouette } = subject
  const rotation = uprightRotation(subject)
  const toUnit = similarity(1 / head.size, rotation, head.centre, { x: 0, y: 0 })
  const map = (point: Point): Point => applySimilarity(toUnit, point)
  const topmost = silhouette.top > 0 ? -Infinity : aboveCut * head.size
  return {
    subject,
    rotation,
    toPhoto: invertSimilarity(toUnit),
    top: (silhouette.top - head.centre.y) / head.size,
    left: silhouette.hairLeft / head.size,
    right: silhouette.hairRight / head.size,
    faceAside: head.faceWidth / head.size / 2,
    eyes: map(head.eyes),
    oval: head.oval.map(({ x, y }) => map({ x, y: Math.max(y, topmost) })),
    faces: heads.map((one) => ({ middle: map(one.centre), inFace: pointsInFace(one).map(map) })),
    cuts: kindsOfCuts(subject)
      .filter((_, n) => n % cutStride === 0)
      .map(({ kind, ...point }) => ({ kind, ...map(point) })),
    cutStep: (cutStride * silhouette.maskScale) / head.size,
    stretchFrom: map(head.chin).y + stretchBelowChin,
    isCroppedClose: isCroppedClose(subject),
  }
}

/** Every cut point of a photo with what can be done about it, in pixels of the photo. */
function kindsOfCuts({ head, heads, silhouette }: LayoutSubject): CutPoint[] {
  const { cuts, maskScale } = silhouette
  const photoHeight = silhouette.photo.height
  const bottom = cuts.filter((cut) => cut.y >= photoHeight)
  const top = cuts.filter((cut) => cut.y <= 0)
  const side = cuts.filter((cut) => cut.y > 0 && cut.y < photoHeight)
  const gap = maskScale * (cutStride + 0.5)
  const sides = [...new Set(side.map((cut) => cut.x))].flatMap((x) =>
    runsOf(
      side.filter((cut) => cut.x === x).toSorted((a, b) => a.y - b.y),
      gap,
    ),
  )
  const isShoulder = (run: readonly Point[]): boolean => run[0]!.y > head.chin.y
  const isCap = (run: readonly Point[]): boolean =>
    run.at(-1)!.x - run[0]!.x < capWidthMax * head.size &&
    heads.some(({ size, foreheadTop }) => foreheadTop.y >= aboveCut * size)
  const shoulderAt = (x: number): CutKind => (x <= 0 ? 'leftShoulder' : 'rightShoulder')
  const named = (run: readonly Point[], kind: CutKind): CutPoint[] =>
    run.map((point) => ({ ...point, kind }))
  return [
    ...named(bottom, 'bottom'),
    ...named(silhouette.seams, 'seam'),
    ...runsOf(top, gap).flatMap((run) => named(run, isCap(run) ? 'cap' : 'open')),
    ...sides.flatMap((run) => named(run, isShoulder(run) ? shoulderAt(run[0]!.x) : 'open')),
  ]
}

/** Sorted points in runs without a gap. */
function runsOf(points: readonly Point[], gap: number): Point[][] {
  const runs: Point[][] = []
  let last: Point | undefined
  for (const point of points) {
    const isNext = last && Math.hypot(point.x - last.x, point.y - last.y) <= gap
    if (isNext) runs.at(-1)?.push(point)
    else runs.push([point])
    last = point
  }
  return runs
}
