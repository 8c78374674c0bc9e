import type { FaceMesh } from '../faces/face-mesh.ts'
import type { HeadMeasure } from '../faces/measure-head.ts'
import type { Pyramid } from '../../image/pyramid.ts'
import type { RgbImage } from '../../image/raster.ts'
import { linearOfSrgb } from '../../image/srgb.ts'
import { triangleCount } from './face-surface.ts'
import { faceTriangles } from './face-triangles.ts'

/** Mean linear red, green and blue of each triangle of a face, 0…1, three numbers each. */
export type FaceSamples = Float64Array

/** The size at which a face is sampled, in pixels of its head. */
const headPixels = 180

/** Averages the photo over the triangles of a face. */
export function sampleFace(photo: Pyramid, mesh: FaceMesh, head: HeadMeasure): FaceSamples {
  const wanted = Math.round(Math.log2(head.size / headPixels))
  const level = Math.min(Math.max(0, wanted), photo.levels.length - 1)
  const image = photo.levels[level]!
  const scale = image.width / photo.levels[0]!.width
  const samples = new Float64Array(triangleCount * 3)
  const corners = new Float64Array(6)
  for (let t = 0; t < triangleCount; t++) {
    for (let k = 0; k < 3; k++) {
      const at = faceTriangles[t * 3 + k]! * 3
      corners[k * 2] = mesh.points[at]! * scale
      corners[k * 2 + 1] = mesh.points[at + 1]! * scale
    }
    addTriangle(image, corners, samples, t * 3)
  }
  return samples
}

/** The mean over the pixels whose centres lie in the triangle; its own centre where none does. */
function addTriangle(
  image: RgbImage,
  corners: Float64Array,
  samples: Float64Array,
  at: number,
): void {
  const [ax, ay, bx, by, cx, cy] = corners as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const { width, height, data } = image
  const left = Math.max(0, Math.floor(Math.min(ax, bx, cx)))
  const right = Math.min(width - 1, Math.ceil(Math.max(ax, bx, cx)))
  const top = Math.max(0, Math.floor(Math.min(ay, by, cy)))
  const bottom = Math.min(height - 1, Math.ceil(Math.max(ay, by, cy)))
  const sign = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) < 0 ? -1 : 1
  let r = 0
  let g = 0
  let b = 0
  let count = 0
  const add = (x: number, y: number): void => {
    const pixel = (y * width + x) * 3
    r += linearOfSrgb[data[pixel]!]!
    g += linearOfSrgb[data[pixel + 1]!]!
    b += linearOfSrgb[data[pixel + 2]!]!
    count++
  }
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const px = x + 0.5
      const py = y + 0.5
      const inside =
        sign * ((bx - ax) * (py - ay) - (by - ay) * (px - ax)) >= 0 &&
        sign * ((cx - bx) * (py - by) - (cy - by) * (px - bx)) >= 0 &&
        sign * ((ax - cx) * (py - cy) - (ay - cy) * (px - cx)) >= 0
      if (inside) add(x, y)
    }
  }
  if (count === 0) {
    const within = (value: number, size: number): number =>
      Math.min(Math.max(Math.floor(value), 0), size - 1)
    add(within((ax + bx + cx) / 3, width), within((ay + by + cy) / 3, height))
  }
  samples[at] = r / count
  samples[at + 1] = g / count
  samples[at + 2] = b / count
}
