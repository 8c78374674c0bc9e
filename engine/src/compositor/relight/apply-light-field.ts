import { kernels, openArena } from '../../image/kernels.ts'
import { clamp } from '../../image/raster.ts'
import type { BytePlane, Plane, RgbImage } from '../../image/raster.ts'
import { linearOfSrgb, srgbOfLinear } from '../../image/srgb.ts'

/** Steps of the kernel's tables: a stop has 256, linear light 8192, which keeps black smooth. */
const stopSteps = 256
const stopsMax = 2
const lightSteps = 8192

const gains = Float32Array.from(
  { length: 2 * stopsMax * stopSteps + 1 },
  (_, i) => 2 ** (i / stopSteps - stopsMax),
)
const srgb = Uint8Array.from({ length: lightSteps + 1 }, (_, i) =>
  Math.round(srgbOfLinear(i / lightSteps)),
)

/** What plain skin of a person is like. */
export interface SkinColour {
  /** (red − blue) / brightness; gloss, which has the light's own colour, has much less. */
  chroma: number
  /** Nothing is brightened beyond it, linear. */
  lightMax: number
}

/**
 * Brightens and darkens a person by a field, in place; hue stays, as red, green and blue move alike.
 * What is brightened keeps its distance from grey in CIELAB and doesn't grow more colourful, as the
 * shadows of skin are redder than skin in the light.
 * Brightening fades to nothing at the brightness of the face's brightest skin and half of it more,
 * so that no patch outshines the face. Darkened gloss is spared by up to 70 %, as a highlight that is only darkened turns grey.
 * @param field stops over the whole picture, at a smaller size, −2…2
 */
export function applyLightField(
  image: RgbImage,
  alpha: BytePlane,
  field: Plane,
  { chroma, lightMax }: SkinColour,
): void {
  const { width, height, data } = image
  const stops = new Float32Array(field.width + 1)
  const indices = new Int32Array(width)
  const fractions = new Float32Array(width)
  for (let x = 0; x < width; x++) {
    const place = clamp(((x + 0.5) * field.width) / width - 0.5, 0, field.width - 1)
    indices[x] = Math.floor(place)
    fractions[x] = place - indices[x]!
  }
  const arena = openArena()
  const tables = [indices, fractions, linearOfSrgb, gains, srgb].map((table) =>
    arena.copyIn(table),
  ) as [number, number, number, number, number]
  const line = arena.allocate(stops.byteLength)
  const colours = arena.allocate(width * 3)
  const alphas = arena.allocate(width)
  const [columns, shares, ...others] = tables
  for (let y = 0; y < height; y++) {
    const matte = alpha.data.subarray(y * width, (y + 1) * width)
    const from = firstOfPerson(matte)
    const to = endOfPerson(matte)
    if (to <= from) continue
    mixRows(field, ((y + 0.5) * field.height) / height - 0.5, stops)
    const row = data.subarray((y * width + from) * 3, (y * width + to) * 3)
    arena.floats(line, stops.length).set(stops)
    arena.bytes(colours, row.length).set(row)
    arena.bytes(alphas, to - from).set(matte.subarray(from, to))
    const at = [columns + from * 4, shares + from * 4] as const
    kernels.applyLight(colours, alphas, line, ...at, ...others, to - from, chroma, lightMax)
    row.set(arena.bytes(colours, row.length))
  }
}

/** Where a row has a person first; its length where it has none. */
function firstOfPerson(matte: Uint8Array): number {
  for (let x = 0; x < matte.length; x++) if (matte[x] !== 0) return x
  return matte.length
}

/** Behind where a row has a person last; 0 where it has none. */
function endOfPerson(matte: Uint8Array): number {
  for (let x = matte.length - 1; x >= 0; x--) if (matte[x] !== 0) return x + 1
  return 0
}

/**
 * The part of the field that a pixel takes, 0…1, as the kernel has it: a brightening fades towards the
 * most light, and gloss is spared when it darkens.
 * @param light linear brightness
 * @param redOverBlue linear red minus blue
 */
export function shareOfField(
  stops: number,
  light: number,
  redOverBlue: number,
  { chroma, lightMax }: SkinColour,
): number {
  if (stops > 0) return clamp(2 * (1 - light / lightMax), 0, 1)
  if (light <= 0.12 || chroma <= 0.05) return 1
  const pale = clamp(0.85 - redOverBlue / (light * chroma), 0, 1)
  return 1 - 0.7 * pale * clamp((light - 0.12) / 0.15, 0, 1)
}

/** One row of a plane between its rows, its last value twice. */
function mixRows({ data, width, height }: Plane, place: number, line: Float32Array): void {
  const bounded = clamp(place, 0, height - 1)
  const top = Math.floor(bounded)
  const upper = top * width
  const lower = Math.min(top + 1, height - 1) * width
  const share = bounded - top
  for (let x = 0; x < width; x++) {
    line[x] = data[upper + x]! + (data[lower + x]! - data[upper + x]!) * share
  }
  line[width] = line[width - 1]!
}
