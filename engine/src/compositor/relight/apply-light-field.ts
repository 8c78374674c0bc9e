import { clamp } from '../raster.ts'
import type { BytePlane, Plane, RgbImage } from '../raster.ts'
import { linearOfSrgb, luminance, srgbOfLinear } from '../srgb.ts'

/** Steps of the tables: a stop has 256, linear light 8192, which keeps black smooth. */
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

/** Brightening fades between these brightnesses (linear), so that nothing turns white. */
const brightenedFully = 0.45
const brightenedNoMore = 0.95
/** How much of a darkening gloss is spared, as a highlight that is only darkened turns grey. */
const glossKept = 0.7

/**
 * Brightens and darkens a person by a field, in place; hue stays, as red, green and blue move alike.
 * @param field stops over the whole picture, at a smaller size
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
  const line = new Float32Array(field.width + 1)
  const places = new Int32Array(width)
  const shares = new Float32Array(width)
  for (let x = 0; x < width; x++) {
    const place = clamp(((x + 0.5) * field.width) / width - 0.5, 0, field.width - 1)
    places[x] = Math.floor(place)
    shares[x] = place - places[x]!
  }
  for (let y = 0, i = 0; y < height; y++) {
    mixRows(field, ((y + 0.5) * field.height) / height - 0.5, line)
    for (let x = 0; x < width; x++, i++) {
      if (alpha.data[i] === 0) continue
      const place = places[x]!
      const stops = line[place]! + (line[place + 1]! - line[place]!) * shares[x]!
      const at = i * 3
      const r = linearOfSrgb[data[at]!]!
      const g = linearOfSrgb[data[at + 1]!]!
      const b = linearOfSrgb[data[at + 2]!]!
      const gain =
        gains[((heldStops(stops, r, g, b, skinChroma) + stopsMax) * stopSteps + 0.5) | 0]!
      data[at] = toSrgb(r * gain)
      data[at + 1] = toSrgb(g * gain)
      data[at + 2] = toSrgb(b * gain)
    }
  }
}

function heldStops(stops: number, r: number, g: number, b: number, skinChroma: number): number {
  const light = luminance(r, g, b)
  if (stops > 0) {
    if (light <= brightenedFully) return stops
    return light >= brightenedNoMore
      ? 0
      : (stops * (brightenedNoMore - light)) / (brightenedNoMore - brightenedFully)
  }
  if (light <= 0.12 || skinChroma <= 0.05) return stops
  const paleness = clamp(0.85 - (r - b) / (light * skinChroma), 0, 1)
  return stops * (1 - glossKept * paleness * clamp((light - 0.12) / 0.15, 0, 1))
}

function toSrgb(light: number): number {
  const step = (light * lightSteps + 0.5) | 0
  return srgb[step > lightSteps ? lightSteps : step]!
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
