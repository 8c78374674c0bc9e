import { applyGuidedCoefficients, guidedCoefficients } from './guided-filter.ts'
import type { BytePlane, Plane, RgbImage } from './raster.ts'

/** The filter's coefficients are found at a third of the size and applied at the full one. */
export const refineShrink = 3
/** Window of the filter, in head sizes. */
const windowSize = 0.045
/** How smooth the filter is; small, so that single strands of hair count as edges. */
const epsilon = 1e-5
/** A guided matte never quite reaches its ends: what lies beyond these is background or person. */
const levels = [0.12, 0.88] as const

/**
 * Brings a soft, coarse matte onto the edges of the photo.
 * @param image the photo in the picture's frame
 * @param coarse the network's matte over the same frame, `refineShrink` times smaller (rounded down)
 * @param headSize in pixels of the picture
 */
export function refineMatte(image: RgbImage, coarse: Plane, headSize: number): BytePlane {
  const small = shrinkRgb(image, refineShrink)
  const radius = Math.max(2, Math.round((headSize * windowSize) / refineShrink))
  const coefficients = guidedCoefficients(small, coarse, radius, epsilon)
  return applyGuidedCoefficients(image, coefficients, levels[0], levels[1])
}

/** Box average over squares of `factor`; what remains at the right and bottom is dropped. */
export function shrinkRgb(image: RgbImage, factor: number): RgbImage {
  const width = Math.floor(image.width / factor)
  const height = Math.floor(image.height / factor)
  const data = new Uint8Array(width * height * 3)
  const share = 1 / (factor * factor)
  for (let y = 0, out = 0; y < height; y++) {
    for (let x = 0; x < width; x++, out += 3) {
      let r = 0
      let g = 0
      let b = 0
      for (let dy = 0; dy < factor; dy++) {
        let at = ((y * factor + dy) * image.width + x * factor) * 3
        for (let dx = 0; dx < factor; dx++, at += 3) {
          r += image.data[at]!
          g += image.data[at + 1]!
          b += image.data[at + 2]!
        }
      }
      data[out] = r * share + 0.5
      data[out + 1] = g * share + 0.5
      data[out + 2] = b * share + 0.5
    }
  }
  return { data, width, height }
}
