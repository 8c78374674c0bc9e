import sharp from 'sharp'
import type { PictureLook } from '../arrangement.ts'
import { mapTriple } from '../image/map-triple.ts'
import { kernels, openArena } from '../image/kernels.ts'
import { releaseMemory } from '../release-memory.ts'
import looks from './looks.json' with { type: 'json' }
import type { RawPicture } from './raw-picture.ts'

/** How a look develops the whole picture (`looks.json`); levels are sRGB, 0…255. Each was preferred by strangers. */
interface Development {
  /** Standard deviation of the blur that comes first, in pixels of a picture whose long side is 1280. */
  softness: number
  /** How much each channel counts for a pixel's brightness: red, green, blue. */
  weights: Triple
  /** Share of a smooth step in the curve of the brightness, 0…1. */
  contrast: number
  /** What black becomes, and by what the levels above it are multiplied. */
  fade: { from: number; scale: number }
  /** The colours of a grey scale that greys are moved to by a share: of black, what white adds, and its power. */
  tint: { share: number; from: Triple; range: Triple; power: Triple }
  /** How much of each channel's distance from that grey stays. */
  colour: Triple
  /** How much darker it becomes for each squared distance from the middle, in sides of the picture. */
  vignette: number
  /** Standard deviation of the grain in levels; 0: none. */
  grain: number
}

type Triple = readonly [number, number, number]

const developments = { ...looks.looks, instant: looks.looks.muted } as unknown as Record<
  PictureLook,
  Development
>

/** What a grey of this level becomes: red, green, blue. */
function toneOf({ contrast, fade, tint }: Development, level: number): Triple {
  const grey = fade.from + fade.scale * withContrast(level, contrast)
  return mapTriple([0, 1, 2], (n) => {
    const tinted = tint.from[n]! + tint.range[n]! * (grey / 255) ** tint.power[n]!
    return grey + tint.share * (tinted - grey)
  })
}

/** How far full warmth moves red up and blue down. */
const warmthStrength = 0.11
/** How many times its power full brightness takes from the curve of the levels: in powers of two. */
const brightnessStrength = 0.5
/** What full contrast adds to the share of a look's smooth step. */
const contrastStrength = 0.5
/**
 * The blur of every look's grain as a softness; it is strongest at one level and would be gone at another one
 * so far away.
 */
const { softness: grainSoftness, strongestAt, goneAfter } = looks.grain

/** What a picture is developed with. */
export interface LookOptions {
  look: PictureLook
  /** −1 cooler … 1 warmer; 0 by default. */
  warmth?: number | undefined
  /** −1 darker … 1 brighter; black and white stay. */
  brightness?: number | undefined
  /** −1 flatter … 1 with darker shadows and brighter lights. */
  contrast?: number | undefined
  /** Of the grain: the same seed gives the same picture. */
  seed: number
}

/** Develops the whole picture, grain and all, as a new one; the given one where nothing changes. */
export async function developLook(
  picture: RawPicture,
  { look, warmth = 0, brightness = 0, contrast = 0, seed }: LookOptions,
): Promise<RawPicture> {
  if (look === 'natural' && !warmth && !brightness && !contrast) return picture
  const { widthPx, heightPx } = picture
  const scale = Math.max(widthPx, heightPx) / 1280
  const own = developments[look]
  const development = { ...own, contrast: own.contrast + contrast * contrastStrength }
  const power = 2 ** (-brightness * brightnessStrength)
  const brightened = (level: number) => level * (Math.max(1, level) / 255) ** (power - 1)
  const { softness, weights, colour, vignette, grain: grainLevels } = development
  const [pixels, blurGain, grain] = await Promise.all([
    blurred(picture, 3, softness * scale),
    gainOfBlur(softness * scale),
    grainLevels > 0 ? makeGrain(picture, { levels: grainLevels, seed, scale }) : noGrain,
  ])
  const tables = [
    ...levels((level) => [...toneOf(development, brightened(level / blurGain)), 0]).flat(),
    ...levels((level) => level * (1 + warmth * warmthStrength)),
    ...levels((level) => level * (1 - warmth * warmthStrength)),
    ...levels((level) => 1 - Math.abs(level - strongestAt) / goneAfter),
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
  { levels: grainLevels, seed, scale }: { levels: number; seed: number; scale: number },
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

/** What a blur multiplies every level by: libvips rounds its weights to whole numbers, up to 2 % too many or too few. */
async function gainOfBlur(sigma: number): Promise<number> {
  const [widthPx, heightPx, level] = [64, 64, 200]
  const pixels = new Uint8Array(widthPx * heightPx).fill(level)
  const flat = await blurred({ pixels, widthPx, heightPx }, 1, sigma)
  return flat[flat.length / 2 + widthPx / 2]! / level
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
