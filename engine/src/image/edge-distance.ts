import { createPlane } from './raster.ts'
import type { Plane } from './raster.ts'

/**
 * Distance in pixels to where a matte crosses 0.5, by chamfer steps of 1 and √2 in two passes.
 * Source: Borgefors, "Distance Transformations in Digital Images", CVGIP 1986.
 */
export function edgeDistance(matte: Plane): Plane {
  const { width, height } = matte
  const away = createPlane(width, height)
  for (let y = 0; y < height; y++) markEdges(matte, away.data, y)
  for (let y = 1; y < height; y++) passDown(away.data, width, y)
  for (let y = height - 2; y >= 0; y--) passUp(away.data, width, y)
  return away
}

/** 1 at every pixel of a row whose neighbour is on the other side of 0.5, infinite elsewhere. */
function markEdges({ data, width, height }: Plane, distances: Float32Array, y: number): void {
  for (let x = 0, i = y * width; x < width; x++, i++) {
    const inside = data[i]! > 0.5
    const atRight = x < width - 1 && data[i + 1]! > 0.5 !== inside
    const atLeft = x > 0 && data[i - 1]! > 0.5 !== inside
    const below = y < height - 1 && data[i + width]! > 0.5 !== inside
    const above = y > 0 && data[i - width]! > 0.5 !== inside
    distances[i] = atRight || atLeft || below || above ? 1 : Infinity
  }
}

function passDown(distances: Float32Array, width: number, y: number): void {
  for (let x = 0, i = y * width; x < width; x++, i++) {
    distances[i] = nearest(distances, width, i, x, -1)
  }
}

function passUp(distances: Float32Array, width: number, y: number): void {
  for (let x = width - 1, i = y * width + x; x >= 0; x--, i--) {
    distances[i] = nearest(distances, width, i, x, 1)
  }
}

/**
 * The least distance by way of the neighbours that one pass has already been at.
 * @param direction −1 for those above and left, 1 for those below and right
 */
function nearest(
  distances: Float32Array,
  width: number,
  i: number,
  x: number,
  direction: -1 | 1,
): number {
  const line = i + direction * width
  const hasNext = direction < 0 ? x > 0 : x < width - 1
  let least = Math.min(distances[i]!, distances[line]! + 1)
  if (hasNext) least = Math.min(least, distances[i + direction]! + 1)
  if (x > 0) least = Math.min(least, distances[line - 1]! + Math.SQRT2)
  if (x < width - 1) least = Math.min(least, distances[line + 1]! + Math.SQRT2)
  return least
}
