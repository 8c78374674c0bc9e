import type { Silhouette } from '../matting/silhouette.ts'
import type { Point } from '../../image/raster.ts'
import { applySimilarity, invertSimilarity } from '../../image/warp.ts'
import type { Similarity } from '../../image/warp.ts'

/** A matte (0…255) from this value on hides what lies behind it. */
const opaque = 128

/** Sides of the grid that a face is sampled by. */
const gridSide = 16

/** Points that lie evenly in the outline of a face, in pixels of its photo. */
export function pointsInFace({ oval }: { oval: readonly Point[] }): Point[] {
  const xs = oval.map((point) => point.x)
  const ys = oval.map((point) => point.y)
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - top]
  const points: Point[] = []
  for (let row = 0; row < gridSide; row++) {
    for (let column = 0; column < gridSide; column++) {
      const x = left + ((column + 0.5) / gridSide) * width
      const y = top + ((row + 0.5) / gridSide) * height
      if (isInside(oval, x, y)) points.push({ x, y })
    }
  }
  return points
}

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

function isInside(outline: readonly Point[], x: number, y: number): boolean {
  let inside = false
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
    const a = outline[i]!
    const b = outline[j]!
    if (a.y > y !== b.y > y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x)) inside = !inside
  }
  return inside
}
