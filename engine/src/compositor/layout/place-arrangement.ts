import type { Arrangement, ArrangedSubject } from '../../arrangement.ts'
import type { Point } from '../../image/raster.ts'
import {
  applySimilarity,
  invertSimilarity,
  similarity,
  similarityRotation,
  similarityScale,
} from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'
import { hidingAlphaMin, stretchMax } from './arrange-people.ts'
import type { MendedCut } from './layout-cost.ts'
import { isLowerBorder, stretchDown } from './layout.ts'
import type { Layout, PlacedSubject } from './layout.ts'
import { toUnits, uprightRotation } from './layout-subject.ts'
import type { CutPoint, LayoutSubject, UnitSubject } from './layout-subject.ts'

/** A subject of an arrangement. */
interface StandingUnit {
  unit: UnitSubject
  toPicture: Similarity
  /** Where a point of the unit lies in the picture. */
  onPicture: (point: Point) => Point
  /** Those who stand in front of it. */
  before: StandingUnit[]
}

/** What of a photo's borders shows of one subject. */
interface ShownBorder {
  /** In head sizes: about which nothing can be done. */
  open: number
  mends: Set<MendedCut>
  /** The highest row at which the photo's lower border shows. */
  photoEnd: number
}

/** The layout an arrangement asks for, good or bad; `subjects` are mirrored already. */
export function placeArrangement(
  subjects: readonly LayoutSubject[],
  { subjects: arranged, frontToBack }: Pick<Arrangement, 'subjects' | 'frontToBack'>,
  width: number,
  height: number,
): Layout {
  const standing = standAll(subjects, { subjects: arranged, frontToBack }, width, height)
  const borders = standing.map((each) => shownBorder(each, width, height))
  const front = standing[frontToBack[0]!]!
  return {
    subjects: standing.map((each, n) => placedOf(each, borders[n]!, height)),
    frontToBack,
    leftToRight: [...arranged.keys()].toSorted((a, b) => arranged[a]!.x - arranged[b]!.x),
    visibleCut: borders.reduce((sum, { open }) => sum + open, 0),
    headSize: front.unit.subject.head.size * similarityScale(front.toPicture),
    cost: 0,
  }
}

/** What shows of each subject's open borders in an arrangement, in head sizes. */
export function openBorders(...arranged: Parameters<typeof placeArrangement>): number[] {
  const [, , width, height] = arranged
  return standAll(...arranged).map((each) => shownBorder(each, width, height).open)
}

/** Which share of each face those in front of it hide, in an arrangement. */
export function coveredFaces(...arranged: Parameters<typeof placeArrangement>): number[] {
  return standAll(...arranged).flatMap(({ unit, onPicture, before }) => {
    const isHidden = hiddenBy(before)
    return unit.faces.map(
      ({ inFace }) => inFace.filter((point) => isHidden(onPicture(point))).length / inFace.length,
    )
  })
}

function standAll(
  subjects: readonly LayoutSubject[],
  { subjects: arranged, frontToBack }: Pick<Arrangement, 'subjects' | 'frontToBack'>,
  width: number,
  height: number,
): StandingUnit[] {
  const standing = subjects.map((subject, n): StandingUnit => {
    const unit = toUnits(subject)
    const toPicture = standAt(subject, arranged[n]!, width, height)
    const onPicture = (point: Point): Point =>
      applySimilarity(toPicture, applySimilarity(unit.toPhoto, point))
    return { unit, toPicture, onPicture, before: [] }
  })
  for (const [rank, n] of frontToBack.entries()) {
    standing[n]!.before = frontToBack.slice(0, rank).map((front) => standing[front]!)
  }
  return standing
}

/** From a subject's photo to where an arrangement has it stand. */
export function standAt(
  subject: LayoutSubject,
  { x, y, size, turnDegrees }: ArrangedSubject,
  width: number,
  height: number,
): Similarity {
  const head = subject.heads[0]!
  const turn = uprightRotation(subject) + (turnDegrees * Math.PI) / 180
  return similarity((size * height) / head.size, turn, head.centre, { x: x * width, y: y * height })
}

/** Where a layout has put its subjects, as an arrangement tells it. */
export function arrangedSubjects(
  subjects: readonly (LayoutSubject & { mirrored: boolean })[],
  layout: Pick<Layout, 'subjects'>,
  width: number,
  height: number,
): ArrangedSubject[] {
  return subjects.map((subject, n) => {
    const { toPicture } = layout.subjects[n]!
    const head = subject.heads[0]!
    const at = applySimilarity(toPicture, head.centre)
    const turn = similarityRotation(toPicture) - uprightRotation(subject)
    return {
      x: at.x / width,
      y: at.y / height,
      size: (head.size * similarityScale(toPicture)) / height,
      turnDegrees: Math.round((turn * 180) / Math.PI),
      mirrored: subject.mirrored,
    }
  })
}

/** Whether a point of the picture lies behind one of some people. */
function hiddenBy(before: readonly StandingUnit[]): (point: Point) => boolean {
  const fronts = before.map((other) => ({
    silhouette: other.unit.subject.silhouette,
    toPhoto: invertSimilarity(other.toPicture),
  }))
  return (point) =>
    fronts.some(({ silhouette: { mask, maskScale }, toPhoto }) => {
      const at = applySimilarity(toPhoto, point)
      const u = Math.floor(at.x / maskScale)
      const v = Math.floor(at.y / maskScale)
      const isOver = u >= 0 && v >= 0 && u < mask.width && v < mask.height
      return isOver && mask.data[v * mask.width + u]! >= hidingAlphaMin
    })
}

/** As the layout's search judges borders, for one subject where it stands. */
function shownBorder(
  { unit, toPicture, onPicture, before }: StandingUnit,
  width: number,
  height: number,
): ShownBorder {
  const isHidden = hiddenBy(before)
  const size = unit.subject.head.size * similarityScale(toPicture)
  const shown: ShownBorder = { open: 0, mends: new Set(), photoEnd: Infinity }
  for (const cut of unit.cuts) {
    const at = onPicture(cut)
    if (isLowerBorder(cut, at.x / size, width / size)) {
      shown.photoEnd = Math.min(shown.photoEnd, at.y)
    }
    // A tolerance of two pixels: the very rim of a photo is never used.
    if (at.x <= 2 || at.x >= width - 2 || at.y <= 2 || at.y >= height - 2) continue
    if (isHidden(at)) continue
    if (cut.kind === 'open') shown.open += unit.cutStep
    else if (cut.kind === 'bottom') {
      const lowest = onPicture(stretched(cut, unit))
      if (lowest.y < height - 2 && !isHidden(lowest)) shown.open += unit.cutStep
    } else if (cut.kind !== 'seam') shown.mends.add(cut.kind)
  }
  return shown
}

/** The lowest that a point of the lower border can be brought to by a longer body. */
function stretched({ x, y }: CutPoint, { stretchFrom }: UnitSubject): Point {
  return { x, y: y + Math.max(0, y - stretchFrom) * (stretchMax - 1) }
}

function placedOf(
  { unit, toPicture }: StandingUnit,
  { mends, photoEnd }: ShownBorder,
  height: number,
): PlacedSubject {
  const middle = applySimilarity(toPicture, unit.subject.head.centre)
  const size = unit.subject.head.size * similarityScale(toPicture)
  const fromRow = middle.y + unit.stretchFrom * size
  const stretch = fromRow < height ? stretchDown(fromRow, photoEnd, height) : undefined
  return { toPicture, stretch, mends: [...mends] }
}
