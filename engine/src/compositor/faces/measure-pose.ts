import proportions from './head-proportions.json' with { type: 'json' }
import type { DetectedFace } from './detect-faces.ts'
import { leftEyeOutline, meshPoint, pointOf, rightEyeOutline } from './face-mesh.ts'
import type { FaceMesh } from './face-mesh.ts'
import type { Point } from '../../image/raster.ts'

/** How a face is held, in radians, and whether its eyes are open. */
export interface Pose {
  /** Rotation to the side, without sign. */
  yaw: number
  /** Positive where the head is thrown back, negative where it is bent down; 0 straight ahead. */
  pitch: number
  /** Height of the eyes' openings by their width; about 0.3, below 0.12 closed. */
  eyesOpen: number
}

/**
 * How far the nose stands before the eyes, by half their distance: a turned head's nose lies this
 * many tangents beside their middle. Both measures of yaw differed by 4° at most over portraits.
 */
const { noseBeforeEyes } = proportions

/** A pose by mesh and detector, as the mesh draws profiles and heads thrown back from the front. */
export function measurePose({ keypoints }: DetectedFace, mesh: FaceMesh): Pose {
  const [left, right, nose, mouth] = keypoints as readonly [Point, Point, Point, Point]
  const apart = { x: right.x - left.x, y: right.y - left.y }
  const distance = Math.max(Math.hypot(apart.x, apart.y), 1e-6)
  const middle = { x: (left.x + right.x) / 2, y: (left.y + right.y) / 2 }
  const along = (point: Point): number =>
    ((point.x - middle.x) * apart.x + (point.y - middle.y) * apart.y) / distance
  const down = (point: Point): number =>
    ((point.y - middle.y) * apart.x - (point.x - middle.x) * apart.y) / distance
  const aside = Math.abs(along(nose)) / (distance / 2)
  const meshYaw = Math.abs(angleBetween(mesh, meshPoint.leftCheek, meshPoint.rightCheek))
  return {
    yaw: Math.max(Math.atan(aside / noseBeforeEyes), meshYaw),
    pitch: pitchOf(mesh, down(nose) / Math.max(down(mouth), 1e-6)),
    eyesOpen: (openingOf(mesh, leftEyeOutline) + openingOf(mesh, rightEyeOutline)) / 2,
  }
}

/** The mesh's forehead has this pitch when a person faces straight ahead. */
const { straightLean } = proportions

/** Nose and mouth below and before the eyes, in parts of a head; pitch moves by its tangent. */
const { nose: nosePoint, mouth: mouthPoint } = proportions

/** The stronger of what the mesh says and what the nose's height between eyes and mouth says. */
function pitchOf(mesh: FaceMesh, noseHeight: number): number {
  const byMesh = -angleBetween(mesh, meshPoint.foreheadTop, meshPoint.chin) - straightLean
  const byNose = Math.atan(
    (noseHeight * mouthPoint.below - nosePoint.below) /
      (noseHeight * mouthPoint.before - nosePoint.before),
  )
  return Math.abs(byMesh) > Math.abs(byNose) ? byMesh : byNose
}

/** By how much the line between two points of the mesh leads away from the camera. */
function angleBetween(mesh: FaceMesh, from: number, to: number): number {
  const one = pointOf(mesh, from)
  const other = pointOf(mesh, to)
  const depth = mesh.points[to * 3 + 2]! - mesh.points[from * 3 + 2]!
  const across = Math.hypot(other.x - one.x, other.y - one.y)
  return Math.atan2(depth, across)
}

function openingOf(mesh: FaceMesh, outline: readonly number[]): number {
  const points = outline.map((index) => pointOf(mesh, index))
  const [outer, inner] = [points[0]!, points[8]!]
  const [above, below] = [points[12]!, points[4]!]
  const width = Math.hypot(inner.x - outer.x, inner.y - outer.y)
  return Math.hypot(above.x - below.x, above.y - below.y) / Math.max(width, 1e-6)
}
