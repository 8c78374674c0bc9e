import type { HeadMeasure } from '../faces/measure-head.ts'
import type { MendedCut } from '../layout/layout-cost.ts'
import { clamp } from '../../image/raster.ts'
import type { Point } from '../../image/raster.ts'
import type { Frame } from '../shared-frames.ts'
import { applySimilarity, invertSimilarity, similarityScale } from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'
import { completeCap } from './complete-cap.ts'
import { edgePixels, pixelsAround } from './pixels-around.ts'

/** What the mending has to know of the person and the photo; pixels of the photo. */
export interface MendedPhoto {
  /** All heads as one, and each of them. */
  head: MendedHead
  heads: readonly MendedHead[]
  width: number
  height: number
}

type MendedHead = Pick<HeadMeasure, 'centre' | 'size' | 'chin' | 'foreheadTop'>

/** Half axes of the ellipse that rounds a shoulder, in head sizes. */
const roundAcross = 0.36
const roundDown = 1.3
/** Beside hair that comes nearer to the photo's side than this (head sizes) nothing is rounded. */
const roundAcrossMin = 0.06
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

/** Rounds a shoulder that the photo's side cuts off like an upper arm. */
function roundShoulder(
  { alpha }: Frame,
  { head, width, height }: MendedPhoto,
  toPicture: Similarity,
  side: 'leftShoulder' | 'rightShoulder',
): void {
  const { size } = head
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
  // Long hair beside the chin is no shoulder: the round begins outside of it.
  let across = roundAcross * size
  const isHair = (): boolean => alphaAt({ x: edge + inwards * across, y: head.chin.y }) >= 128
  while (across > roundAcrossMin * size && isHair()) across -= perPixel
  if (isHair()) return
  const down = (roundDown / roundAcross) * across
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
    alpha.data[i]! *= clamp(inside / edgePixels, 0, 1)
  }
}
