import type { BytePlane, RgbImage } from '../../image/raster.ts'
import { refineShrink } from './refine-matte.ts'

/**
 * Mends one pixel of an image.
 * @param at of its red
 * @returns how far it is all background, 0…1
 */
type MendPixel<Mixture> = (data: Uint8Array, at: number, mixture: Mixture) => number

/**
 * Mends the picture's pixels that are one pixel of the small photo, and opens those that are all
 * background. Works in place.
 * @param column of the small photo, as `row`
 * @param mixture what is known about that pixel
 */
export function mendSquare<Mixture>(
  image: RgbImage,
  alpha: BytePlane,
  column: number,
  row: number,
  mendPixel: MendPixel<Mixture>,
  mixture: Mixture,
): void {
  const bottom = Math.min((row + 1) * refineShrink, alpha.height)
  const right = Math.min((column + 1) * refineShrink, alpha.width)
  for (let y = row * refineShrink; y < bottom; y++) {
    for (let x = column * refineShrink; x < right; x++) {
      const at = y * alpha.width + x
      if (alpha.data[at] === 0) continue
      const opened = mendPixel(image.data, at * 3, mixture)
      if (opened > 0) alpha.data[at] = alpha.data[at]! * (1 - 0.95 * opened)
    }
  }
}
