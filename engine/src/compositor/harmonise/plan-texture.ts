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
 * Sharper people are blurred a little towards the softest one, and cleaner ones get the grain that
 * the noisiest one has. `base` is the grain of what has none of its own.
 * @param textures of two or more people; the plans are in the same order
 */
export function planTexture(textures: readonly Texture[]): { plans: TexturePlan[]; base: number } {
  const base = clamp(Math.max(...textures.map(({ noise }) => noise)) * 0.8, grainMin, grainMax)
  const plans = textures.map((own) => {
    const others = textures.filter((other) => other !== own)
    return planOf(own, Math.min(...others.map(({ detail }) => detail)), base)
  })
  return { plans, base }
}

function planOf(own: Texture, softest: number, base: number): TexturePlan {
  const ratio = own.detail / Math.max(softest, 0.5)
  const blurSigma = ratio > sharperBy ? clamp(0.62 * Math.sqrt(ratio - 1), 0, blurSigmaMax) : 0
  // A blur of this size leaves about this much of the noise.
  const left = own.noise / (1 + 2.2 * blurSigma)
  return { blurSigma, grain: Math.sqrt(Math.max(0, base * base - left * left)) }
}
