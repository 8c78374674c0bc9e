import type { HeadMeasure } from './measure-head.ts'

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
    roll: 0,
    yaw: 0,
  }
}
