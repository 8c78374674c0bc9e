import type { BytePlane } from '../../image/raster.ts'

export interface MattingError {
  /** Mean absolute difference over the whole photo, 0…1. */
  mad: number
  /** The same over the band of 8 pixels about soft and hard edges of the exact alpha. */
  edgeMad: number
}

const bandPx = 8

/** Compares a matte with the exact one; meant for photos of about 1024 pixels. */
export function mattingError(matte: BytePlane, exact: BytePlane): MattingError {
  const band = edgeBand(exact)
  let sum = 0
  let bandSum = 0
  let bandCount = 0
  for (let i = 0; i < exact.data.length; i++) {
    const apart = Math.abs(matte.data[i]! - exact.data[i]!) / 255
    sum += apart
    if (band[i] === 0) continue
    bandSum += apart
    bandCount++
  }
  return { mad: sum / exact.data.length, edgeMad: bandSum / Math.max(1, bandCount) }
}

function edgeBand({ data, width, height }: BytePlane): Uint8Array {
  const edge = new Uint8Array(width * height)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const value = data[i]!
      const right = x < width - 1 ? data[i + 1]! : value
      const below = y < height - 1 ? data[i + width]! : value
      const soft = value > 12 && value < 243
      if (soft || Math.abs(value - right) > 64 || Math.abs(value - below) > 64) edge[i] = 1
    }
  }
  return widen(widen(edge, width, height, 1, width), height, width, width, 1)
}

/** Widens marks along one direction: `lines` of `count` marks, `step` apart. */
function widen(
  marks: Uint8Array,
  count: number,
  lines: number,
  step: number,
  lineStep: number,
): Uint8Array {
  const wide = new Uint8Array(marks.length)
  for (let line = 0; line < lines; line++) {
    const start = line * lineStep
    for (const [from, direction] of [
      [0, 1],
      [count - 1, -1],
    ] as const) {
      let since = Infinity
      for (let n = 0; n < count; n++) {
        const i = start + (from + n * direction) * step
        since = marks[i] === 1 ? 0 : since + 1
        if (since <= bandPx) wide[i] = 1
      }
    }
  }
  return wide
}
