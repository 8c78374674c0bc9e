import type { BytePlane, Point } from './raster.ts'

/** Paints a polygon over a mask (even-odd, pixel centres). */
export function paintPolygon(mask: BytePlane, points: readonly Point[], value: number): void {
  const { width, height, data } = mask
  const top = Math.max(0, Math.floor(Math.min(...points.map((point) => point.y))))
  const bottom = Math.min(height - 1, Math.ceil(Math.max(...points.map((point) => point.y))))
  for (let y = top; y <= bottom; y++) {
    const line = y + 0.5
    const crossings: number[] = []
    for (let i = 0; i < points.length; i++) {
      const a = points[i]!
      const b = points[(i + 1) % points.length]!
      if (a.y <= line === b.y <= line) continue
      crossings.push(a.x + ((line - a.y) / (b.y - a.y)) * (b.x - a.x))
    }
    crossings.sort((one, other) => one - other)
    for (let k = 0; k + 1 < crossings.length; k += 2) {
      const from = Math.max(0, Math.ceil(crossings[k]! - 0.5))
      const to = Math.min(width - 1, Math.ceil(crossings[k + 1]! - 0.5) - 1)
      if (to >= from) data.fill(value, y * width + from, y * width + to + 1)
    }
  }
}
