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

/**
 * Brightens and darkens a person by a field, in place; hue stays, as red, green and blue move alike.
 * What is brightened keeps its distance from grey in CIELAB and doesn't grow more colourful, as the
 * shadows of skin are redder than skin in the light.
 * Brightening fades from a brightness of 0.45 to nothing at 0.95 (linear), so that nothing turns
 * white. Darkened gloss is spared by up to 70 %, as a highlight that is only darkened turns grey.
 * @param field stops over the whole picture, at a smaller size, −2…2
 * @param skinChroma (red − blue) / brightness of plain skin; gloss, which has the light's own
 *   colour, has much less
 */
export function applyLightField(
  image: RgbImage,
  alpha: BytePlane,
  field: Plane,
  skinChroma: number,
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
  for (let y = 0; y < height; y++) {
    mixRows(field, ((y + 0.5) * field.height) / height - 0.5, stops)
    const row = data.subarray(y * width * 3, (y + 1) * width * 3)
    arena.floats(line, stops.length).set(stops)
    arena.bytes(colours, row.length).set(row)
    arena.bytes(alphas, width).set(alpha.data.subarray(y * width, (y + 1) * width))
    kernels.applyLight(colours, alphas, line, ...tables, width, skinChroma)
    row.set(arena.bytes(colours, row.length))
  }
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
