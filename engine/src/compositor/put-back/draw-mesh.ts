import type { FaceMesh } from '../faces/face-mesh.ts'
import { leftEyeOutline, rightEyeOutline } from '../faces/face-mesh.ts'
import { faceTriangles } from './face-triangles.ts'
import { clamp, createPlane } from '../../image/raster.ts'
import type { Plane, Rect, RgbImage } from '../../image/raster.ts'
import type { PlacedMesh } from './place-mesh.ts'

/** The edge between lips, which the mesh leaves open as it does the eyes. */
const innerLips: readonly number[] = [
  78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308, 415, 310, 311, 312, 13, 82, 81, 80, 191,
]

/** All triangles of a face, eyes and mouth filled. */
const closedTriangles: readonly number[] = [
  ...faceTriangles,
  ...[leftEyeOutline, rightEyeOutline, innerLips].flatMap(fan),
]

function fan([first, ...rest]: readonly number[]): number[] {
  return rest.slice(1).flatMap((point, index) => [first!, rest[index]!, point])
}

/** A face drawn by its mesh into a window of a picture. */
export interface DrawnFace {
  /** Its corner in the picture; whole pixels. */
  window: Rect
  /** Colours of the face, 0…255; 0 beside it. */
  planes: readonly [Plane, Plane, Plane]
  /** How deep each pixel lies inside the face, 0…1; −1 beside it. */
  depth: Plane
}

/** A corner of a triangle: where it is drawn, what is drawn there, how deep it lies. */
interface Corner {
  x: number
  y: number
  sourceX: number
  sourceY: number
  depth: number
}

/** Draws a photo's face into the place of its points, triangle by triangle, sampled bilinearly. */
export function drawMesh(
  photo: RgbImage,
  mesh: FaceMesh,
  placed: PlacedMesh,
  rect: Rect,
): DrawnFace {
  const { width, height } = rect
  const planes = [0, 1, 2].map(() => createPlane(width, height)) as unknown as DrawnFace['planes']
  const depth = createPlane(width, height)
  depth.data.fill(-1)
  const drawn: DrawnFace = { window: rect, planes, depth }
  for (let t = 0; t < closedTriangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => cornerOf(mesh, placed, closedTriangles[t + k]!, rect))
    fillTriangle(photo, [a!, b!, c!], drawn)
  }
  return drawn
}

function cornerOf(mesh: FaceMesh, placed: PlacedMesh, index: number, rect: Rect): Corner {
  const { x, y } = placed.points[index]!
  return {
    x: x - rect.x,
    y: y - rect.y,
    sourceX: mesh.points[index * 3]!,
    sourceY: mesh.points[index * 3 + 1]!,
    depth: placed.depths[index]!,
  }
}

/** Pixels whose centre lies in the triangle; those on an edge are drawn by both neighbours alike. */
function fillTriangle(
  photo: RgbImage,
  [a, b, c]: readonly [Corner, Corner, Corner],
  { planes, depth }: DrawnFace,
): void {
  const area = (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)
  if (Math.abs(area) < 1e-6) return
  const { width, height } = depth
  const top = clamp(Math.floor(Math.min(a.y, b.y, c.y)), 0, height)
  const bottom = clamp(Math.ceil(Math.max(a.y, b.y, c.y)), 0, height)
  const left = clamp(Math.floor(Math.min(a.x, b.x, c.x)), 0, width)
  const right = clamp(Math.ceil(Math.max(a.x, b.x, c.x)), 0, width)
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) {
      const x = column + 0.5
      const y = row + 0.5
      const u = ((b.x - x) * (c.y - y) - (c.x - x) * (b.y - y)) / area
      const v = ((c.x - x) * (a.y - y) - (a.x - x) * (c.y - y)) / area
      const w = 1 - u - v
      if (u < 0 || v < 0 || w < 0) continue
      const at = row * width + column
      depth.data[at] = u * a.depth + v * b.depth + w * c.depth
      const sourceX = u * a.sourceX + v * b.sourceX + w * c.sourceX
      const sourceY = u * a.sourceY + v * b.sourceY + w * c.sourceY
      samplePixel(photo, sourceX, sourceY, planes, at)
    }
  }
}

function samplePixel(
  { data, width, height }: RgbImage,
  x: number,
  y: number,
  planes: DrawnFace['planes'],
  at: number,
): void {
  const sx = clamp(x - 0.5, 0, width - 1)
  const sy = clamp(y - 0.5, 0, height - 1)
  const x0 = Math.min(Math.floor(sx), Math.max(0, width - 2))
  const y0 = Math.min(Math.floor(sy), Math.max(0, height - 2))
  const fx = sx - x0
  const fy = sy - y0
  const right = width > 1 ? 3 : 0
  const below = height > 1 ? width * 3 : 0
  for (const [channel, plane] of planes.entries()) {
    const from = (y0 * width + x0) * 3 + channel
    const above = data[from]! * (1 - fx) + data[from + right]! * fx
    const under = data[from + below]! * (1 - fx) + data[from + below + right]! * fx
    plane.data[at] = above * (1 - fy) + under * fy
  }
}
