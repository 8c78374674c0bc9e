import type { BytePlane } from '@starside/engine/image/raster.ts'

/** Something that hangs in the air beside a cut-out person. */
export interface Speck {
  /** Middle, in pixels. */
  x: number
  y: number
  /** Sum of its alphas, in squares of a head size. */
  area: number
}

/** Less than this of a pixel is not seen. */
const seenMin = 32

/** Everything of a matte that doesn't hang together with its largest part, the largest first. */
export function findSpecks({ data, width, height }: BytePlane, headSize: number): Speck[] {
  const found = new Uint8Array(data.length)
  const parts: { pixels: number[]; alpha: number }[] = []
  for (let start = 0; start < data.length; start++) {
    if (found[start] === 1 || data[start]! < seenMin) continue
    const pixels = [start]
    found[start] = 1
    let alpha = 0
    for (let n = 0; n < pixels.length; n++) {
      const at = pixels[n]!
      alpha += data[at]! / 255
      const [x, y] = [at % width, Math.floor(at / width)]
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
          const beside = row * width + column
          if (found[beside] === 1 || data[beside]! < seenMin) continue
          found[beside] = 1
          pixels.push(beside)
        }
      }
    }
    parts.push({ pixels, alpha })
  }
  const [, ...others] = parts.toSorted((one, other) => other.alpha - one.alpha)
  return others.map(({ pixels, alpha }) => ({
    x: meanOf(pixels, (at) => at % width),
    y: meanOf(pixels, (at) => Math.floor(at / width)),
    area: alpha / headSize ** 2,
  }))
}

function meanOf(pixels: readonly number[], valueOf: (at: number) => number): number {
  return pixels.reduce((sum, at) => sum + valueOf(at), 0) / pixels.length
}
