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
  for (let y = 0, out = 0; y < size; y++) {
    const sy = clamp(
      (region.y + ((y + 0.5) * region.height) / size) * shrink - 0.5,
      0,
      image.height - 1,
    )
    const y0 = Math.floor(sy)
    const fy = sy - y0
    const top = y0 * image.width * 3
    const below = Math.min(y0 + 1, image.height - 1) * image.width * 3
    for (let x = 0; x < size; x++, out += 3) {
      const sx = clamp(
        (region.x + ((x + 0.5) * region.width) / size) * shrink - 0.5,
        0,
        image.width - 1,
      )
      const x0 = Math.floor(sx)
      const fx = sx - x0
      const l = x0 * 3
      const r = Math.min(x0 + 1, image.width - 1) * 3
      for (let c = 0; c < 3; c++) {
        const a = source[top + l + c]! * (1 - fx) + source[top + r + c]! * fx
        const b = source[below + l + c]! * (1 - fx) + source[below + r + c]! * fx
        result[out + c] = (a * (1 - fy) + b * fy) / 255
      }
    }
  }
  return result
}
