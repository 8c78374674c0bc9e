import { clamp } from './raster.ts'
import type { Plane } from './raster.ts'
import { sampleRegion } from './sample-region.ts'

/** Bilinear value of a plane at a point in its pixel coordinates; the edge is repeated. */
export function samplePlane(plane: Plane, x: number, y: number): number {
  const { data, width } = plane
  const lastX = width - 1
  const lastY = plane.height - 1
  const sx = clamp(x - 0.5, 0, lastX)
  const sy = clamp(y - 0.5, 0, lastY)
  // Never negative, so cutting is rounding down.
  const x0 = sx | 0
  const y0 = sy | 0
  const at = y0 * width + x0
  const right = x0 < lastX ? at + 1 : at
  const below = y0 < lastY ? width : 0
  const fx = sx - x0
  const top = data[at]! * (1 - fx) + data[right]! * fx
  const bottom = data[at + below]! * (1 - fx) + data[right + below]! * fx
  return top + (bottom - top) * (sy - y0)
}

/** Bilinear resize; pixel centres stay where they are in relation to the whole. */
export function resizePlane(plane: Plane, width: number, height: number): Plane {
  const whole = { x: 0, y: 0, width: plane.width, height: plane.height }
  return { data: sampleRegion(plane, whole, [width, height]), width, height }
}
