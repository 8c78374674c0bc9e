import { mapTriple } from '../../image/map-triple.ts'
import type { FaceMesh } from '../faces/face-mesh.ts'
import { faceTriangles } from './face-triangles.ts'
import { basisSize, evaluateBasis } from './spherical-harmonics.ts'

/** How many triangles the face mesh has. */
export const triangleCount = faceTriangles.length / 3

/** The face as a surface: the normal of each of its parts. X right, Y up, Z to the camera. */
export interface FaceSurface {
  /** The nine functions of light at each of the 468 points. */
  pointBasis: Float64Array
  /** The same at each triangle. */
  triangleBasis: Float64Array
  /** Area of each triangle, in squared pixels; 0 where it is turned away from the camera. */
  areas: Float64Array
}

/** A triangle whose normal has a smaller part to the camera is turned away. */
const facingMin = 0.05

/** Finds the normals of a mesh; those of the points are smoothed once over their neighbours. */
export function measureSurface({ points }: FaceMesh): FaceSurface {
  const { normals: crosses, areas } = crossProducts(points)
  const normals = smoothNormals(gatherNormals(crosses, points.length))
  const pointBasis = new Float64Array((points.length / 3) * basisSize)
  for (let p = 0; p < points.length / 3; p++) {
    const at = p * 3
    evaluateBasis(normals[at]!, normals[at + 1]!, normals[at + 2]!, pointBasis, p * basisSize)
  }
  const triangleBasis = new Float64Array(triangleCount * basisSize)
  for (let t = 0; t < triangleCount; t++) {
    const normal: [number, number, number] = [0, 0, 0]
    for (let k = 0; k < 3; k++) {
      for (let c = 0; c < 3; c++) normal[c]! += normals[faceTriangles[t * 3 + k]! * 3 + c]!
    }
    const length = Math.hypot(...normal) || 1
    const [x, y, z] = mapTriple(normal, (value) => value / length)
    evaluateBasis(x, y, z, triangleBasis, t * basisSize)
    if (z <= facingMin) areas[t] = 0
  }
  return { pointBasis, triangleBasis, areas }
}

/** Twice each triangle's area along its normal; on the whole they look to the camera. */
function crossProducts(points: Float32Array): { normals: Float64Array; areas: Float64Array } {
  const normals = new Float64Array(triangleCount * 3)
  const areas = new Float64Array(triangleCount)
  let towards = 0
  for (let t = 0; t < triangleCount; t++) {
    const a = faceTriangles[t * 3]! * 3
    const b = faceTriangles[t * 3 + 1]! * 3
    const c = faceTriangles[t * 3 + 2]! * 3
    // From the picture's axes (y down, z away) to those of normals.
    const ux = points[b]! - points[a]!
    const uy = points[a + 1]! - points[b + 1]!
    const uz = points[a + 2]! - points[b + 2]!
    const vx = points[c]! - points[a]!
    const vy = points[a + 1]! - points[c + 1]!
    const vz = points[a + 2]! - points[c + 2]!
    const x = uy * vz - uz * vy
    const y = uz * vx - ux * vz
    const z = ux * vy - uy * vx
    normals.set([x, y, z], t * 3)
    areas[t] = Math.hypot(x, y, z) / 2
    towards += z
  }
  if (towards < 0) for (let i = 0; i < normals.length; i++) normals[i] = -normals[i]!
  return { normals, areas }
}

/** The normal of each point: the sum over its triangles, so that large ones count more. */
function gatherNormals(crosses: Float64Array, length: number): Float64Array {
  const normals = new Float64Array(length)
  for (let t = 0; t < triangleCount; t++) {
    for (let k = 0; k < 3; k++) {
      const at = faceTriangles[t * 3 + k]! * 3
      for (let c = 0; c < 3; c++) normals[at + c]! += crosses[t * 3 + c]!
    }
  }
  return normalise(normals)
}

/** Each normal plus the mean of its neighbours', so that single points don't stand out. */
function smoothNormals(normals: Float64Array): Float64Array {
  const sums = new Float64Array(normals.length)
  const counts = new Float64Array(normals.length / 3)
  for (let t = 0; t < triangleCount; t++) {
    for (let k = 0; k < 3; k++) {
      const one = faceTriangles[t * 3 + k]!
      const next = faceTriangles[t * 3 + ((k + 1) % 3)]!
      // Each edge inside of the mesh is met from both of its sides, so this sees every neighbour.
      for (let c = 0; c < 3; c++) {
        sums[one * 3 + c]! += normals[next * 3 + c]!
        sums[next * 3 + c]! += normals[one * 3 + c]!
      }
      counts[one]!++
      counts[next]!++
    }
  }
  const smooth = new Float64Array(normals.length)
  for (let i = 0; i < normals.length; i++) {
    smooth[i] = normals[i]! + sums[i]! / Math.max(1, counts[Math.floor(i / 3)]!)
  }
  return normalise(smooth)
}

function normalise(normals: Float64Array): Float64Array {
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i]!, normals[i + 1]!, normals[i + 2]!) || 1
    for (let c = 0; c < 3; c++) normals[i + c]! /= length
  }
  return normals
}
