import { clamp } from '../../image/raster.ts'
import type { Point } from '../../image/raster.ts'

/** Over so many pixels of the picture a drawn outline is soft. */
export const edgePixels = 2

/** The pixels within a distance (of the photo) of a point, from the top: x, y and index. */
export function* pixelsAround(
  { width, height }: { width: number; height: number },
  centre: Point,
  reach: Point,
  scale: number,
): Generator<readonly [number, number, number]> {
  const left = clamp(Math.floor(centre.x - reach.x * scale), 0, width)
  const right = clamp(Math.ceil(centre.x + reach.x * scale), 0, width)
  const top = clamp(Math.floor(centre.y - reach.y * scale), 0, height)
  const bottom = clamp(Math.ceil(centre.y + reach.y * scale), 0, height)
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) yield [x, y, y * width + x]
  }
}
