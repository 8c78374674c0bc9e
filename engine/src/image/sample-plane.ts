import { clamp, createPlane } from './raster.ts'
import type { Plane } from './raster.ts'

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
  const result = createPlane(width, height)
  const stepX = plane.width / width
  const stepY = plane.height / height
  const left = new Int32Array(width)
  const right = new Int32Array(width)
  const fraction = new Float32Array(width)
  for (let x = 0; x < width; x++) {
    const sx = clamp((x + 0.5) * stepX - 0.5, 0, plane.width - 1)
    left[x] = Math.floor(sx)
    right[x] = Math.min(left[x]! + 1, plane.width - 1)
    fraction[x] = sx - left[x]!
  }
  const { data } = plane
  for (let y = 0; y < height; y++) {
    const sy = clamp((y + 0.5) * stepY - 0.5, 0, plane.height - 1)
    const y0 = Math.floor(sy)
    const fy = sy - y0
    const top = y0 * plane.width
    const below = Math.min(y0 + 1, plane.height - 1) * plane.width
    for (let x = 0, out = y * width; x < width; x++, out++) {
      const l = left[x]!
      const r = right[x]!
      const fx = fraction[x]!
      const a = data[top + l]! * (1 - fx) + data[top + r]! * fx
      const b = data[below + l]! * (1 - fx) + data[below + r]! * fx
      result.data[out] = a * (1 - fy) + b * fy
    }
  }
  return result
}
