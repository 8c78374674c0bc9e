import { faceOval } from '../faces/face-mesh.ts'
import { applySimilarity } from '../../image/warp.ts'
import { smoothstep } from '../../image/raster.ts'
import type { Point } from '../../image/raster.ts'
import type { FacePair } from './match-faces.ts'

/** A face's points in the picture, and how deep inside the face each lies. */
export interface PlacedMesh {
  points: readonly Point[]
  /** 0 at the outline … 1 from a quarter of the head size on. */
  depths: readonly number[]
}

/** From this depth on, in head sizes, a face has exactly its own shape. */
const ownShapeDepth = 0.25

/**
 * Where the points of a composite's face go: its own shape inside, so that nobody's features change,
 * and the other picture's outline at its rim, where it meets the other's hair, ears and neck.
 */
export function placeMesh({ from, to, place }: FacePair): PlacedMesh {
  const { points } = from.mesh
  const outline = faceOval.map((index) => meshPointOf(points, index))
  const count = points.length / 3
  const depths = Array.from({ length: count }, (_, index) => {
    const point = meshPointOf(points, index)
    const nearest = Math.min(...outline.map(({ x, y }) => Math.hypot(x - point.x, y - point.y)))
    return smoothstep(0, ownShapeDepth, nearest / from.head.size)
  })
  return {
    depths,
    points: depths.map((depth, index) => {
      const own = applySimilarity(place, meshPointOf(points, index))
      const theirs = meshPointOf(to.mesh.points, index)
      return {
        x: theirs.x + (own.x - theirs.x) * depth,
        y: theirs.y + (own.y - theirs.y) * depth,
      }
    }),
  }
}

function meshPointOf(points: Float32Array, index: number): Point {
  return { x: points[index * 3]!, y: points[index * 3 + 1]! }
}
