import { levelFor } from './pyramid.ts'
import type { Pyramid } from './pyramid.ts'
import type { Rect } from './raster.ts'
import { sampleRegion } from './sample-region.ts'

/** Stretches a region, as segmentation was trained: interleaved RGB 0…1, `size × size × 3`. */
export function warpStretched(photo: Pyramid, region: Rect, size: number): Float32Array {
  const perPixel = Math.sqrt(region.width * region.height) / size
  const level = levelFor(photo, perPixel)
  return sampleRegion(
    photo.levels[level]!,
    scaleRect(region, 1 / 2 ** level),
    [size, size],
    1 / 255,
  )
}

/** A rectangle in an image of another size. */
export function scaleRect({ x, y, width, height }: Rect, scale: number): Rect {
  return { x: x * scale, y: y * scale, width: width * scale, height: height * scale }
}
