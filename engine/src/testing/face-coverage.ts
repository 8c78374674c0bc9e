import type { Silhouette } from '../compositor/matting/silhouette.ts'
import type { Point } from '../image/raster.ts'
import { applySimilarity, invertSimilarity } from '../image/warp.ts'
import type { Similarity } from '../image/warp.ts'

/** A matte (0…255) from this value on hides what lies behind it. */
const opaque = 128

/** How much of a face the person in front covers, 0…1; `inFace` in pixels of that face's photo. */
export function faceCover(
  inFace: readonly Point[],
  backToPicture: Similarity,
  front: { silhouette: Silhouette },
  frontToPicture: Similarity,
): number {
  const toFront = invertSimilarity(frontToPicture)
  const { mask, maskScale } = front.silhouette
  let covered = 0
  for (const point of inFace) {
    const at = applySimilarity(toFront, applySimilarity(backToPicture, point))
    const u = Math.floor(at.x / maskScale)
    const v = Math.floor(at.y / maskScale)
    const isOver = u >= 0 && v >= 0 && u < mask.width && v < mask.height
    if (isOver && mask.data[v * mask.width + u]! >= opaque) covered++
  }
  return covered / inFace.length
}

/** A face's smallest distance to the border, in parts of width or height; negative outside. */
export function faceMargin(
  oval: readonly Point[],
  toPicture: Similarity,
  width: number,
  height: number,
): number {
  let margin = Infinity
  for (const point of oval) {
    const { x, y } = applySimilarity(toPicture, point)
    margin = Math.min(margin, x / width, 1 - x / width, y / height, 1 - y / height)
  }
  return margin
}
