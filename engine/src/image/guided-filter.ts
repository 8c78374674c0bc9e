import { kernels, openArena } from './kernels.ts'
import { clamp, createBytePlane } from './raster.ts'
import type { BytePlane, Plane, RgbImage } from './raster.ts'

/** Four floats a pixel for colours 0…1: `alpha = red·R + green·G + blue·B + constant`. */
export interface GuidedCoefficients {
  readonly data: Float32Array
  readonly width: number
  readonly height: number
}

/**
 * The guided filter with a colour guide: in every window the matte is explained as a linear
 * function of the colours, so its edge falls on the picture's edge.
 * Source: He, Sun and Tang, "Guided Image Filtering", PAMI 2013, section 3.6 (colour guide).
 * @param guide the photo, at the matte's size
 * @param epsilon how much the coefficients are held back, in squared units of a 0…1 colour
 */
export function guidedCoefficients(
  guide: RgbImage,
  matte: Plane,
  radius: number,
  epsilon: number,
): GuidedCoefficients {
  const { width, height } = matte
  const arena = openArena()
  const colours = arena.copyIn(guide.data)
  const coarse = arena.copyIn(matte.data)
  // Thirteen doubles a column, and for the blur four doubles and four floats.
  const sums = arena.allocate(width * 104)
  const vectors = arena.allocate(width * height * 16)
  const across = arena.allocate(width * height * 16)
  kernels.guidedCoefficients(colours, coarse, sums, vectors, width, height, radius, epsilon)
  kernels.blurVectorRows(vectors, across, width, height, radius)
  kernels.blurColumns(across, vectors, sums, width * 4, height, radius)
  return { data: arena.floats(vectors, width * height * 4).slice(), width, height }
}

/** Rows that are done at once; all of them together would need much memory a second time. */
const rowsAtOnce = 64

/**
 * The matte at the guide's full size from coefficients found at a smaller one.
 * Source: He and Sun, "Fast Guided Filter", 2015, https://arxiv.org/abs/1505.00996
 * @param low what becomes 0
 * @param high what becomes 255
 */
export function applyGuidedCoefficients(
  guide: RgbImage,
  small: GuidedCoefficients,
  low: number,
  high: number,
): BytePlane {
  const { width, height } = guide
  const result = createBytePlane(width, height)
  const arena = openArena()
  const coefficients = arena.copyIn(small.data)
  scaleToBytes(arena.floats(coefficients, small.data.length), low, high)
  const indices = new Int32Array(width)
  const fractions = new Float32Array(width)
  for (let x = 0; x < width; x++) {
    const place = clamp(((x + 0.5) * small.width) / width - 0.5, 0, small.width - 1)
    indices[x] = Math.floor(place)
    fractions[x] = place - indices[x]!
  }
  const indicesAt = arena.copyIn(indices)
  const fractionsAt = arena.copyIn(fractions)
  const line = arena.allocate((small.width + 1) * 16)
  const colours = arena.allocate(rowsAtOnce * width * 3)
  const target = arena.allocate(rowsAtOnce * width)
  for (let y = 0; y < height; y += rowsAtOnce) {
    const rows = Math.min(rowsAtOnce, height - y)
    const pixels = guide.data.subarray(y * width * 3, (y + rows) * width * 3)
    arena.bytes(colours, pixels.length).set(pixels)
    kernels.applyCoefficients(
      colours,
      coefficients,
      small.width,
      small.height,
      line,
      indicesAt,
      fractionsAt,
      target,
      width,
      height,
      y,
      rows,
    )
    result.data.set(arena.bytes(target, rows * width), y * width)
  }
  return result
}

/** Colours come as bytes, and the result goes from `low` to `high` as 0 to 255. */
function scaleToBytes(vectors: Float32Array, low: number, high: number): void {
  const gain = 255 / (high - low)
  for (let i = 0; i < vectors.length; i += 4) {
    vectors[i]! *= gain / 255
    vectors[i + 1]! *= gain / 255
    vectors[i + 2]! *= gain / 255
    vectors[i + 3] = vectors[i + 3]! * gain - low * gain
  }
}
