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

/** Averages every 2×2 pixels; an odd last row or column is dropped. */
export function halve(image: RgbImage): RgbImage {
  const width = image.width >> 1
  const height = image.height >> 1
  const half = createRgb(width, height)
  const source = image.data
  const target = half.data
  const stride = image.width * 3
  for (let y = 0, out = 0; y < height; y++) {
    let at = y * 2 * stride
    let below = at + stride
    for (let x = 0; x < width; x++) {
      target[out] = (source[at]! + source[at + 3]! + source[below]! + source[below + 3]! + 2) >> 2
      target[out + 1] =
        (source[at + 1]! + source[at + 4]! + source[below + 1]! + source[below + 4]! + 2) >> 2
      target[out + 2] =
        (source[at + 2]! + source[at + 5]! + source[below + 2]! + source[below + 5]! + 2) >> 2
      at += 6
      below += 6
      out += 3
    }
  }
  return half
}
