import type { Point } from '../../image/raster.ts'

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

function isInside(outline: readonly Point[], x: number, y: number): boolean {
  let inside = false
  for (let i = 0, j = outline.length - 1; i < outline.length; j = i++) {
    const a = outline[i]!
    const b = outline[j]!
    if (a.y > y !== b.y > y && x < a.x + ((y - a.y) / (b.y - a.y)) * (b.x - a.x)) inside = !inside
  }
  return inside
}
