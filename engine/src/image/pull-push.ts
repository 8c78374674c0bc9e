import type { ColourPlanes } from './colour-planes.ts'
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
  const smallWidth = Math.max(1, (width + 1) >> 1)
  const smallHeight = Math.max(1, (height + 1) >> 1)
  const smallWeight = createPlane(smallWidth, smallHeight)
  const small: [Plane, Plane, Plane] = [
    createPlane(smallWidth, smallHeight),
    createPlane(smallWidth, smallHeight),
    createPlane(smallWidth, smallHeight),
  ]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const j = (y >> 1) * smallWidth + (x >> 1)
      const w = weight.data[i]!
      smallWeight.data[j]! += w
      for (let c = 0; c < 3; c++) small[c]!.data[j]! += planes[c]!.data[i]! * w
    }
  }
  for (let j = 0; j < smallWeight.data.length; j++) {
    const w = smallWeight.data[j]!
    if (w > 0) for (let c = 0; c < 3; c++) small[c]!.data[j]! /= w
    smallWeight.data[j] = Math.min(1, w)
  }
  const coarse = pullPush(small, smallWeight)
  const filled = planes.map(() => createPlane(width, height)) as [Plane, Plane, Plane]
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const w = weight.data[i]!
      for (let c = 0; c < 3; c++) {
        const own = planes[c]!.data[i]! * w
        filled[c]!.data[i] =
          w >= 1 ? own : own + samplePlane(coarse[c]!, (x + 0.5) / 2, (y + 0.5) / 2) * (1 - w)
      }
    }
  }
  return filled
}
