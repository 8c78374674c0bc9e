import type { BrushStroke } from '../../arrangement.ts'
import { clamp } from '../../image/raster.ts'
import type { BytePlane, Point } from '../../image/raster.ts'
import type { SubjectLayer } from './layers.ts'

/**
 * The layer as the strokes of a brush leave it, at its own resolution. What is restored comes back as
 * strong as it was, and faint parts up to twice as strong.
 * @returns the given layer, which is left as it is, where there are no strokes
 */
export function retouchLayer(
  layer: SubjectLayer,
  strokes: readonly BrushStroke[] = [],
): SubjectLayer {
  if (strokes.length === 0) return layer
  const { alpha: original, image } = layer.frame
  const { width, height } = original
  const data = new Uint8Array(new SharedArrayBuffer(width * height))
  data.set(original.data)
  const alpha = { data, width, height }
  const coverage: BytePlane = { data: new Uint8Array(width * height), width, height }
  for (const stroke of strokes) {
    cover(coverage, layer, stroke)
    for (let i = 0; i < data.length; i++) {
      const share = coverage.data[i]! / 255
      if (share === 0) continue
      coverage.data[i] = 0
      const back = stroke.kind === 'restore' ? share * Math.min(255, 2 * original.data[i]!) : 0
      data[i] = data[i]! * (1 - (stroke.kind === 'restore' ? back / 255 : share)) + back + 0.5
    }
  }
  return { ...layer, frame: { image, alpha } }
}

/** Draws a stroke into an empty plane: 255 where it is full. */
function cover(
  plane: BytePlane,
  { place, reading }: SubjectLayer,
  { points, size, softness }: BrushStroke,
): void {
  const { centre, size: headSize } = reading.heads[0]!
  const unit = headSize * place.scale
  const middle = {
    x: (centre.x - place.left) * place.scale,
    y: (centre.y - place.top) * place.scale,
  }
  const inLayer = points.map(({ x, y }) => ({ x: middle.x + x * unit, y: middle.y + y * unit }))
  const radius = (size / 2) * unit
  for (const [n, to] of inLayer.entries()) {
    coverSegment(plane, inLayer[n - 1] ?? to, to, radius, Math.max(1, radius * softness))
  }
}

/** @param fade width of the rim over which it fades, within the radius */
function coverSegment(
  { data, width, height }: BytePlane,
  from: Point,
  to: Point,
  radius: number,
  fade: number,
): void {
  const [across, down] = [to.x - from.x, to.y - from.y]
  const squared = across * across + down * down || 1
  const left = clamp(Math.floor(Math.min(from.x, to.x) - radius), 0, width)
  const right = clamp(Math.ceil(Math.max(from.x, to.x) + radius), 0, width)
  const top = clamp(Math.floor(Math.min(from.y, to.y) - radius), 0, height)
  const bottom = clamp(Math.ceil(Math.max(from.y, to.y) + radius), 0, height)
  for (let y = top; y < bottom; y++) {
    const dy = y + 0.5 - from.y
    for (let x = left; x < right; x++) {
      const dx = x + 0.5 - from.x
      const along = clamp((dx * across + dy * down) / squared, 0, 1)
      const aside = dx - along * across
      const below = dy - along * down
      const rest = radius - Math.sqrt(aside * aside + below * below)
      if (rest <= 0) continue
      const share = Math.min(1, rest / fade) * 255
      const i = y * width + x
      if (share > data[i]!) data[i] = share
    }
  }
}
