import { gaussianBlur } from '../../image/box-blur.ts'
import { createPlane } from '../../image/raster.ts'
import type { BytePlane, Plane } from '../../image/raster.ts'
import { releaseMemory } from '../../release-memory.ts'
import { shrinkFor } from '../small-planes.ts'

/** How many times smaller shadows are made. */
const usualShrink = 8

/** A person's matte in the picture, and how large their head is there, in pixels. */
interface Outline {
  alpha: BytePlane
  headSize: number
}

/** Of a shadow, in head sizes (standard deviation). */
const softness = 0.14
/** The shadow of one person on whoever stands behind, 0…1, at a part of the picture's size. */
export function createShadow({ alpha, headSize }: Outline): Plane {
  const shrink = shrinkFor(usualShrink, alpha)
  const small = shrinkAlpha(alpha, shrink)
  const shadow = gaussianBlur(small, (softness * headSize) / shrink)
  releaseMemory(small.data)
  return shadow
}

/** Box average; outside of the picture a person goes on, so its border throws no light. */
function shrinkAlpha(alpha: BytePlane, shrink: number): Plane {
  const result = createPlane(Math.ceil(alpha.width / shrink), Math.ceil(alpha.height / shrink))
  for (let y = 0, i = 0; y < result.height; y++) {
    for (let x = 0; x < result.width; x++, i++) {
      result.data[i] = meanOfSquare(alpha, x * shrink, y * shrink, shrink)
    }
  }
  return result
}

/** Of every other pixel in both directions. */
function meanOfSquare(
  { data, width, height }: BytePlane,
  left: number,
  top: number,
  shrink: number,
): number {
  let sum = 0
  for (let dy = 1; dy < shrink; dy += 2) {
    const row = Math.min(top + dy, height - 1) * width
    for (let dx = 1; dx < shrink; dx += 2) sum += data[row + Math.min(left + dx, width - 1)]!
  }
  return sum / (255 * (shrink / 2) ** 2)
}
