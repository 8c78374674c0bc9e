import { releaseMemory } from '../release-memory.ts'
import { clamp, createPlane } from './raster.ts'
import type { Plane, RgbImage } from './raster.ts'

/** How far from an edge the matte is solved anew, in head sizes. */
const bandReach = 0.05
/** How far single windows are held back, in squared units of a 0…1 colour. */
const epsilon = 1e-5
/** How strongly the solution is held to the given matte at the edge itself; a window counts 1. */
const hold = 0.05
/** Where the hold has doubled, in head sizes from the edge; it grows with the square. */
const holdReach = 0.02
/** Steps of the solver: with 25 the error is 0.2 % lower. */
const steps = 12

/** A pixel of the band and the 5×5 pixels about it, row by row: what its window share. */
const stencil = 25

/** The pixels that are solved for, and the equation of each. */
interface Band {
  /** Place of each unknown in the plane. */
  places: Int32Array
  /** Which unknown stands at a place; −1 for none. */
  unknownAt: Int32Array
  /** `stencil` weights an unknown: its row of the matting Laplacian. */
  weights: Float32Array
}

/**
 * Solves for the matte in a band about its edge, held softly to the given one. A filter explains
 * each window by itself; here all windows of 3×3 pixels, each a linear function of the colours,
 * must agree, so what is certain travels along strands that are wider than a filter's window.
 * Source: Levin, Lischinski and Weiss, "A Closed-Form Solution to Natural Image Matting", PAMI
 * 2008, equations 12 and 14 (matting Laplacian; the hold in place of scribbles), by conjugate
 * gradients with the diagonal as the preconditioner (Shewchuk 1994, B3).
 * @param image the photo at the matte's size
 * @param headSize in pixels of the matte
 * @returns 0…1
 */
export function solveMatte(image: RgbImage, matte: Plane, headSize: number): Plane {
  const { width, height } = matte
  const result = { ...matte, data: matte.data.slice() }
  // The windows' neighbours must lie within the plane.
  if (Math.min(width, height) < 5) return result
  const reach = bandReach * headSize
  const away = edgeDistance(matte)
  const band = findBand(away, reach)
  addWindows(band, image, away, reach + Math.SQRT2)
  const holds = new Float32Array(band.places.length)
  for (const [n, place] of band.places.entries()) {
    holds[n] = hold * (1 + (away.data[place]! / (holdReach * headSize)) ** 2)
  }
  const solved = conjugateGradients(band, holds, matte)
  for (const [n, place] of band.places.entries()) result.data[place] = clamp(solved[n]!, 0, 1)
  releaseMemory(band.weights, band.unknownAt, away.data)
  return result
}

/**
 * Distance in pixels to where a matte changes sides, by chamfer steps of 1 and √2 in two passes.
 * Source: Borgefors, "Distance Transformations in Digital Images", CVGIP 1986.
 */
function edgeDistance({ data, width, height }: Plane): Plane {
  const away = createPlane(width, height)
  const distances = away.data
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const inside = data[i]! > 0.5
      const atRight = x < width - 1 && data[i + 1]! > 0.5 !== inside
      const atLeft = x > 0 && data[i - 1]! > 0.5 !== inside
      const below = y < height - 1 && data[i + width]! > 0.5 !== inside
      const above = y > 0 && data[i - width]! > 0.5 !== inside
      distances[i] = atRight || atLeft || below || above ? 1 : Infinity
    }
  }
  const nearer = (i: number, x: number, line: number, next: number): number => {
    let least = Math.min(distances[i]!, distances[i + next]! + 1)
    least = Math.min(least, distances[i + line]! + 1)
    if (x > 0) least = Math.min(least, distances[i + line - 1]! + Math.SQRT2)
    if (x < width - 1) least = Math.min(least, distances[i + line + 1]! + Math.SQRT2)
    return least
  }
  for (let y = 1; y < height; y++) {
    for (let x = 0, i = y * width; x < width; x++, i++) {
      distances[i] = nearer(i, x, -width, x > 0 ? -1 : 0)
    }
  }
  for (let y = height - 2; y >= 0; y--) {
    for (let x = width - 1, i = y * width + x; x >= 0; x--, i--) {
      distances[i] = nearer(i, x, width, x < width - 1 ? 1 : 0)
    }
  }
  return away
}

/** The pixels within reach of an edge, but for the outermost two of the plane. */
function findBand({ data, width, height }: Plane, reach: number): Band {
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
function addWindows(
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
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1, i = y * width + 1; x < width - 1; x++, i++) {
      if (away.data[i]! >= reach) continue
      whitenWindow(image.data, i, around, colours, solved)
      for (let p = 0; p < 9; p++) {
        const unknown = unknownAt[i + around[p]!]!
        if (unknown < 0) continue
        // The window's pixel q lies in the stencil of its pixel p at their distance.
        const middle = unknown * stencil + 12 - (Math.floor(p / 3) * 5 + (p % 3))
        const red = solved[p * 3]!
        const green = solved[p * 3 + 1]!
        const blue = solved[p * 3 + 2]!
        for (let q = 0; q < 9; q++) {
          const alike =
            red * colours[q * 3]! + green * colours[q * 3 + 1]! + blue * colours[q * 3 + 2]!
          weights[middle + Math.floor(q / 3) * 5 + (q % 3)]! += (p === q ? 1 : 0) - (1 + alike) / 9
        }
      }
    }
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

/** Minimises α'Lα + Σ hold·(α − matte)² over the unknowns; what lies outside stays as it is. */
function conjugateGradients(band: Band, holds: Float32Array, matte: Plane): Float32Array {
  const { places, weights } = band
  const count = places.length
  const plane = createPlane(matte.width, matte.height)
  const product = new Float32Array(count)
  plane.data.set(matte.data)
  multiply(band, plane, product)
  const solution = new Float32Array(count)
  const residual = new Float32Array(count)
  const scaled = new Float32Array(count)
  const direction = new Float32Array(count)
  let size = 0
  for (let n = 0; n < count; n++) {
    solution[n] = matte.data[places[n]!]!
    // The hold adds nothing at the start, where the solution is the matte.
    residual[n] = -product[n]!
    scaled[n] = residual[n]! / (weights[n * stencil + 12]! + holds[n]!)
    direction[n] = scaled[n]!
    size += residual[n]! * scaled[n]!
  }
  // Outside of the band a direction is 0.
  plane.data.fill(0)
  for (let step = 0; step < steps && size > 1e-12; step++) {
    for (let n = 0; n < count; n++) plane.data[places[n]!] = direction[n]!
    multiply(band, plane, product)
    let along = 0
    for (let n = 0; n < count; n++) {
      product[n]! += holds[n]! * direction[n]!
      along += direction[n]! * product[n]!
    }
    const stride = size / along
    const before = size
    size = 0
    for (let n = 0; n < count; n++) {
      solution[n]! += stride * direction[n]!
      residual[n]! -= stride * product[n]!
      scaled[n] = residual[n]! / (weights[n * stencil + 12]! + holds[n]!)
      size += residual[n]! * scaled[n]!
    }
    const turn = size / before
    for (let n = 0; n < count; n++) direction[n] = scaled[n]! + turn * direction[n]!
  }
  releaseMemory(plane.data)
  return solution
}

/** The Laplacian's rows of all unknowns times a plane. */
function multiply({ places, weights }: Band, plane: Plane, product: Float32Array): void {
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
