import { releaseMemory } from '../../release-memory.ts'
import { clamp, createPlane } from '../../image/raster.ts'
import type { Plane, RgbImage } from '../../image/raster.ts'
import { edgeDistance } from '../../image/edge-distance.ts'
import { addWindows, findBand, multiply, stencil } from './matting-laplacian.ts'
import type { Band } from './matting-laplacian.ts'

/** How far from an edge the matte is solved anew, in head sizes. */
const bandReach = 0.05
/** Weight of the given matte at the edge itself (data fidelity); a window counts 1. */
const fidelityAtEdge = 0.05
/** Where that weight has doubled, in head sizes from the edge; it grows with the square. */
const fidelityReach = 0.02
/** Steps of the solver: with 25 the error is 0.2 % lower. */
const steps = 12

/**
 * Solves for the matte in a band about its edge, near to the given one. A filter explains
 * each window by itself; here all windows of 3×3 pixels, each a linear function of the colours,
 * must agree, so what is certain travels along strands that are wider than a filter's window.
 * Source: Levin, Lischinski and Weiss, "A Closed-Form Solution to Natural Image Matting", PAMI
 * 2008, equations 12 and 14 (matting Laplacian; the given matte in place of scribbles), by conjugate
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
  const fidelity = new Float32Array(band.places.length)
  for (let n = 0; n < fidelity.length; n++) {
    const distance = away.data[band.places[n]!]! / (fidelityReach * headSize)
    fidelity[n] = fidelityAtEdge * (1 + distance ** 2)
  }
  const solved = conjugateGradients(band, fidelity, matte)
  for (let n = 0; n < solved.length; n++) result.data[band.places[n]!] = clamp(solved[n]!, 0, 1)
  releaseMemory(band.weights, band.unknownAt, away.data, fidelity, solved)
  return result
}

/** Minimises α'Lα + Σ fidelity·(α − matte)² over the unknowns; what lies outside stays as it is. */
function conjugateGradients(band: Band, fidelity: Float32Array, matte: Plane): Float32Array {
  const { places } = band
  const count = places.length
  const plane = createPlane(matte.width, matte.height)
  const product = new Float32Array(count)
  plane.data.set(matte.data)
  multiply(band, plane, product)
  const solution = new Float32Array(count)
  const residual = new Float32Array(count)
  const scaled = new Float32Array(count)
  for (let n = 0; n < count; n++) solution[n] = matte.data[places[n]!]!
  // The fidelity adds nothing at the start, where the solution is the matte.
  addScaled(residual, -1, product)
  let error = precondition(band, fidelity, residual, scaled)
  const direction = scaled.slice()
  // Outside of the band a direction is 0.
  plane.data.fill(0)
  for (let step = 0; step < steps && error > 1e-12; step++) {
    scatter(direction, places, plane.data)
    multiply(band, plane, product)
    const alpha = error / addFidelity(product, fidelity, direction)
    addScaled(solution, alpha, direction)
    addScaled(residual, -alpha, product)
    const before = error
    error = precondition(band, fidelity, residual, scaled)
    addToScaled(direction, error / before, scaled)
  }
  releaseMemory(plane.data, product, residual, scaled, direction)
  return solution
}

function scatter(values: Float32Array, places: Int32Array, target: Float32Array): void {
  for (let n = 0; n < places.length; n++) target[places[n]!] = values[n]!
}

/** Scales the target and adds a vector. */
function addToScaled(target: Float32Array, factor: number, vector: Float32Array): void {
  for (let n = 0; n < target.length; n++) target[n] = vector[n]! + factor * target[n]!
}

function addScaled(target: Float32Array, factor: number, vector: Float32Array): void {
  for (let n = 0; n < target.length; n++) target[n]! += factor * vector[n]!
}

/** Divides the residual by the diagonal; @returns its product with the result. */
function precondition(
  { weights }: Band,
  fidelity: Float32Array,
  residual: Float32Array,
  scaled: Float32Array,
): number {
  let product = 0
  for (let n = 0; n < residual.length; n++) {
    scaled[n] = residual[n]! / (weights[n * stencil + 12]! + fidelity[n]!)
    product += residual[n]! * scaled[n]!
  }
  return product
}

/** Adds the fidelity's part to the Laplacian's; @returns the sum's product with the direction. */
function addFidelity(
  product: Float32Array,
  fidelity: Float32Array,
  direction: Float32Array,
): number {
  let along = 0
  for (let n = 0; n < product.length; n++) {
    product[n]! += fidelity[n]! * direction[n]!
    along += direction[n]! * product[n]!
  }
  return along
}
