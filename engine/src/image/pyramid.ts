import { kernels, openArena } from './kernels.ts'
import { createRgb } from './raster.ts'
import type { RgbImage } from './raster.ts'

/** An image and its halvings: `levels[n]` is `2 ** n` times smaller. */
export interface Pyramid {
  readonly levels: readonly RgbImage[]
}

/** Halves an image until its long side is at most 256 pixels (2×2 box average). */
export function buildPyramid(image: RgbImage): Pyramid {
  const levels = [image]
  let last = image
  while (Math.max(last.width, last.height) > 256 && Math.min(last.width, last.height) > 1) {
    last = halve(last)
    levels.push(last)
  }
  return { levels }
}

/** The coarsest halving that has at least about as many pixels (0.84) as a result at one for `perPixel` of the photo's. */
export function levelFor({ levels }: Pyramid, perPixel: number): number {
  return Math.min(Math.floor(Math.log2(Math.max(perPixel, 1)) + 0.25), levels.length - 1)
}

/** Rows that are halved at once; all of them together would need much memory a second time. */
const rowsAtOnce = 64

/** Averages every 2×2 pixels into `half`; an odd last row or column is dropped. */
export function halve(
  image: RgbImage,
  half: RgbImage = createRgb(image.width >> 1, image.height >> 1),
): RgbImage {
  const { width, height } = half
  const stride = image.width * 3
  const arena = openArena()
  const source = arena.allocate(2 * rowsAtOnce * stride)
  const target = arena.allocate(rowsAtOnce * width * 3)
  for (let y = 0; y < height; y += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, height - y)
    const above = image.data.subarray(2 * y * stride, 2 * (y + rows) * stride)
    arena.bytes(source, above.length).set(above)
    kernels.halve(source, image.width, target, width, rows)
    half.data.set(arena.bytes(target, rows * width * 3), y * width * 3)
  }
  return half
}
