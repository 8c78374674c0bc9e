import { releaseMemory } from '../../release-memory.ts'
import { applyGuidedCoefficients, guidedCoefficients } from '../../image/guided-filter.ts'
import { dropHalo } from './drop-halo.ts'
import { openHair } from './open-hair.ts'
import type { HairColours, HairRegion } from './hair-colours.ts'
import { createPlane } from '../../image/raster.ts'
import { shrinkToThird } from '../../image/shrink-to-third.ts'
import type { BytePlane, Plane, RgbImage } from '../../image/raster.ts'
import { solveMatte } from './solve-matte.ts'

/** The filter's coefficients are found at a third of the size and applied at the full one. */
export const refineShrink = 3
/** Window of the filter that finds the edge, in head sizes. */
const windowSize = 0.045
/** Window of the filter that brings the solved matte to the full size, in head sizes. */
const fineWindowSize = 0.02
/** How smooth the filter is; small, so that single strands of hair count as edges. */
const epsilon = 1e-5
/** A guided matte never quite reaches its ends: what lies beyond these is background or person. */
const levels = [0.12, 0.88] as const
/** The same for the solved matte, which is nearer to its ends. */
const fineLevels = [0.06, 0.94] as const

/**
 * Brings a soft, coarse matte onto the edges of the photo: a guided filter finds them, a band
 * about them is solved as one, and a finer filter brings the solution to the full size.
 * @param image the photo in the picture's frame
 * @param coarse the network's matte over the same frame, `refineShrink` times smaller (rounded
 * down)
 * @param headSize in pixels of the picture
 * @param hairIn where hair may be opened in a matte of a size, head by head; undefined leaves it
 * closed
 * @returns the matte, and the colours about the hair where it was examined
 */
export function refineMatte(
  image: RgbImage,
  coarse: Plane,
  headSize: number,
  hairIn?: (width: number, height: number) => readonly HairRegion[],
): { alpha: BytePlane; hair: HairColours[] } {
  const small = shrinkToThird(image)
  const found = filterMatte(small, small, coarse, radiusOf(windowSize, headSize), levels)
  const matte = createPlane(small.width, small.height)
  for (let i = 0; i < matte.data.length; i++) matte.data[i] = found.data[i]! / 255
  const regions = hairIn?.(small.width, small.height) ?? []
  const hair = regions.flatMap((region) => openHair(small, matte, region) ?? [])
  for (const region of regions) dropHalo(image, small, matte, region)
  const solved = solveMatte(small, matte, headSize / refineShrink)
  releaseMemory(found.data, matte.data)
  const refined = filterMatte(image, small, solved, radiusOf(fineWindowSize, headSize), fineLevels)
  releaseMemory(small.data, solved.data)
  return { alpha: refined, hair }
}

function radiusOf(size: number, headSize: number): number {
  return Math.max(2, Math.round((headSize * size) / refineShrink))
}

/** A matte filtered at the small photo's size and applied to `image`. */
function filterMatte(
  image: RgbImage,
  small: RgbImage,
  matte: Plane,
  radius: number,
  [low, high]: readonly [number, number],
): BytePlane {
  const coefficients = guidedCoefficients(small, matte, radius, epsilon)
  const filtered = applyGuidedCoefficients(image, coefficients, low, high)
  releaseMemory(coefficients.data)
  return filtered
}
