import {
  faceCover,
  faceMargin,
  pointsInFace,
} from '@starside/engine/compositor/layout/face-coverage.ts'
import type { RgbImage } from '@starside/engine/image/raster.ts'
import { applySimilarity, similarityScale } from '@starside/engine/image/warp.ts'
import type { Similarity } from '@starside/engine/image/warp.ts'
import type { PairLayout } from './pair-layout.ts'
import type { PictureReading } from './judge-picture.ts'
import type { UsablePhoto } from './judge-people.ts'

/** A pair as it was laid out and, unless only layouts are judged, made. */
export interface JudgedPair {
  user: UsablePhoto
  star: UsablePhoto
  layout: PairLayout
  width: number
  height: number
  picture: RgbImage | undefined
  /** undefined where only layouts are judged. */
  reading: PictureReading | undefined
}

/** One thing that is measured of a pair. */
interface Figure {
  title: string
  /** undefined where it can't be measured, as without a picture. */
  of(pair: JudgedPair): number | undefined
  /** What is called bad, and how it is printed. */
  bad: { above: number } | { below: number }
  /** A pair that is bad by this much more is as bad as two faults; its rank on the sheets. */
  step: number
}

/**
 * Everything that is measured of a pair, by the layout alone and by the picture. What is printed
 * and the order of the sheets follow from this list.
 */
export const figures: readonly Figure[] = [
  {
    title: 'empty above the hair / height',
    of: headroomOf,
    bad: { above: 0.35 },
    step: 0.08,
  },
  { title: 'eyes / height', of: eyesOf, bad: { above: 0.5 }, step: 0.06 },
  {
    title: 'head / height',
    of: ({ layout, height }) => layout.headSize / height,
    bad: { below: 0.26 },
    step: 0.05,
  },
  { title: 'face oval to the frame', of: marginOf, bad: { below: 0.02 }, step: 0.01 },
  { title: 'face oval covered', of: coverOf, bad: { above: 0.03 }, step: 0.03 },
  {
    title: 'visible border (head sizes)',
    of: ({ layout }) => layout.visibleCut,
    bad: { above: 0.1 },
    step: 0.1,
  },
  {
    title: 'enlarged (photo to picture)',
    of: ({ layout }) =>
      Math.max(similarityScale(layout.user.toPicture), similarityScale(layout.star.toPicture)),
    bad: { above: 2.5 },
    step: 1,
  },
  {
    title: 'angle of both lights (°)',
    of: ({ reading }) => reading?.lightAngle,
    bad: { above: 45 },
    step: 20,
  },
  {
    title: 'gap of both lights (stops)',
    of: ({ reading }) => reading?.lightGap,
    bad: { above: 0.4 },
    step: 0.2,
  },
  {
    title: 'gap of sides (stops)',
    of: ({ reading }) => reading?.sideGap,
    bad: { above: 0.8 },
    step: 0.4,
  },
  {
    title: 'gap of contrasts (stops)',
    of: ({ reading }) => reading?.contrastGap,
    bad: { above: 1 },
    step: 0.5,
  },
  {
    title: 'gap of brightness (stops)',
    of: ({ reading }) => reading?.brightness && Math.abs(reading.brightness),
    bad: { above: 1.3 },
    step: 0.5,
  },
  {
    title: 'order of skin tones turned (1 is yes)',
    of: ({ reading }) => reading?.turnedTones,
    bad: { above: 0.5 },
    step: 0.1,
  },
  {
    title: 'outline of removed people (1 is chance)',
    of: ({ reading }) => reading?.outlineResidue,
    bad: { above: 1.5 },
    step: 0.3,
  },
  {
    title: 'sharper by (ratio of spectra)',
    of: ({ reading }) => reading?.sharpnessRatio,
    bad: { above: 1.4 },
    step: 0.2,
  },
  {
    title: "user's identity (cosine)",
    of: ({ reading }) => reading?.userIdentity,
    bad: { below: 0.85 },
    step: 0.03,
  },
  {
    title: "star's identity (cosine)",
    of: ({ reading }) => reading?.starIdentity,
    bad: { below: 0.85 },
    step: 0.03,
  },
]

function headroomOf({ user, star, layout, height }: JudgedPair): number {
  const top = (person: UsablePhoto, map: Similarity): number => {
    const { head, silhouette } = person.reading
    return applySimilarity(map, { x: head.centre.x, y: silhouette.top }).y
  }
  return Math.min(top(user, layout.user.toPicture), top(star, layout.star.toPicture)) / height
}

function eyesOf({ user, star, layout, height }: JudgedPair): number {
  const one = applySimilarity(layout.user.toPicture, user.reading.head.eyes).y
  const other = applySimilarity(layout.star.toPicture, star.reading.head.eyes).y
  return (one + other) / 2 / height
}

function marginOf({ user, star, layout, width, height }: JudgedPair): number {
  return Math.min(
    faceMargin(user.reading.head.oval, layout.user.toPicture, width, height),
    faceMargin(star.reading.head.oval, layout.star.toPicture, width, height),
  )
}

function coverOf({ user, star, layout }: JudgedPair): number {
  const [front, back] = layout.front === 'user' ? [user, star] : [star, user]
  const [frontMap, backMap] =
    layout.front === 'user'
      ? [layout.user.toPicture, layout.star.toPicture]
      : [layout.star.toPicture, layout.user.toPicture]
  return faceCover(pointsInFace(back.reading.head), backMap, front.reading, frontMap)
}

function excess({ bad, step }: Figure, value: number): number {
  const over = 'above' in bad ? value - bad.above : bad.below - value
  return over <= 0 ? 0 : 1 + Math.min(over / step, 3)
}

/** What is kept of a pair. */
export interface Judgement {
  name: string
  /** In the order of `figures`. */
  values: readonly (number | undefined)[]
  /** How bad the pair is by all figures together, to show the worst first. */
  fault: number
}

/** Measures a pair by every figure. */
export function judge(pair: JudgedPair): Judgement {
  const values = figures.map((figure) => figure.of(pair))
  const faults = values.map((value, n) => (value === undefined ? 0 : excess(figures[n]!, value)))
  return {
    name: `${pair.user.name} × ${pair.star.name}`,
    values,
    // Among pairs without a fault those with much air above stand first.
    fault: faults.reduce((sum, fault) => sum + fault, 0.1 * headroomOf(pair)),
  }
}

/** Prints the spread of every figure and the share of pairs that are bad by it. */
export function printFigures(judgements: readonly Judgement[]): void {
  console.log(`\n${'figure'.padEnd(34)}     p10  median     p90   bad when     share`)
  for (const [n, figure] of figures.entries()) {
    const values = judgements.map((each) => each.values[n]).filter((value) => value !== undefined)
    if (values.length === 0) continue
    const sorted = values.toSorted((one, other) => one - other)
    const at = (part: number): string =>
      sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!.toFixed(3).padStart(8)
    const bad = values.filter((value) => excess(figure, value) > 0).length
    const when = 'above' in figure.bad ? `> ${figure.bad.above}` : `< ${figure.bad.below}`
    const share = `${((100 * bad) / values.length).toFixed(1)} % (${bad}/${values.length})`
    console.log(
      `${figure.title.padEnd(34)}${at(0.1)}${at(0.5)}${at(0.9)}   ${when.padEnd(8)} ${share.padStart(16)}`,
    )
  }
}
