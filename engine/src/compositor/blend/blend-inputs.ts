import type { KernelArena } from '../../image/kernels.ts'
import { clamp } from '../../image/raster.ts'
import type { BytePlane, Plane, RgbImage } from '../../image/raster.ts'
import { lightTable } from '../harmonise/plan-light.ts'
import type { LightPlan } from '../harmonise/plan-light.ts'

/** Small planes as vectors in the kernels' memory, and where each pixel of a full row lies in them. */
export interface PlanesAt {
  at: number
  width: number
  height: number
  /** Space for one row. */
  line: number
  /** For each column of the picture: index of the left one of two vectors, and the fraction. */
  indices: number
  fractions: number
}

/** @param planes up to four of one size, which become the lanes of a vector */
export function putPlanes(
  arena: KernelArena,
  planes: readonly Plane[],
  fullWidth: number,
): PlanesAt {
  const { width, height } = planes[0]!
  const vectors = new Float32Array(width * height * 4)
  for (const [lane, { data }] of planes.entries()) fillLane(vectors, lane, data)
  const indices = new Int32Array(fullWidth)
  const fractions = new Float32Array(fullWidth)
  for (let x = 0; x < fullWidth; x++) {
    const place = clamp(((x + 0.5) * width) / fullWidth - 0.5, 0, width - 1)
    indices[x] = Math.floor(place)
    fractions[x] = place - indices[x]!
  }
  return {
    at: arena.copyIn(vectors),
    width,
    height,
    line: arena.allocate((width + 1) * 16),
    indices: arena.copyIn(indices),
    fractions: arena.copyIn(fractions),
  }
}

function fillLane(vectors: Float32Array, lane: number, data: Float32Array): void {
  for (let i = 0; i < data.length; i++) vectors[i * 4 + lane] = data[i]!
}

interface LitPixels {
  image: RgbImage
  alpha: BytePlane
  light: LightPlan
  faceX: number
  headSize: number
}

/** Where a person's rows and the tables of their light lie in the kernels' memory. */
export interface PersonAt {
  colours: number
  alphas: number
  tables: number
  ramp: number
}

/** Beyond about this, in head sizes, a person's side light goes on as it is. */
const rampReach = 0.6

/** The factor of a person's side light for every column of the picture. */
export function sideRampOf({
  image,
  light,
  faceX,
  headSize,
}: Pick<LitPixels, 'image' | 'light' | 'faceX' | 'headSize'>): Float32Array {
  const ramp = new Float32Array(image.width)
  for (let x = 0; x < ramp.length; x++) {
    const away = rampReach * Math.tanh((x - faceX) / headSize / rampReach)
    // log2 of light, about 2.2 times smaller in sRGB values.
    ramp[x] = 2 ** ((light.ramp * away) / 2.2)
  }
  return ramp
}

/** Copies the tables in, and allocates the rows. */
export function putPerson(arena: KernelArena, person: LitPixels, rows: number): PersonAt {
  const { width } = person.image
  const ramp = sideRampOf(person)
  return {
    colours: arena.allocate(rows * width * 3),
    alphas: arena.allocate(rows * width),
    tables: arena.copyIn(tablesOf(person.light)),
    ramp: arena.copyIn(ramp),
  }
}

/** How much each channel counts for the grey that saturation is measured from. */
export const greyShares = [0.299, 0.587, 0.114] as const

/**
 * What every value of a channel gives to red, green and blue of the result: its own light, and its
 * share of the grey that a lower saturation mixes in. The three add up to the pixel.
 */
function tablesOf(light: LightPlan): Float32Array {
  const tables = new Float32Array(3 * 256 * 4)
  for (const channel of [0, 1, 2] as const) {
    const values = lightTable(light, channel)
    for (let value = 0; value < 256; value++) {
      const at = (channel * 256 + value) * 4
      const grey = (1 - light.saturation) * greyShares[channel] * values[value]!
      tables.fill(grey, at, at + 3)
      tables[at + channel]! += light.saturation * values[value]!
    }
  }
  return tables
}

/** Copies some of a person's rows to where `putPerson` allocated them. */
export function copyRows(
  arena: KernelArena,
  { image, alpha }: Pick<LitPixels, 'image' | 'alpha'>,
  at: PersonAt,
  y: number,
  rows: number,
): void {
  const { width } = image
  const colours = image.data.subarray(y * width * 3, (y + rows) * width * 3)
  const alphas = alpha.data.subarray(y * width, (y + rows) * width)
  arena.bytes(at.colours, colours.length).set(colours)
  arena.bytes(at.alphas, alphas.length).set(alphas)
}
