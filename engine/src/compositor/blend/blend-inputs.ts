import type { KernelArena } from '../../image/kernels.ts'
import { clamp } from '../../image/raster.ts'
import type { ColourVectors } from '../../image/colour-vectors.ts'
import { linearOfSrgb, srgbOfLinear } from '../../image/srgb.ts'
import type { CutOut } from './blend.ts'

/** Small vectors in the kernels' memory, and where each pixel of a full row lies in them. */
export interface VectorsAt {
  at: number
  width: number
  height: number
  /** Space for one row. */
  line: number
  /** For each column of the picture: index of the left one of two vectors, and the fraction. */
  indices: number
  fractions: number
}

/** Copies vectors in. */
export function putVectors(
  arena: KernelArena,
  { data, width, height }: ColourVectors,
  fullWidth: number,
): VectorsAt {
  const indices = new Int32Array(fullWidth)
  const fractions = new Float32Array(fullWidth)
  for (let x = 0; x < fullWidth; x++) {
    const place = clamp(((x + 0.5) * width) / fullWidth - 0.5, 0, width - 1)
    indices[x] = Math.floor(place)
    fractions[x] = place - indices[x]!
  }
  return {
    at: arena.copyIn(data),
    width,
    height,
    line: arena.allocate((width + 1) * 16),
    indices: arena.copyIn(indices),
    fractions: arena.copyIn(fractions),
  }
}

/** Where a person's rows and the tables of their gain lie in the kernels' memory. */
export interface PersonAt {
  colours: number
  alphas: number
  tables: number
}

/** Copies the tables in, and allocates the rows. */
export function putPerson(
  arena: KernelArena,
  { image: { width }, gain }: Pick<CutOut, 'image' | 'gain'>,
  rows: number,
): PersonAt {
  const tables = new Float32Array(3 * 256)
  for (const [channel, factor] of gain.entries()) tables.set(gainTable(factor), channel * 256)
  return {
    colours: arena.allocate(rows * width * 3),
    alphas: arena.allocate(rows * width),
    tables: arena.copyIn(tables),
  }
}

/** What every 8-bit value of a channel becomes, not rounded. White stays the most, however much is brightened. */
export function gainTable(gain: number): Float32Array {
  const table = new Float32Array(256)
  for (let value = 0; value < 256; value++) {
    const light = linearOfSrgb[value]!
    table[value] = srgbOfLinear(gain > 1 ? 1 - (1 - light) ** gain : light * gain)
  }
  return table
}

/** Copies some of a person's rows to where `putPerson` allocated them. */
export function copyRows(
  arena: KernelArena,
  { image, alpha }: Pick<CutOut, 'image' | 'alpha'>,
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
