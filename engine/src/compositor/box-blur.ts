import { createPlane } from './raster.ts'
import type { Plane } from './raster.ts'

/** Mean over a square of `2·radius + 1`, cut at the rim; running sums, so its cost is one. */
export function boxBlur(plane: Plane, radius: number): Plane {
  const { width, height } = plane
  const across = borrowScratch(width * height)
  const result = createPlane(width, height)
  blurRows(plane.data, across, width, height, radius)
  blurColumns(across, result.data, width, height, radius)
  return result
}

/** What lies between the two passes; kept, as fresh memory costs more than the sums. */
let scratch = new Float32Array(0)

function borrowScratch(length: number): Float32Array {
  if (scratch.length < length) scratch = new Float32Array(length)
  return scratch
}

/** One over the count of pixels under the window, for every place of a line. */
function sharesOf(length: number, radius: number): Float64Array {
  const shares = new Float64Array(length)
  for (let i = 0; i < length; i++) {
    shares[i] = 1 / (Math.min(length - 1, i + radius) - Math.max(0, i - radius) + 1)
  }
  return shares
}

/** Four rows at a time, as each sum waits for the one before it. */
function blurRows(
  source: Float32Array,
  target: Float32Array,
  width: number,
  height: number,
  radius: number,
): void {
  const shares = sharesOf(width, radius)
  const reach = Math.min(radius, width - 1)
  const inner = Math.max(0, Math.min(width, width - radius - 1))
  for (let y = 0; y < height; y += 4) {
    // At the lower end rows are done twice instead of not at all.
    const a = Math.min(y, Math.max(0, height - 4)) * width
    const b = height > 1 ? a + width : a
    const c = height > 2 ? b + width : a
    const d = height > 3 ? c + width : a
    let sumA = 0
    let sumB = 0
    let sumC = 0
    let sumD = 0
    for (let x = 0; x <= reach; x++) {
      sumA += source[a + x]!
      sumB += source[b + x]!
      sumC += source[c + x]!
      sumD += source[d + x]!
    }
    for (let x = 0; x < width; x++) {
      const share = shares[x]!
      target[a + x] = sumA * share
      target[b + x] = sumB * share
      target[c + x] = sumC * share
      target[d + x] = sumD * share
      if (x < inner) {
        const next = x + radius + 1
        sumA += source[a + next]!
        sumB += source[b + next]!
        sumC += source[c + next]!
        sumD += source[d + next]!
      }
      const last = x - radius
      if (last >= 0) {
        sumA -= source[a + last]!
        sumB -= source[b + last]!
        sumC -= source[c + last]!
        sumD -= source[d + last]!
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
  const shares = sharesOf(height, radius)
  for (let y = 0; y < height; y++) {
    const row = y * width
    const next = (y + radius + 1) * width
    const last = (y - radius) * width
    const share = shares[y]!
    const isInside = y + radius + 1 < height
    if (isInside && last >= 0) {
      for (let x = 0; x < width; x++) {
        const sum = sums[x]!
        target[row + x] = sum * share
        sums[x] = sum + source[next + x]! - source[last + x]!
      }
      continue
    }
    for (let x = 0; x < width; x++) target[row + x] = sums[x]! * share
    if (isInside) for (let x = 0; x < width; x++) sums[x]! += source[next + x]!
    if (last >= 0) for (let x = 0; x < width; x++) sums[x]! -= source[last + x]!
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
