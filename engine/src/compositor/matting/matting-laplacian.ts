import type { Plane, RgbImage } from '../../image/raster.ts'

/** How far single windows are regularised, in squared units of a 0…1 colour. */
const epsilon = 1e-5

/** A pixel of the band and the 5×5 pixels about it, row by row: what its window share. */
export const stencil = 25

/** The pixels that are solved for, and the equation of each. */
export interface Band {
  /** Place of each unknown in the plane. */
  places: Int32Array
  /** Which unknown stands at a place; −1 for none. */
  unknownAt: Int32Array
  /** `stencil` weights an unknown: its row of the matting Laplacian. */
  weights: Float32Array
}

/** The pixels within reach of an edge, but for the outermost two of the plane. */
export function findBand({ data, width, height }: Plane, reach: number): Band {
  const unknownAt = new Int32Array(width * height).fill(-1)
  const found: number[] = []
  for (let y = 2; y < height - 2; y++) {
    for (let x = 2, i = y * width + 2; x < width - 2; x++, i++) {
      if (data[i]! >= reach) continue
      unknownAt[i] = found.length
      found.push(i)
    }
  }
  return {
    places: Int32Array.from(found),
    unknownAt,
    weights: new Float32Array(found.length * stencil),
  }
}

/** Adds up the equations of all windows whose middle is within reach of an edge. */
export function addWindows(
  { unknownAt, weights }: Band,
  image: RgbImage,
  away: Plane,
  reach: number,
): void {
  const { width, height } = image
  const colours = new Float64Array(27)
  const solved = new Float64Array(27)
  const around = Int32Array.from(
    { length: 9 },
    (_, n) => (Math.floor(n / 3) - 1) * width + (n % 3) - 1,
  )
  const addWindow = (middle: number): void => {
    whitenWindow(image.data, middle, around, colours, solved)
    for (let p = 0; p < 9; p++) {
      const unknown = unknownAt[middle + around[p]!]!
      if (unknown >= 0) addEquation(weights, unknown, p, colours, solved)
    }
  }
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1, i = y * width + 1; x < width - 1; x++, i++) {
      if (away.data[i]! < reach) addWindow(i)
    }
  }
}

/** Adds one window to the equation of the unknown that is its pixel `p`. */
function addEquation(
  weights: Float32Array,
  unknown: number,
  p: number,
  colours: Float64Array,
  solved: Float64Array,
): void {
  // The window's pixel q lies in the stencil of its pixel p at their distance.
  const middle = unknown * stencil + 12 - (Math.floor(p / 3) * 5 + (p % 3))
  const red = solved[p * 3]!
  const green = solved[p * 3 + 1]!
  const blue = solved[p * 3 + 2]!
  for (let q = 0; q < 9; q++) {
    const alike = red * colours[q * 3]! + green * colours[q * 3 + 1]! + blue * colours[q * 3 + 2]!
    weights[middle + Math.floor(q / 3) * 5 + (q % 3)]! += (p === q ? 1 : 0) - (1 + alike) / 9
  }
}

/**
 * The colours of a window less their mean, and the same times the inverse of their covariance.
 * @param middle the window's middle pixel
 */
function whitenWindow(
  image: Uint8Array,
  middle: number,
  around: Int32Array,
  colours: Float64Array,
  solved: Float64Array,
): void {
  let red = 0
  let green = 0
  let blue = 0
  for (let n = 0; n < 9; n++) {
    const at = (middle + around[n]!) * 3
    red += colours[n * 3] = image[at]! / 255
    green += colours[n * 3 + 1] = image[at + 1]! / 255
    blue += colours[n * 3 + 2] = image[at + 2]! / 255
  }
  let rr = epsilon
  let rg = 0
  let rb = 0
  let gg = epsilon
  let gb = 0
  let bb = epsilon
  for (let n = 0; n < 27; n += 3) {
    const r = (colours[n]! -= red / 9)
    const g = (colours[n + 1]! -= green / 9)
    const b = (colours[n + 2]! -= blue / 9)
    rr += r * r
    rg += r * g
    rb += r * b
    gg += g * g
    gb += g * b
    bb += b * b
  }
  // Inverse of the symmetric 3×3 matrix by cofactors; the sums are nine times the covariance.
  const i11 = gg * bb - gb * gb
  const i12 = rb * gb - rg * bb
  const i13 = rg * gb - rb * gg
  const i22 = rr * bb - rb * rb
  const i23 = rb * rg - rr * gb
  const i33 = rr * gg - rg * rg
  const inverse = 9 / Math.max(rr * i11 + rg * i12 + rb * i13, 1e-18)
  for (let n = 0; n < 27; n += 3) {
    const r = colours[n]! * inverse
    const g = colours[n + 1]! * inverse
    const b = colours[n + 2]! * inverse
    solved[n] = i11 * r + i12 * g + i13 * b
    solved[n + 1] = i12 * r + i22 * g + i23 * b
    solved[n + 2] = i13 * r + i23 * g + i33 * b
  }
}

/** The Laplacian's rows of all unknowns times a plane. */
export function multiply({ places, weights }: Band, plane: Plane, product: Float32Array): void {
  const { data, width } = plane
  for (let n = 0; n < places.length; n++) {
    let sum = 0
    let w = n * stencil
    for (let at = places[n]! - 2 * width - 2, row = 0; row < 5; row++, at += width, w += 5) {
      sum +=
        weights[w]! * data[at]! +
        weights[w + 1]! * data[at + 1]! +
        weights[w + 2]! * data[at + 2]! +
        weights[w + 3]! * data[at + 3]! +
        weights[w + 4]! * data[at + 4]!
    }
    product[n] = sum
  }
}
