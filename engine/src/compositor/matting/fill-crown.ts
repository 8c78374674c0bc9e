import type { HeadMeasure } from '../faces/measure-head.ts'
import { clamp } from '../../image/raster.ts'
import type { BytePlane, Point } from '../../image/raster.ts'
import { applySimilarity, similarityScale } from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'

/** A photo that ends less than this above the middle of the face cuts the head, in head sizes. */
const crownHeight = 0.82
/** So far to both sides of the middle of the face it is surely head or hair, in head sizes. */
const crownAside = 0.48
/** The same at the photo's border, where a head gets narrower. */
const crownAsideAbove = 0.36
/** In a face with a larger yaw than this the middle of the head lies elsewhere. */
const yawMax = (35 * Math.PI) / 180

/** Whether a photo cuts off the top of a head that looks at the camera. */
function isCrownCut({ centre, size, yaw }: HeadMeasure): boolean {
  return centre.y <= crownHeight * size && Math.abs(yaw) <= yawMax
}

/**
 * The part of a head between eyes and the photo's upper border, where its photo cuts it off there: no
 * background shows in it, whatever its colours are like. In pixels of the photo.
 */
export function crownOf(head: HeadMeasure): Point[] {
  if (!isCrownCut(head)) return []
  const { centre, eyes, size } = head
  return [
    { x: centre.x - crownAsideAbove * size, y: 0 },
    { x: centre.x + crownAsideAbove * size, y: 0 },
    { x: centre.x + crownAside * size, y: eyes.y },
    { x: centre.x - crownAside * size, y: eyes.y },
  ]
}

/**
 * Closes gaps in a head that its photo cuts off above the forehead, in place: what lies between hair
 * on both sides is head. Where the photo's border is so near, the networks take it for background,
 * and nothing else tells, as the gap is open towards the border.
 * @param toAlpha from the photo's pixels to the matte's
 */
export function fillCrown(alpha: BytePlane, head: HeadMeasure, toAlpha: Similarity): void {
  if (!isCrownCut(head)) return
  const { x: middle } = applySimilarity(toAlpha, head.centre)
  const { y: bottom } = applySimilarity(toAlpha, head.foreheadTop)
  const aside = crownAside * head.size * similarityScale(toAlpha)
  const from = clamp(Math.round(middle - aside), 0, alpha.width)
  const to = clamp(Math.round(middle + aside), 0, alpha.width)
  for (let y = 0; y < Math.min(bottom, alpha.height); y++) {
    fillBetween(alpha.data.subarray(y * alpha.width + from, y * alpha.width + to))
  }
}

/** Fills what lies between the outermost opaque pixels of both halves of a row. */
function fillBetween(row: Uint8Array): void {
  const half = row.length >> 1
  const first = row.findIndex(isOpaque)
  const last = row.findLastIndex(isOpaque)
  if (first >= 0 && first < half && last > half) row.fill(255, first, last)
}

const isOpaque = (value: number): boolean => value >= 128
