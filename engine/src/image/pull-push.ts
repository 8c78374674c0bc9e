import type { ColourPlanes } from './colour-planes.ts'
import { releaseMemory } from '../release-memory.ts'
import { createPlane } from './raster.ts'
import type { Plane } from './raster.ts'
import { samplePlane } from './sample-plane.ts'

/**
 * Fills the holes of a picture from their surroundings: averages of what is known are pulled up a
 * pyramid, then pushed back down where nothing is known.
 * Source: Gortler et al., "The Lumigraph", SIGGRAPH 1996, section 3.4 (pull-push).
 * @param weight 1 where the picture is known, 0 where it is not
 */
export function pullPush(planes: ColourPlanes, weight: Plane): ColourPlanes {
  const { width, height } = weight
  if (width <= 1 && height <= 1) return planes
  const smallWeight = createPlane(Math.max(1, (width + 1) >> 1), Math.max(1, (height + 1) >> 1))
  for (let y = 0; y < height; y++) addWeights(weight, smallWeight, y)
  const [red, green, blue] = planes
  const pull = (plane: Plane): Plane => pullPlane(plane, weight, smallWeight)
  const small: ColourPlanes = [pull(red), pull(green), pull(blue)]
  for (let j = 0; j < smallWeight.data.length; j++) {
    smallWeight.data[j] = Math.min(1, smallWeight.data[j]!)
  }
  const coarse = pullPush(small, smallWeight)
  const push = (plane: Plane, from: Plane): Plane => pushPlane(plane, weight, from)
  const filled = [push(red, coarse[0]), push(green, coarse[1]), push(blue, coarse[2])] as const
  for (const { data } of [smallWeight, ...small, ...coarse]) releaseMemory(data)
  return filled
}

function addWeights(weight: Plane, smallWeight: Plane, y: number): void {
  const row = (y >> 1) * smallWeight.width
  for (let x = 0, i = y * weight.width; x < weight.width; x++, i++) {
    smallWeight.data[row + (x >> 1)]! += weight.data[i]!
  }
}

/** Weighted means of 2×2 pixels. */
function pullPlane(plane: Plane, weight: Plane, smallWeight: Plane): Plane {
  const small = createPlane(smallWeight.width, smallWeight.height)
  for (let y = 0; y < plane.height; y++) pullRow(plane, weight, y, small)
  for (let j = 0; j < small.data.length; j++) {
    const w = smallWeight.data[j]!
    if (w > 0) small.data[j]! /= w
  }
  return small
}

function pullRow({ data, width }: Plane, { data: weights }: Plane, y: number, small: Plane): void {
  const sums = small.data
  const start = y * width
  const row = (y >> 1) * small.width
  for (let x = 0; x < width; x++) {
    sums[row + (x >> 1)]! += data[start + x]! * weights[start + x]!
  }
}

/** Takes from the coarse plane what isn't known. */
function pushPlane(plane: Plane, weight: Plane, coarse: Plane): Plane {
  const { width, height } = plane
  const filled = createPlane(width, height)
  for (let y = 0; y < height; y++) pushRow(plane, weight, coarse, y, filled.data)
  return filled
}

function pushRow(
  { data, width }: Plane,
  weight: Plane,
  coarse: Plane,
  y: number,
  filled: Float32Array,
): void {
  for (let x = 0, i = y * width; x < width; x++, i++) {
    const w = weight.data[i]!
    const own = data[i]! * w
    filled[i] = w >= 1 ? own : own + samplePlane(coarse, (x + 0.5) / 2, (y + 0.5) / 2) * (1 - w)
  }
}
