import { createPlane } from './raster.ts'
import type { Plane } from './raster.ts'

/** Mean over a square of `2·radius + 1`, cut at the rim; running sums, so its cost is one. */
export function boxBlur(plane: Plane, radius: number): Plane {
  const { width, height } = plane
  const across = createPlane(width, height)
  const result = createPlane(width, height)
  blurRows(plane.data, across.data, width, height, radius)
  blurColumns(across.data, result.data, width, height, radius)
  return result
}

function blurRows(
  source: Float32Array,
  target: Float32Array,
  width: number,
  height: number,
  radius: number,
): void {
  const reach = Math.min(radius, width - 1)
  for (let y = 0; y < height; y++) {
    const row = y * width
    let sum = 0
    for (let x = 0; x <= reach; x++) sum += source[row + x]!
    let count = reach + 1
    for (let x = 0; x < width; x++) {
      target[row + x] = sum / count
      if (x + radius + 1 < width) {
        sum += source[row + x + radius + 1]!
        count++
      }
      if (x - radius >= 0) {
        sum -= source[row + x - radius]!
        count--
      }
    }
  }
}

function blurColumns(
  source: Float32Array,
  target: Float32Array,
  width: number,
  height: number,
  radius: number,
): void {
  const sums = new Float64Array(width)
  const reach = Math.min(radius, height - 1)
  for (let y = 0; y <= reach; y++) {
    const row = y * width
    for (let x = 0; x < width; x++) sums[x]! += source[row + x]!
  }
  let count = reach + 1
  for (let y = 0; y < height; y++) {
    const row = y * width
    const share = 1 / count
    for (let x = 0; x < width; x++) target[row + x] = sums[x]! * share
    if (y + radius + 1 < height) {
      const next = (y + radius + 1) * width
      for (let x = 0; x < width; x++) sums[x]! += source[next + x]!
      count++
    }
    if (y - radius >= 0) {
      const last = (y - radius) * width
      for (let x = 0; x < width; x++) sums[x]! -= source[last + x]!
      count--
    }
  }
}

/**
 * A blur close to a Gaussian: three box blurs.
 * Source: Kovesi, "Fast Almost-Gaussian Filtering", DICTA 2010.
 * @param sigma standard deviation in pixels
 */
export function gaussianBlur(plane: Plane, sigma: number): Plane {
  if (sigma < 0.3) return plane
  const radius = Math.max(1, Math.round((Math.sqrt(4 * sigma * sigma + 1) - 1) / 2))
  return boxBlur(boxBlur(boxBlur(plane, radius), radius), radius)
}
