import type { HeadMeasure } from '../faces/measure-head.ts'
import type { RgbImage } from '../../image/raster.ts'

/** How sharp and how noisy a face is in the picture's pixels, in 8-bit steps. */
export interface Texture {
  /** Standard deviation of the noise. */
  noise: number
  /** Spread of a Laplacian without what the noise gives to it. */
  detail: number
}

/**
 * Separates noise from detail by the distribution of a Laplacian over the face: noise is
 * everywhere, so it shows in the lower quartile; detail is in few places, so it shows in the
 * spread. Source of the idea: Immerkær, "Fast Noise Variance Estimation", CVIU 1996.
 * @param head in pixels of the image
 */
export function measureTexture(
  image: RgbImage,
  head: Pick<HeadMeasure, 'centre' | 'size'>,
): Texture {
  const { data, width, height } = image
  const half = head.size * 0.42
  const x0 = Math.max(1, Math.floor(head.centre.x - half))
  const x1 = Math.min(width - 1, Math.ceil(head.centre.x + half))
  const y0 = Math.max(1, Math.floor(head.centre.y - half))
  const y1 = Math.min(height - 1, Math.ceil(head.centre.y + half))
  const stride = width * 3
  // Magnitudes in quarters of a step: 1024 bins hold all of them.
  const bins = new Uint32Array(1024)
  let squares = 0
  let count = 0
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) {
      const at = y * stride + x * 3 + 1
      const edge =
        4 * data[at]! - data[at - 3]! - data[at + 3]! - data[at - stride]! - data[at + stride]!
      bins[Math.min(1023, Math.abs(edge))]!++
      squares += (edge * edge) / 16
      count++
    }
  }
  if (count === 0) return { noise: 0, detail: 0 }
  let below = 0
  let quartile = 0
  while (quartile < 1023 && below + bins[quartile]! < count / 4) below += bins[quartile++]!
  const inBin = (count / 4 - below) / Math.max(1, bins[quartile]!)
  // A quarter of a normal distribution lies within 0.3186 of its spread; the filter's gain is
  // 1.118.
  const noise = (quartile - 0.5 + inBin) / 4 / 0.3186 / 1.118
  const spread = squares / count
  return {
    noise: Math.max(0, noise),
    detail: Math.sqrt(Math.max(0, spread - (1.118 * noise) ** 2)),
  }
}
