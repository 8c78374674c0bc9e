import type { ColourVectors } from '../../image/colour-vectors.ts'
import { grainTable } from '../../image/grain.ts'
import { kernels, openArena } from '../../image/kernels.ts'
import type { KernelArena } from '../../image/kernels.ts'
import type { BytePlane, Plane, RgbImage } from '../../image/raster.ts'
import { releaseMemory } from '../../release-memory.ts'
import { copyRows, putPerson, putVectors } from './blend-inputs.ts'
import { createShadow } from './soft-planes.ts'

/** Factors on linear red, green and blue. */
export type Gain = readonly [number, number, number]

export const unchanged: Gain = [1, 1, 1]

/** One person, cut out, in the picture's frame. */
export interface CutOut {
  image: RgbImage
  alpha: BytePlane
  gain: Gain
  headSize: number
}

export interface BlendOptions {
  /** Behind everybody; at a small size. */
  background: ColourVectors
  back: CutOut
  front: CutOut
}

/** How dark the front person's shadow on the back one is. */
export const shadowStrength = 0.34
/** Fall of light towards the corners (fourth power of the distance). */
const vignette = 0.14
/** Every camera has some noise; a picture with none looks drawn. Standard deviation in 8-bit steps. */
const grain = 1.6

/** Rows that are blended at once; all of them together would need much memory a second time. */
const rowsAtOnce = 32

/**
 * Lays background, back and front person over each other, with what ties them together: the front one
 * shades the back one, the lens vignettes and grains. Takes rows, so that threads can share the work.
 * @param result takes the rows from `fromRow` up to but not `toRow`
 */
export function blendRows(
  options: BlendOptions,
  result: RgbImage,
  fromRow: number,
  toRow: number,
): void {
  const { width } = options.front.image
  const arena = openArena()
  const params = layOutParams(arena, options)
  for (let y = fromRow; y < toRow; y += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, toRow - y)
    copyRows(arena, options.back, params.back, y, rows)
    copyRows(arena, options.front, params.front, y, rows)
    const pixels = params.run(y, rows)
    result.data.set(pixels, y * width * 3)
  }
}

function inFirstLane({ data, ...size }: Plane): ColourVectors {
  const vectors = new Float32Array(data.length * 4)
  for (let i = 0; i < data.length; i++) vectors[4 * i] = data[i]!
  return { data: vectors, ...size }
}

/** Lays all inputs out in the kernels' memory. */
function layOutParams(arena: KernelArena, { background, back, front }: BlendOptions) {
  const { width, height } = front.image
  // First, as it uses the same memory.
  const shade = createShadow(front)
  const shades = inFirstLane(shade)
  const behind = putVectors(arena, background, width)
  const shadow = putVectors(arena, shades, width)
  releaseMemory(shade.data, shades.data)
  const backAt = putPerson(arena, back, rowsAtOnce)
  const frontAt = putPerson(arena, front, rowsAtOnce)
  const noise = arena.copyIn(grainTable)
  const target = arena.allocate(rowsAtOnce * width * 3)
  // In the order in which the kernel reads them.
  const fixed = [
    backAt.colours,
    backAt.alphas,
    backAt.tables,
    frontAt.colours,
    frontAt.alphas,
    frontAt.tables,
    behind.at,
    behind.width,
    behind.height,
    behind.indices,
    behind.fractions,
    shadow.at,
    shadow.width,
    shadow.height,
    shadow.indices,
    shadow.fractions,
    noise,
    behind.line,
    shadow.line,
    target,
    width,
    height,
  ]
  const amounts = [grain, vignette, shadowStrength]
  const paramsBytes = (fixed.length + 2 + amounts.length) * 4
  const params = arena.allocate(paramsBytes)
  return {
    back: backAt,
    front: frontAt,
    /** Blends rows that were copied in; what it gives is valid until the next use of the arena. */
    run(y: number, rows: number): Uint8Array {
      const integers = [...fixed, y, rows]
      const { buffer } = arena.bytes(params, paramsBytes)
      new Int32Array(buffer, params, integers.length).set(integers)
      new Float32Array(buffer, params + integers.length * 4, amounts.length).set(amounts)
      kernels.blendRows(params)
      return arena.bytes(target, rows * width * 3)
    },
  }
}
