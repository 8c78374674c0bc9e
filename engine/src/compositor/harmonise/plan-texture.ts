import type { Texture } from './measure-noise.ts'
import { clamp } from '../../image/raster.ts'

/** What brings one person's texture to the other's. */
export interface TexturePlan {
  /** Gaussian blur in the picture's pixels; 0 leaves the sharpness. */
  blurSigma: number
  /** Standard deviation of the grain to be added, in 8-bit steps. */
  grain: number
}

/** Every camera has some noise; a picture with none looks drawn. */
const grainMin = 1.3
const grainMax = 4.5
/** A difference of sharpness below this factor isn't seen. */
const sharperBy = 1.25
/** A face that is enlarged five times as much as the other needs as much, in pixels. */
export const blurSigmaMax = 2.2

/**
 * The sharper person is blurred a little towards the softer one, and the cleaner one gets the
 * grain that the noisier one has. `base` is the grain of what has none of its own.
 */
export function planTexture(
  user: Texture,
  star: Texture,
): { user: TexturePlan; star: TexturePlan; base: number } {
  const base = clamp(Math.max(user.noise, star.noise) * 0.8, grainMin, grainMax)
  return { user: planOf(user, star, base), star: planOf(star, user, base), base }
}

function planOf(own: Texture, against: Texture, base: number): TexturePlan {
  const ratio = own.detail / Math.max(against.detail, 0.5)
  const blurSigma = ratio > sharperBy ? clamp(0.62 * Math.sqrt(ratio - 1), 0, blurSigmaMax) : 0
  // A blur of this size leaves about this much of the noise.
  const left = own.noise / (1 + 2.2 * blurSigma)
  return { blurSigma, grain: Math.sqrt(Math.max(0, base * base - left * left)) }
}
