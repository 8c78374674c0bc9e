import type { HeadMeasure } from '../faces/measure-head.ts'
import { aboveCut } from '../layout/layout-subject.ts'
import { randomFrom } from '../../image/random-from.ts'
import { clamp, smoothstep } from '../../image/raster.ts'
import type { Frame } from '../shared-frames.ts'
import { applySimilarity, invertSimilarity, similarityScale } from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'
import { edgePixels, pixelsAround } from './pixels-around.ts'

/** A head as its photo has it, in that photo's pixels. */
type CappedHead = Pick<HeadMeasure, 'centre' | 'size' | 'foreheadTop'>

/** Radius of a head with its hair, and how much of it a cap may lack, in head sizes. */
const capRadius = 0.56
const capHeightMax = 0.3
/** Gaps in hair at the border that a cap spans, in head sizes. */
const capGapMax = 0.1
/** Beside a cap the hair below is drawn upwards too, ever less up to so many half widths of it. */
const besideCap = 1.8
/** Hairs of a cap end below its circle by less than this share of its height there, and less than this (head sizes). */
const hairEndsShare = 0.35
const hairEndsBelow = 0.045
/** How wide such hairs are, and over how much they fade, in head sizes. */
const hairWidth = 0.012
const hairFade = 0.03
const randomOfHair = randomFrom(1)
const hairEnds = Array.from({ length: 256 }, () => randomOfHair())

/** The missing cap of a head's hair; lengths in pixels of the photo, whose upper border is at 0. */
interface Cap {
  /** The middle of the hair at the border, and half of its width there. */
  middle: number
  half: number
  /** Of the circle that completes it, whose centre lies this far below the border. */
  radius: number
  below: number
  /** How high the cap is, and how deep the hair is from whose pixels it is made. */
  height: number
  depth: number
}

/** Hair that the photo's top cuts off gets a circle's cap of the hair below, drawn upwards. Works in place. */
export function completeCap(frame: Frame, head: CappedHead, toPicture: Similarity): void {
  const { image, alpha } = frame
  const scale = similarityScale(toPicture)
  const border = 2 / scale
  const cap = measureCap(frame, head, toPicture, border)
  if (!cap) return
  const toPhoto = invertSimilarity(toPicture)
  const centre = applySimilarity(toPicture, { x: cap.middle, y: 0 })
  const reach = { x: cap.half * besideCap, y: border + cap.height + cap.depth }
  const colours = new Float32Array(4)
  const fade = Math.max(edgePixels, hairFade * head.size * scale)
  // From the top, as each pixel becomes a mix of those that lie below it.
  for (const [x, y, i] of pixelsAround(alpha, centre, reach, scale)) {
    const at = applySimilarity(toPhoto, { x: x + 0.5, y: y + 0.5 })
    const above = border - at.y
    const drawn = above > 0 ? 1 : drawnBeside(cap, at.x)
    if (-above >= cap.depth || drawn === 0) continue
    // Distance to the outline, in pixels of the picture.
    const top = Math.sqrt(Math.max(0, cap.radius ** 2 - (at.x - cap.middle) ** 2)) - cap.below
    const end =
      top - Math.min(hairEndsShare * top, hairEndsBelow * head.size) * hairEndAt(at.x / head.size)
    const inside = (end - above) * scale
    if (above > 0 ? inside <= 0 : alpha.data[i] === 0) continue
    const depth = depthBelow(cap, above) * drawn - above * (1 - drawn)
    const from = applySimilarity(toPicture, { x: at.x, y: border + depth })
    mixPixels(frame, from.x - 0.5, from.y - 0.5, colours)
    if (above > 0) alpha.data[i] = colours[3]! * clamp(inside / fade, 0, 1)
    for (let c = 0; c < 3; c++) image.data[i * 3 + c] = colours[c]! + 0.5
  }
}

/** How far below the outline the hair at this place ends, 0…1; `x` in head sizes. */
function hairEndAt(x: number): number {
  const endOf = (width: number): number => {
    const at = x / width
    const before = Math.floor(at)
    const one = hairEnds[before & 255]!
    return one + smoothstep(0, 1, at - before) * (hairEnds[(before + 1) & 255]! - one)
  }
  return (endOf(hairWidth) + 2 * endOf(6 * hairWidth)) / 3
}

/** The cap that a head's hair lacks; undefined where no hair reaches the photo's upper border. */
function measureCap(
  { alpha }: Frame,
  head: CappedHead,
  toPicture: Similarity,
  border: number,
): Cap | undefined {
  const isHair = (x: number): boolean => {
    const at = applySimilarity(toPicture, { x, y: border })
    const [column, row] = [Math.floor(at.x), Math.floor(at.y)]
    const isInside = column >= 0 && row >= 0 && column < alpha.width && row < alpha.height
    return isInside && alpha.data[row * alpha.width + column]! > 127
  }
  const { centre, size, foreheadTop } = head
  const sides = [centre.x - size, centre.x + size] as const
  const chord = widestRun(sides, border / 2, capGapMax * size, isHair)
  if (!chord) return undefined
  const half = (chord.to - chord.from) / 2
  const height = capHeightMax * size
  const radius = Math.max(capRadius * size, (half * half + height * height) / (2 * height))
  const below = Math.sqrt(radius * radius - half * half)
  return {
    middle: (chord.from + chord.to) / 2,
    half,
    radius,
    below,
    height: radius - below,
    depth: Math.max(foreheadTop.y - border, aboveCut * size),
  }
}

/** How deep below the border a pixel comes from that lies this far above it. */
function depthBelow({ height, depth }: Cap, above: number): number {
  return depth * (1 - clamp((depth + above) / (depth + height), 0, 1))
}

/** How much of the drawing upwards takes part beside a cap: hair there stays where it is, 0…1. */
function drawnBeside({ middle, half }: Cap, x: number): number {
  return 1 - smoothstep(half, besideCap * half, Math.abs(x - middle))
}

/** The colours and the matte between four pixels, into `result`. */
function mixPixels({ image, alpha }: Frame, x: number, y: number, result: Float32Array): void {
  const { width, height } = alpha
  const left = clamp(Math.floor(x), 0, width - 1)
  const top = clamp(Math.floor(y), 0, height - 1)
  const right = Math.min(left + 1, width - 1)
  const bottom = Math.min(top + 1, height - 1)
  const across = clamp(x - left, 0, 1)
  const down = clamp(y - top, 0, 1)
  result.fill(0)
  for (let corner = 0; corner < 4; corner++) {
    const isRight = (corner & 1) === 1
    const isBottom = corner > 1
    const i = (isBottom ? bottom : top) * width + (isRight ? right : left)
    const share = (isRight ? across : 1 - across) * (isBottom ? down : 1 - down)
    for (let c = 0; c < 3; c++) result[c]! += share * image.data[i * 3 + c]!
    result[3]! += share * alpha.data[i]!
  }
}

/** The longest stretch of an axis on which something holds but for gaps no longer than `gap`. */
function widestRun(
  [from, to]: readonly [number, number],
  step: number,
  gap: number,
  holds: (x: number) => boolean,
): { from: number; to: number } | undefined {
  let best: { from: number; to: number } | undefined
  let run: { from: number; to: number } | undefined
  for (let x = from; x <= to; x += step) {
    if (!holds(x)) continue
    run = run && x - run.to <= gap + step ? { from: run.from, to: x } : { from: x, to: x }
    if (!best || run.to - run.from > best.to - best.from) best = run
  }
  return best
}
