import type { Pyramid } from './pyramid.ts'
import { clamp } from './raster.ts'
import type { Rect } from './raster.ts'

/**
 * A region of a photo stretched to a square, as the segmentation network was trained.
 * @returns interleaved RGB 0…1, `size × size × 3`
 */
export function warpStretched(photo: Pyramid, region: Rect, size: number): Float32Array {
  const perPixel = Math.sqrt(region.width * region.height) / size
  const level = Math.min(
    Math.floor(Math.log2(Math.max(perPixel, 1)) + 0.25),
    photo.levels.length - 1,
  )
  const image = photo.levels[level]!
  const shrink = 1 / 2 ** level
  const result = new Float32Array(size * size * 3)
  const source = image.data
  const columns = placesOnLine(region.x * shrink, (region.width * shrink) / size, size, image.width)
  const rows = placesOnLine(region.y * shrink, (region.height * shrink) / size, size, image.height)
  const stride = image.width * 3
  for (let y = 0; y < size; y++) {
    const row = {
      top: rows.first[y]! * stride,
      below: rows.second[y]! * stride,
      share: rows.share[y]!,
    }
    mixRow(source, row, columns, result.subarray(y * size * 3, (y + 1) * size * 3))
  }
  return result
}

/** Two rows of the source mixed, at all columns of the result. */
function mixRow(
  source: Uint8Array,
  { top, below, share: fy }: { top: number; below: number; share: number },
  columns: SampledLine,
  result: Float32Array,
): void {
  for (let x = 0, out = 0; out < result.length; x++, out += 3) {
    const l = columns.first[x]! * 3
    const r = columns.second[x]! * 3
    const fx = columns.share[x]!
    // Weights of the four neighbours, with the division to 0…1 in them.
    const w11 = (fx * fy) / 255
    const w10 = fy / 255 - w11
    const w01 = fx / 255 - w11
    const w00 = 1 / 255 - w10 - fx / 255
    const a = top + l
    const b = top + r
    const c = below + l
    const d = below + r
    result[out] = source[a]! * w00 + source[b]! * w01 + source[c]! * w10 + source[d]! * w11
    result[out + 1] =
      source[a + 1]! * w00 + source[b + 1]! * w01 + source[c + 1]! * w10 + source[d + 1]! * w11
    result[out + 2] =
      source[a + 2]! * w00 + source[b + 2]! * w01 + source[c + 2]! * w10 + source[d + 2]! * w11
  }
}

/** The two neighbours of every sample on one axis, and the share of the second. */
interface SampledLine {
  first: Int32Array
  second: Int32Array
  share: Float64Array
}

function placesOnLine(start: number, step: number, count: number, length: number): SampledLine {
  const first = new Int32Array(count)
  const second = new Int32Array(count)
  const share = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    const place = clamp(start + (i + 0.5) * step - 0.5, 0, length - 1)
    first[i] = Math.floor(place)
    second[i] = Math.min(first[i]! + 1, length - 1)
    share[i] = place - first[i]!
  }
  return { first, second, share }
}
