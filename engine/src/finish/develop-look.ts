import sharp from 'sharp'
import type { PictureLook } from '../arrangement.ts'
import { kernels, openArena } from '../image/kernels.ts'
import { releaseMemory } from '../release-memory.ts'
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
      const grey = 12 + 0.93 * withContrast(level, 0.25)
      const light = grey / 255
      const gold = [40 + 215 * light ** 0.85, 18 + 200 * light ** 1.05, 14 + 140 * light ** 1.3]
      const towards = (channel: number) => grey + 0.22 * (channel - grey)
      return [towards(gold[0]!), towards(gold[1]!), towards(gold[2]!)]
    },
    colour: [0.66, 0.66, 0.66],
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

/** Develops the whole picture, grain and all, as a new one; the given one where nothing changes. */
export async function developLook(
  picture: RawPicture,
  { look, warmth = 0, seed }: LookOptions,
): Promise<RawPicture> {
  if (look === 'natural' && warmth === 0) return picture
  const { widthPx, heightPx } = picture
  const scale = Math.max(widthPx, heightPx) / 1280
  const { softness, weights, tone, colour, vignette, hasGrain } = developments[look]
  const [pixels, grain] = await Promise.all([
    blurred(picture, 3, softness * scale),
    hasGrain ? makeGrain(picture, seed, scale) : noGrain,
  ])
  const tables = [
    ...levels((level) => [...tone(level), 0]).flat(),
    ...levels((level) => level * (1 + warmth * warmthStrength)),
    ...levels((level) => level * (1 - warmth * warmthStrength)),
    ...levels((level) => 1 - Math.abs(level - 120) / 170),
  ]
  const numbers = [...weights, 0, ...colour, 0, vignette, grain.mean, grain.gain]
  const arena = openArena()
  const tablesAt = arena.copyIn(Float32Array.from(tables))
  const numbersAt = arena.copyIn(Float32Array.from(numbers))
  const across = arena.copyIn(fromMiddle(widthPx))
  const down = arena.copyIn(fromMiddle(heightPx))
  const source = arena.allocate(rowsAtOnce * widthPx * 3)
  const target = arena.allocate(rowsAtOnce * widthPx * 3)
  const specks = arena.allocate(rowsAtOnce * widthPx)
  for (let y = 0; y < heightPx; y += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, heightPx - y)
    const part = pixels.subarray(y * widthPx * 3, (y + rows) * widthPx * 3)
    arena.bytes(source, part.length).set(part)
    const ofGrain = grain.specks.subarray(y * widthPx, (y + rows) * widthPx)
    arena.bytes(specks, ofGrain.length).set(ofGrain)
    const places = [tablesAt, across, down + y * 4, numbersAt] as const
    kernels.develop(source, target, specks, widthPx, rows, ...places)
    part.set(arena.bytes(target, part.length))
  }
  releaseMemory(grain.specks)
  return { ...picture, pixels }
}

/** Of each pixel of a side of the picture, the squared distance from the middle in such sides. */
function fromMiddle(sizePx: number): Float32Array {
  return Float32Array.from({ length: sizePx }, (_, n) => ((n + 0.5) / sizePx - 0.5) ** 2)
}

/** So many rows are developed at once; all of them would need much memory a second time. */
const rowsAtOnce = 64

function levels<Value>(valueOf: (level: number) => Value): Value[] {
  return Array.from({ length: 256 }, (_, level) => valueOf(level))
}

/** A smooth step over all levels, as the given share of the curve; ends and middle stay. */
function withContrast(level: number, share: number): number {
  const value = Math.max(0, Math.min(1, level / 255))
  return share * 255 * value * value * (3 - 2 * value) + (1 - share) * level
}

/** Specks as bytes; a pixel's distance from the mean, times the gain, are levels to add to it. */
interface Grain {
  specks: Uint8Array
  mean: number
  gain: number
}

const noGrain: Grain = { specks: new Uint8Array(), mean: 0, gain: 0 }

/** A smaller picture shows less of its grain. */
async function makeGrain(
  { widthPx, heightPx }: RawPicture,
  seed: number,
  scale: number,
): Promise<Grain> {
  const noise = new Uint8Array(widthPx * heightPx)
  const arena = openArena()
  const rowsAt = arena.allocate(rowsAtOnce * widthPx)
  let state = (seed ^ 0x9e3779b9) | 0 || 1
  for (let start = 0; start < noise.length; start += rowsAtOnce * widthPx) {
    const part = noise.subarray(start, start + rowsAtOnce * widthPx)
    state = kernels.fillNoise(rowsAt, part.length, state)
    part.set(arena.bytes(rowsAt, part.length))
  }
  const specks = await blurred({ pixels: noise, widthPx, heightPx }, 1, grainSoftness * scale)
  releaseMemory(noise)
  const { mean, deviation } = spreadOf(specks.subarray(0, 65_536))
  const gain = (grainLevels * Math.sqrt(Math.min(1, scale))) / Math.max(1, deviation)
  return { specks, mean, gain }
}

function spreadOf(values: Uint8Array): { mean: number; deviation: number } {
  let [sum, squares] = [0, 0]
  for (let i = 0; i < values.length; i++) {
    sum += values[i]!
    squares += values[i]! ** 2
  }
  const mean = sum / values.length
  return { mean, deviation: Math.sqrt(squares / values.length - mean ** 2) }
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
