import type { MendedCut } from '../layout/layout-cost.ts'
import { clamp } from '../../image/raster.ts'
import type { Point } from '../../image/raster.ts'
import type { Frame } from '../shared-frames.ts'
import { applySimilarity, invertSimilarity, similarityScale } from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'

/** What the mending has to know of the person and the photo; pixels of the photo. */
export interface MendedPhoto {
  /** All heads as one, and each of them. */
  head: MendedHead
  heads: readonly MendedHead[]
  width: number
  height: number
}

interface MendedHead {
  centre: Point
  size: number
  chin: Point
}

/** Half axes of the ellipse that rounds a shoulder, in head sizes. */
const roundAcross = 0.36
const roundDown = 0.55
/** A rounded arm gets darker towards its edge over this many head sizes, by at most this part. */
const shadeAcross = 0.14
const shadeMost = 0.2
/** Radius of a head with its hair, in head sizes. */
const capRadius = 0.56

/** Mends what the layout found to show. Works in place. */
export function mendBorders(
  frame: Frame,
  photo: MendedPhoto,
  toPicture: Similarity,
  mends: readonly MendedCut[],
): void {
  for (const side of ['leftShoulder', 'rightShoulder'] as const) {
    if (mends.includes(side)) roundShoulder(frame, photo, toPicture, side)
  }
  if (!mends.includes('cap')) return
  for (const head of photo.heads) completeCap(frame, head, toPicture)
}

/**
 * A shoulder that the photo's side cuts off would end in a corner and a straight line. Its corner
 * is rounded to the outline of an upper arm, a little darker towards the edge.
 */
function roundShoulder(
  { image, alpha }: Frame,
  { head, width, height }: MendedPhoto,
  toPicture: Similarity,
  side: 'leftShoulder' | 'rightShoulder',
): void {
  const { size } = head
  const across = roundAcross * size
  const down = roundDown * size
  const border = side === 'leftShoulder' ? 0 : width
  const inwards = side === 'leftShoulder' ? 1 : -1
  const alphaAt = (point: Point): number => {
    const { x, y } = applySimilarity(toPicture, point)
    const column = Math.floor(x)
    const row = Math.floor(y)
    const isInside = column >= 0 && row >= 0 && column < alpha.width && row < alpha.height
    return isInside ? alpha.data[row * alpha.width + column]! : 0
  }
  const perPixel = 1 / similarityScale(toPicture)
  const edge = border + inwards * 3 * perPixel
  // Where the shoulder's line enters the part that is rounded.
  let top = head.chin.y
  while (top < height && alphaAt({ x: edge + inwards * across, y: top }) < 128) top += perPixel
  const toPhoto = invertSimilarity(toPicture)
  const corner = { x: across * 2, y: (height - head.chin.y) * 2 }
  const from = applySimilarity(toPicture, { x: border, y: height })
  for (const [x, y, i] of pixelsAround(alpha, from, corner, similarityScale(toPicture))) {
    if (alpha.data[i] === 0) continue
    const at = applySimilarity(toPhoto, { x: x + 0.5, y: y + 0.5 })
    const fromEdge = (at.x - edge) * inwards
    if (fromEdge >= across || at.y < head.chin.y) continue
    const u = (across - fromEdge) / across
    const v = Math.max(0, (top + down - at.y) / down)
    // Distance to the ellipse's outline, in pixels of the picture.
    const inside = ((1 - Math.hypot(u, v)) * across) / perPixel
    alpha.data[i]! *= clamp(inside / 1.6, 0, 1)
    const shade = 1 - clamp((inside * perPixel) / (shadeAcross * size), 0, 1)
    for (let c = 0; c < 3; c++) image.data[i * 3 + c]! *= 1 - shadeMost * shade * shade
  }
}

/**
 * Hair whose top the photo cuts off gets the missing cap of a circle, filled with the mirror image
 * of the hair below the border.
 */
function completeCap({ image, alpha }: Frame, head: MendedHead, toPicture: Similarity): void {
  const scale = similarityScale(toPicture)
  const border = 2 / scale
  const isHair = (x: number): boolean => {
    const at = applySimilarity(toPicture, { x, y: border })
    const [column, row] = [Math.floor(at.x), Math.floor(at.y)]
    const isInside = column >= 0 && row >= 0 && column < alpha.width && row < alpha.height
    return isInside && alpha.data[row * alpha.width + column]! > 127
  }
  const chord = widestRun(head.centre.x - head.size, head.centre.x + head.size, 1 / scale, isHair)
  if (!chord) return
  const middle = (chord.from + chord.to) / 2
  const half = (chord.to - chord.from) / 2
  const radius = Math.max(capRadius * head.size, half)
  const rise = Math.sqrt(radius * radius - half * half)
  const toPhoto = invertSimilarity(toPicture)
  const centre = applySimilarity(toPicture, { x: middle, y: 0 })
  const reach = { x: half * 2.4, y: (radius - rise) * 4 + 8 / scale }
  for (const [x, y, i] of pixelsAround(alpha, centre, reach, scale)) {
    const at = applySimilarity(toPhoto, { x: x + 0.5, y: y + 0.5 })
    const above = border - at.y
    if (above <= 0) continue
    // Distance to the circle's outline, in pixels of the picture.
    const inside = (radius - Math.hypot(at.x - middle, above + rise)) * scale
    if (inside <= 0) continue
    const mirrored = applySimilarity(toPicture, { x: at.x, y: border + above })
    const [column, row] = [Math.floor(mirrored.x), Math.floor(mirrored.y)]
    if (column < 0 || row < 0 || column >= alpha.width || row >= alpha.height) continue
    const from = row * alpha.width + column
    alpha.data[i] = alpha.data[from]! * clamp(inside / 2.5, 0, 1)
    for (let c = 0; c < 3; c++) image.data[i * 3 + c] = image.data[from * 3 + c]!
  }
}

/** The longest stretch of an axis on which something holds. */
function widestRun(
  from: number,
  to: number,
  step: number,
  holds: (x: number) => boolean,
): { from: number; to: number } | undefined {
  let best: { from: number; to: number } | undefined
  let start: number | undefined
  for (let x = from; x <= to; x += step) {
    if (holds(x)) start ??= x
    else if (start !== undefined) {
      if (!best || x - start > best.to - best.from) best = { from: start, to: x }
      start = undefined
    }
  }
  return best
}

/** The pixels within a distance (of the photo) of a point, from the top: x, y and index. */
function* pixelsAround(
  { width, height }: { width: number; height: number },
  centre: Point,
  reach: Point,
  scale: number,
): Generator<readonly [number, number, number]> {
  const left = clamp(Math.floor(centre.x - reach.x * scale), 0, width)
  const right = clamp(Math.ceil(centre.x + reach.x * scale), 0, width)
  const top = clamp(Math.floor(centre.y - reach.y * scale), 0, height)
  const bottom = clamp(Math.ceil(centre.y + reach.y * scale), 0, height)
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) yield [x, y, y * width + x]
  }
}
