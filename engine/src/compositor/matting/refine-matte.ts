import { releaseMemory } from '../../release-memory.ts'
import { applyGuidedCoefficients, guidedCoefficients } from '../../image/guided-filter.ts'
import { shrinkToThird } from '../../image/shrink-to-third.ts'
import type { BytePlane, Plane, RgbImage } from '../../image/raster.ts'

/** The filter's coefficients are found at a third of the size and applied at the full one. */
export const refineShrink = 3
/** Window of the filter, in head sizes; twice as far it takes up what has the person's colours, as letters on a wall. */
const windowSize = 0.03
/** How smooth the filter is: strands of hair count as edges, noise and blocks of compression don't. */
const epsilon = 1e-4
/** A guided matte never quite reaches its ends: what is so near to them is background or person. */
const nearEnd = 0.18

/**
 * Brings a soft, coarse matte onto the edges of the photo by a guided filter.
 * @param image the photo in the picture's frame
 * @param coarse the network's matte over it, `refineShrink` times smaller (rounded down)
 * @param headSize in pixels of the picture
 */
export function refineMatte(image: RgbImage, coarse: Plane, headSize: number): BytePlane {
  const small = shrinkToThird(image)
  const radius = Math.max(2, Math.round((headSize * windowSize) / refineShrink))
  const coefficients = guidedCoefficients(small, coarse, radius, epsilon)
  const refined = applyGuidedCoefficients(image, coefficients, nearEnd, 1 - nearEnd)
  releaseMemory(small.data, coefficients.data)
  return refined
}
