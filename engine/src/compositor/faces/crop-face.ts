import type { Pyramid } from '../../image/pyramid.ts'
import type { Point } from '../../image/raster.ts'
import { similarity, warpToFloats } from '../../image/warp.ts'
import { leftEyeOutline, mouthOutline, pointOf, rightEyeOutline } from './face-mesh.ts'
import type { FaceMesh } from './face-mesh.ts'
import type { FoundFace } from './find-faces.ts'

/** The side of a cropped face. */
export const faceCropSidePx = 150

/** Where the middle of eyes and mouth is, and how far they are apart, in sides of the crop. */
const middleAt = { x: 0.5, y: 0.43 }
const eyesToMouth = 0.45

/** A face in the size that a face network takes. */
export interface CroppedFace {
  /** Interleaved 8-bit sRGB, `faceCropSidePx` squared. */
  crop: Uint8Array
  /** The size of the head in pixels of the photo. */
  headSizePx: number
}

/** Cuts a face out as dlib's face recognition network was trained: eyes level, one size. */
export function cropFace(photo: Pyramid, { mesh, head }: FoundFace): CroppedFace {
  const left = centreOf(mesh, leftEyeOutline)
  const right = centreOf(mesh, rightEyeOutline)
  const mouth = centreOf(mesh, mouthOutline)
  const reach = (distance(left, mouth) + distance(right, mouth)) / 2
  const map = similarity(
    reach / eyesToMouth / faceCropSidePx,
    Math.atan2(right.y - left.y, right.x - left.x),
    { x: middleAt.x * faceCropSidePx, y: middleAt.y * faceCropSidePx },
    { x: (left.x + right.x + mouth.x) / 3, y: (left.y + right.y + mouth.y) / 3 },
  )
  const grid = { width: faceCropSidePx, height: faceCropSidePx, range: [0, 255] } as const
  const levels = warpToFloats(photo, map, { ...grid, outside: 'edge' })
  return { crop: Uint8Array.from(levels, Math.round), headSizePx: head.size }
}

function centreOf(mesh: FaceMesh, outline: readonly number[]): Point {
  const points = outline.map((index) => pointOf(mesh, index))
  return {
    x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
    y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
  }
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}
