import { faceOval, pointOf } from '../faces/face-mesh.ts'
import type { FoundFace } from '../faces/find-faces.ts'
import { paintPolygon } from '../../image/polygon-mask.ts'
import type { BytePlane } from '../../image/raster.ts'
import { applySimilarity } from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'

/** How much of the face's outline is surely inside of the person, whatever the networks say. */
const certainFaceShare = 0.9
/** In a face with a larger yaw than this the mesh may lie beside the cheek, in the air. */
const yawMax = (35 * Math.PI) / 180

/** Makes a frontal face opaque in place, shine and glasses too; `toAlpha` maps photo to matte. */
export function fillFace(
  alpha: BytePlane,
  { mesh, head }: Pick<FoundFace, 'mesh' | 'head'>,
  toAlpha: Similarity,
): void {
  if (Math.abs(head.yaw) > yawMax) return
  const outline = faceOval.map((index) => {
    const { x, y } = pointOf(mesh, index)
    return applySimilarity(toAlpha, {
      x: head.centre.x + (x - head.centre.x) * certainFaceShare,
      y: head.centre.y + (y - head.centre.y) * certainFaceShare,
    })
  })
  paintPolygon(alpha, outline, 255)
}
