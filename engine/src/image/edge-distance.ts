import { createPlane } from './raster.ts'
import type { Plane } from './raster.ts'

/**
 * Distance in pixels to where a matte crosses 0.5, by chamfer steps of 1 and √2 in two passes.
 * Source: Borgefors, "Distance Transformations in Digital Images", CVGIP 1986.
 */
export function edgeDistance({ data, width, height }: Plane): Plane {
  const away = createPlane(width, height)
  const distances = away.data
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const inside = data[i]! > 0.5
      const atRight = x < width - 1 && data[i + 1]! > 0.5 !== inside
      const atLeft = x > 0 && data[i - 1]! > 0.5 !== inside
      const below = y < height - 1 && data[i + width]! > 0.5 !== inside
      const above = y > 0 && data[i - width]! > 0.5 !== inside
      distances[i] = atRight || atLeft || below || above ? 1 : Infinity
    }
  }
  const nearer = (i: number, x: number, line: number, next: number): number => {
    let least = Math.min(distances[i]!, distances[i + next]! + 1)
    least = Math.min(least, distances[i + line]! + 1)
    if (x > 0) least = Math.min(least, distances[i + line - 1]! + Math.SQRT2)
    if (x < width - 1) least = Math.min(least, distances[i + line + 1]! + Math.SQRT2)
    return least
  }
  for (let y = 1; y < height; y++) {
    for (let x = 0, i = y * width; x < width; x++, i++) {
      distances[i] = nearer(i, x, -width, x > 0 ? -1 : 0)
    }
  }
  for (let y = height - 2; y >= 0; y--) {
    for (let x = width - 1, i = y * width + x; x >= 0; x--, i--) {
      distances[i] = nearer(i, x, width, x < width - 1 ? 1 : 0)
    }
  }
  return away
}
