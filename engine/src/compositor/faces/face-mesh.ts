import outlines from './face-outlines.json' with { type: 'json' }
import type { Network } from '../../models/litert-runtime.ts'
import { releaseMemory } from '../../release-memory.ts'
import type { DetectedFace } from './detect-faces.ts'
import type { Pyramid } from '../../image/pyramid.ts'
import type { Point } from '../../image/raster.ts'
import { similarity, similarityScale, warpToFloats } from '../../image/warp.ts'

/** The 468 points of a face in pixels of the photo. */
export interface FaceMesh {
  /** x, y, z interleaved; z grows away from the camera and has the scale of x. */
  points: Float32Array
  /** Probability that the region held a face at all, 0…1. */
  presence: number
}

/** Numbers of points in the canonical face model, as seen in the picture. */
export const meshPoint = {
  foreheadTop: 10,
  chin: 152,
  leftCheek: 234,
  rightCheek: 454,
  noseTip: 1,
  leftEyeOuter: 33,
  leftEyeInner: 133,
  rightEyeInner: 362,
  rightEyeOuter: 263,
  mouthLeft: 61,
  mouthRight: 291,
} as const

/** The outline of the face, clockwise from the forehead. */
export const faceOval: readonly number[] = outlines.faceOval
export const leftEyeOutline: readonly number[] = outlines.leftEye
export const rightEyeOutline: readonly number[] = outlines.rightEye
export const mouthOutline: readonly number[] = outlines.mouth

const inputSize = 192

export function pointOf(mesh: FaceMesh, index: number): Point {
  return { x: mesh.points[index * 3]!, y: mesh.points[index * 3 + 1]! }
}

/** Distance of two points in three dimensions, so that it stays the same when the head turns. */
export function distance3d(mesh: FaceMesh, one: number, other: number): number {
  const p = mesh.points
  const a = one * 3
  const b = other * 3
  return Math.hypot(p[a]! - p[b]!, p[a + 1]! - p[b + 1]!, p[a + 2]! - p[b + 2]!)
}

/**
 * Finds the 468 points twice: first in a square around the detection, 1.5 times its size and
 * turned so that the eyes are level, then in the square that the first points give, which is what
 * the network was trained on.
 * Source: Kartynnik et al., "Real-time Facial Surface Geometry from Monocular Video on Mobile
 * GPUs", 2019, https://arxiv.org/abs/1907.06724
 */
export async function findFaceMesh(
  network: Network,
  photo: Pyramid,
  face: DetectedFace,
): Promise<FaceMesh> {
  const [leftEye, rightEye] = face.keypoints
  const rotation = Math.atan2(rightEye!.y - leftEye!.y, rightEye!.x - leftEye!.x)
  const side = Math.max(face.box.width, face.box.height) * 1.5
  const centre = {
    x: face.box.x + face.box.width / 2,
    y: face.box.y + face.box.height / 2,
  }
  const first = await meshInSquare(network, photo, centre, side, rotation)
  const square = squareAround(first)
  const second = await meshInSquare(network, photo, square.centre, square.side, square.rotation)
  return second.presence >= first.presence * 0.5 ? second : first
}

async function meshInSquare(
  network: Network,
  photo: Pyramid,
  centre: Point,
  side: number,
  rotation: number,
): Promise<FaceMesh> {
  const middle = { x: inputSize / 2, y: inputSize / 2 }
  const map = similarity(side / inputSize, rotation, middle, centre)
  const input = warpToFloats(photo, map, { width: inputSize, height: inputSize, range: [0, 1] })
  const [raw, logit] = await network.run(input)
  releaseMemory(input)
  const points = new Float32Array(raw!.length)
  const scale = similarityScale(map)
  for (let i = 0; i < raw!.length; i += 3) {
    points[i] = map.a * raw![i]! - map.b * raw![i + 1]! + map.tx
    points[i + 1] = map.b * raw![i]! + map.a * raw![i + 1]! + map.ty
    points[i + 2] = raw![i + 2]! * scale
  }
  return { points, presence: 1 / (1 + Math.exp(-logit![0]!)) }
}

/** The next pass's square: level with the eyes, 1.5 times the points' extent. */
function squareAround(mesh: FaceMesh): { centre: Point; side: number; rotation: number } {
  const left = pointOf(mesh, meshPoint.leftEyeOuter)
  const right = pointOf(mesh, meshPoint.rightEyeOuter)
  const rotation = Math.atan2(right.y - left.y, right.x - left.x)
  const cos = Math.cos(rotation)
  const sin = Math.sin(rotation)
  let minU = Infinity
  let maxU = -Infinity
  let minV = Infinity
  let maxV = -Infinity
  for (let i = 0; i < mesh.points.length; i += 3) {
    const u = cos * mesh.points[i]! + sin * mesh.points[i + 1]!
    const v = -sin * mesh.points[i]! + cos * mesh.points[i + 1]!
    minU = Math.min(minU, u)
    maxU = Math.max(maxU, u)
    minV = Math.min(minV, v)
    maxV = Math.max(maxV, v)
  }
  const u = (minU + maxU) / 2
  const v = (minV + maxV) / 2
  return {
    centre: { x: cos * u - sin * v, y: sin * u + cos * v },
    side: Math.max(maxU - minU, maxV - minV) * 1.5,
    rotation,
  }
}
