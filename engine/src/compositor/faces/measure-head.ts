import proportions from './head-proportions.json' with { type: 'json' }
import { distance3d, faceOval, meshPoint, pointOf } from './face-mesh.ts'
import type { FaceMesh } from './face-mesh.ts'
import type { Point } from '../../image/raster.ts'

/** What the layout needs to know of a head, in pixels of its photo and radians. */
export interface HeadMeasure {
  /** Middle between the eyes. */
  eyes: Point
  /** Middle of the face. */
  centre: Point
  /** The size that two heads are matched by; about the height of the face. */
  size: number
  /** Cheek to cheek. */
  faceWidth: number
  /** Forehead to chin. */
  faceHeight: number
  chin: Point
  foreheadTop: Point
  /** The outline of the face, clockwise from the forehead. */
  oval: readonly Point[]
  /** Turn in the picture's plane; positive is clockwise. */
  roll: number
  /** Turn to the side; positive looks to the picture's right. */
  yaw: number
}

/** What the height of a face is in its width, and in the distance of its outer eye corners. */
const { faceWidth: perFaceWidth, eyeDistance: perEyeDistance } = proportions.size

/**
 * Measures a head. The size is the cube root of what the face's height is by itself, by its width and by
 * the distance of the outer eye corners, all in three dimensions: one of them shrinks when the
 * head turns or the mouth opens, the three together hardly do.
 */
export function measureHead(mesh: FaceMesh): HeadMeasure {
  const left = pointOf(mesh, meshPoint.leftEyeOuter)
  const right = pointOf(mesh, meshPoint.rightEyeOuter)
  const faceHeight = distance3d(mesh, meshPoint.foreheadTop, meshPoint.chin)
  const faceWidth = distance3d(mesh, meshPoint.leftCheek, meshPoint.rightCheek)
  const eyeDistance = distance3d(mesh, meshPoint.leftEyeOuter, meshPoint.rightEyeOuter)
  const leftCheek = pointOf(mesh, meshPoint.leftCheek)
  const rightCheek = pointOf(mesh, meshPoint.rightCheek)
  const forehead = pointOf(mesh, meshPoint.foreheadTop)
  const chin = pointOf(mesh, meshPoint.chin)
  const depth =
    mesh.points[meshPoint.rightCheek * 3 + 2]! - mesh.points[meshPoint.leftCheek * 3 + 2]!
  const across = Math.hypot(rightCheek.x - leftCheek.x, rightCheek.y - leftCheek.y)
  return {
    eyes: middle(left, right),
    centre: middle(middle(leftCheek, rightCheek), middle(forehead, chin)),
    size: Math.cbrt(faceHeight * perFaceWidth * faceWidth * perEyeDistance * eyeDistance),
    faceWidth,
    faceHeight,
    chin,
    foreheadTop: forehead,
    oval: faceOval.map((index) => pointOf(mesh, index)),
    roll: Math.atan2(right.y - left.y, right.x - left.x),
    yaw: Math.atan2(depth, across),
  }
}

function middle(one: Point, other: Point): Point {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 }
}
