import type { FaceMesh } from '../faces/face-mesh.ts'
import { triangleCount } from './face-surface.ts'
import { faceTriangles } from './face-triangles.ts'

/** An edge of the face's middle line, from which its two halves are followed. */
const middle = [10, 151] as const
/**
 * Mirrored pairs at the eyes and the nose, where both halves are cut into triangles differently.
 */
const knownPairs = [
  [33, 263],
  [246, 466],
  [161, 388],
  [238, 458],
  [20, 250],
] as const

/**
 * For each of the 468 points the one at the same place of the other half; on the middle line
 * itself.
 */
export const mirroredPoints: Int32Array = findMirroredPoints()

/** The mesh of the mirrored photo; its points are numbered as seen in that photo. */
export function mirrorMesh(mesh: FaceMesh, photoWidth: number): FaceMesh {
  const points = new Float32Array(mesh.points.length)
  for (const [point, counterpart] of mirroredPoints.entries()) {
    points[point * 3] = photoWidth - mesh.points[counterpart * 3]!
    points[point * 3 + 1] = mesh.points[counterpart * 3 + 1]!
    points[point * 3 + 2] = mesh.points[counterpart * 3 + 2]!
  }
  return { ...mesh, points }
}

/** Goes from triangle to neighbouring triangle in both halves at once. */
function findMirroredPoints(): Int32Array {
  const counterparts = new Int32Array(Math.max(...faceTriangles) + 1).fill(-1)
  const pair = (one: number, other: number): void => {
    if (counterparts[one] !== -1 || counterparts[other] !== -1) return
    counterparts[one] = other
    counterparts[other] = one
  }
  const trianglesAt = edgesOf()
  const next = (edge: readonly [number, number], not: number): number | undefined =>
    trianglesAt.get(edgeName(...edge))?.find((triangle) => triangle !== not)
  const [left, right] = trianglesAt.get(edgeName(...middle)) as [number, number]
  for (const point of middle) pair(point, point)
  for (const [one, other] of knownPairs) pair(one, other)
  pair(cornerBeside(left, middle), cornerBeside(right, middle))
  const seen = new Set([left, right])
  const queue: [number, number][] = [
    [left, right],
    [right, left],
  ]
  for (const [triangle, mirrored] of queue) {
    for (let k = 0; k < 3; k++) {
      const a = faceTriangles[triangle * 3 + k]!
      const b = faceTriangles[triangle * 3 + ((k + 1) % 3)]!
      const other = next([a, b], triangle)
      const otherMirrored = next([counterparts[a]!, counterparts[b]!], mirrored)
      if (other === undefined || otherMirrored === undefined || seen.has(other)) continue
      seen.add(other)
      pair(
        cornerBeside(other, [a, b]),
        cornerBeside(otherMirrored, [counterparts[a]!, counterparts[b]!]),
      )
      queue.push([other, otherMirrored])
    }
  }
  return counterparts.map((counterpart, point) => (counterpart === -1 ? point : counterpart))
}

function edgesOf(): Map<string, number[]> {
  const triangles = new Map<string, number[]>()
  for (let t = 0; t < triangleCount; t++) {
    for (let k = 0; k < 3; k++) {
      const name = edgeName(faceTriangles[t * 3 + k]!, faceTriangles[t * 3 + ((k + 1) % 3)]!)
      triangles.set(name, [...(triangles.get(name) ?? []), t])
    }
  }
  return triangles
}

function edgeName(one: number, other: number): string {
  return one < other ? `${one} ${other}` : `${other} ${one}`
}

function cornerBeside(triangle: number, [a, b]: readonly [number, number]): number {
  return faceTriangles.slice(triangle * 3, triangle * 3 + 3).find((p) => p !== a && p !== b)!
}
