import type { HeadMeasure } from '../compositor/faces/measure-head.ts'

/** An upright head for tests: `size` from forehead to chin, about (x, y). */
export function headAt(x: number, y: number, size: number): HeadMeasure {
  return {
    eyes: { x, y: y - size * 0.15 },
    centre: { x, y },
    size,
    faceWidth: size * 0.8,
    faceHeight: size,
    chin: { x, y: y + size / 2 },
    foreheadTop: { x, y: y - size / 2 },
    oval: Array.from({ length: 36 }, (_, i) => ({
      x: x + size * 0.4 * Math.sin((i * Math.PI) / 18),
      y: y - size * 0.5 * Math.cos((i * Math.PI) / 18),
    })),
    roll: 0,
    yaw: 0,
  }
}
