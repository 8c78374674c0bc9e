import sharp from 'sharp'
import type { PictureLook } from '../arrangement.ts'
import type { RawPicture } from './raw-picture.ts'

/** How a look develops the whole picture; levels are sRGB, 0…255. */
interface Development {
  /** Standard deviation of the blur that comes first, in pixels of a picture whose long side is 1280. */
  softness: number
  /** How much each channel counts for a pixel's brightness. */
  weights: readonly [number, number, number]
  /** What a grey of this level becomes: red, green, blue. */
  tone(level: number): readonly [number, number, number]
  /** How much of each channel's distance from that grey stays. */
  colour: readonly [number, number, number]
  /** How much darker it becomes for each squared distance from the middle, in sides of the picture. */
  vignette: number
  hasGrain: boolean
}

const natural: Development = {
  softness: 0,
  weights: [0.3, 0.59, 0.11],
  tone: (level) => [level, level, level],
  colour: [1, 1, 1],
  vignette: 0,
  hasGrain: false,
}

const muted: Development = {
  ...natural,
  softness: 0.8,
  tone(level) {
    const light = withContrast(level, 0.4)
    const tint = light / 255
    return [18 + 0.9 * light + 6 * tint, 19 + 0.9 * light, 22 + 0.88 * light - 8 * tint]
  },
  colour: [0.378, 0.378, 0.37],
  vignette: 0.4,
  hasGrain: true,
}

const developments: Record<PictureLook, Development> = {
  natural,
  'black-and-white': {
    ...natural,
    weights: [0.35, 0.5, 0.15],
    tone(level) {
      const light = 14 + 0.93 * withContrast(level, 0.55)
      return [light + 2, light, light - 3]
    },
    colour: [0, 0, 0],
    hasGrain: true,
  },
  warm: {
    ...natural,
    softness: 0.8,
    tone(level) {
      const light = level / 255
      const gold = [40 + 215 * light ** 0.85, 18 + 200 * light ** 1.05, 14 + 140 * light ** 1.3]
      return [(level + gold[0]!) / 2, (level + gold[1]!) / 2, (level + gold[2]!) / 2]
    },
    colour: [0.5, 0.5, 0.5],
    vignette: 0.3,
    hasGrain: true,
  },
  muted,
  instant: muted,
}

/** How far full warmth moves red up and blue down. */
const warmthStrength = 0.11
/** Standard deviation of the grain at middle grey, in levels of 255, and its blur as a softness. */
const grainLevels = 8.5
const grainSoftness = 0.8

/** What a picture is developed with. */
export interface LookOptions {
  look: PictureLook
  /** −1 cooler … 1 warmer; 0 by default. */
  warmth?: number | undefined
  /** Of the grain: the same seed gives the same picture. */
  seed: number
}

/**
 * Develops the whole picture in a look, grain and all.
 * @returns a picture of the same size; the given one, which is left as it is, where nothing changes
 */
export async function developLook(
  picture: RawPicture,
  { look, warmth = 0, seed }: LookOptions,
): Promise<RawPicture> {
  if (look === 'natural' && warmth === 0) return picture
  const { widthPx, heightPx } = picture
  const scale = Math.max(widthPx, heightPx) / 1280
  const { softness, weights, tone, colour, vignette, hasGrain } = developments[look]
  const pixels = await blurred(picture, 3, softness * scale)
  const grain = hasGrain ? await makeGrain(picture, seed, scale) : undefined
  const tones = levels((level) => tone(level))
  const [red, green, blue] = [0, 1, 2].map((n) => Float32Array.from(tones, (each) => each[n]!))
  const warmer = Float32Array.from(levels((level) => level * (1 + warmth * warmthStrength)))
  const cooler = Float32Array.from(levels((level) => level * (1 - warmth * warmthStrength)))
  const fade = Float32Array.from(levels((level) => 1 - Math.abs(level - 120) / 170))
  const across = Float32Array.from({ length: widthPx }, (_, x) => ((x + 0.5) / widthPx - 0.5) ** 2)
  for (let y = 0, at = 0, n = 0; y < heightPx; y++) {
    const down = ((y + 0.5) / heightPx - 0.5) ** 2
    for (let x = 0; x < widthPx; x++, at += 3, n++) {
      const r = warmer[pixels[at]!]!
      const g = pixels[at + 1]!
      const b = cooler[pixels[at + 2]!]!
      const luma = Math.min(255, weights[0] * r + weights[1] * g + weights[2] * b)
      const level = (luma + 0.5) | 0
      const shade = 1 - vignette * (down + across[x]!)
      const added = grain ? grain[n]! * fade[(green![level]! * shade) | 0]! : 0
      pixels[at] = byteOf((red![level]! + colour[0] * (r - luma)) * shade + added)
      pixels[at + 1] = byteOf((green![level]! + colour[1] * (g - luma)) * shade + added)
      pixels[at + 2] = byteOf((blue![level]! + colour[2] * (b - luma)) * shade + added)
    }
  }
  return { ...picture, pixels }
}

function levels<Value>(valueOf: (level: number) => Value): Value[] {
  return Array.from({ length: 256 }, (_, level) => valueOf(level))
}

function byteOf(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value + 0.5
}

/** A smooth step over all levels, as the given share of the curve; ends and middle stay. */
function withContrast(level: number, share: number): number {
  const value = Math.max(0, Math.min(1, level / 255))
  return share * 255 * value * value * (3 - 2 * value) + (1 - share) * level
}

/** Levels to add to each pixel. A smaller picture shows less of its grain. */
async function makeGrain(
  { widthPx, heightPx }: RawPicture,
  seed: number,
  scale: number,
): Promise<Float32Array> {
  const noise = new Uint8Array(widthPx * heightPx)
  let state = (seed ^ 0x9e3779b9) | 0 || 1
  for (let i = 0; i < noise.length; i++) {
    // xorshift32 (Marsaglia 2003), whose four bytes are four uniform numbers.
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    const sum = (state & 255) + ((state >>> 8) & 255) + ((state >>> 16) & 255) + (state >>> 24)
    noise[i] = sum >> 2
  }
  const soft = await blurred({ pixels: noise, widthPx, heightPx }, 1, grainSoftness * scale)
  const { mean, deviation } = spreadOf(soft.subarray(0, 65_536))
  const gain = (grainLevels * Math.sqrt(Math.min(1, scale))) / Math.max(1, deviation)
  const grain = new Float32Array(soft.length)
  for (let i = 0; i < grain.length; i++) grain[i] = (soft[i]! - mean) * gain
  return grain
}

function spreadOf(values: Uint8Array): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt(squares / values.length) }
}

/** A copy of the pixels, blurred where a standard deviation in pixels is given. */
async function blurred(
  { pixels, widthPx, heightPx }: RawPicture,
  channels: 1 | 3,
  sigma: number,
): Promise<Uint8Array> {
  if (sigma === 0) return Uint8Array.from(pixels)
  const source = sharp(pixels, { raw: { width: widthPx, height: heightPx, channels } })
  const soft = source.blur(Math.max(0.3, sigma))
  return await (channels === 1 ? soft.toColourspace('b-w') : soft).raw().toBuffer()
}
