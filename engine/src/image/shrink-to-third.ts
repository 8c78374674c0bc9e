import { kernels, openArena } from './kernels.ts'
import { createRgb } from './raster.ts'
import type { RgbImage } from './raster.ts'

/** Rows of the result that are made at once; all of them would need much memory a second time. */
const rowsAtOnce = 32

/** Box average over squares of 3×3 pixels; what remains at the right and bottom is dropped. */
export function shrinkToThird(image: RgbImage): RgbImage {
  const width = Math.floor(image.width / 3)
  const height = Math.floor(image.height / 3)
  const small = createRgb(width, height)
  const stride = image.width * 3
  const arena = openArena()
  const source = arena.allocate(3 * rowsAtOnce * stride)
  const target = arena.allocate(rowsAtOnce * width * 3)
  for (let y = 0; y < height; y += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, height - y)
    const from = 3 * y * stride
    const above = image.data.subarray(from, from + 3 * rows * stride)
    arena.bytes(source, above.length).set(above)
    kernels.shrinkToThird(source, image.width, target, width, rows)
    small.data.set(arena.bytes(target, rows * width * 3), y * width * 3)
  }
  return small
}
