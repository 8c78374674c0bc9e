import { luminance } from '../../image/srgb.ts'
import { triangleCount } from './face-surface.ts'
import type { FaceSurface } from './face-surface.ts'
import { regionWeights } from './region-weights.ts'
import type { FaceSamples } from './sample-face.ts'
import { solveCholesky } from './solve-cholesky.ts'
import { basisSize, sumBasis } from './spherical-harmonics.ts'
import type { Coefficients } from './spherical-harmonics.ts'

/** The light on a face, as estimated from its skin. */
export interface FaceLight {
  /** Of the natural logarithm of the skin's brightness over normals; the first one is its level. */
  coefficients: Coefficients
  /** How far the skin is from that light, in stops (root of the weighted mean square). */
  residual: number
  /** Share of the skin that the gate leaves, 0…1. */
  kept: number
  /** Share of the skin that is white, 0…1. */
  clipped: number
}

/** Which triangles count, and how much. */
export interface SkinGate {
  /** Area times region weight, 0 where the triangle is no plain skin. */
  weights: Float64Array
  kept: number
  clipped: number
}

/** A red value above this is white (linear; 250 of 255). */
const whiteMin = 0.956
/** Added to brightness before its logarithm, so that black has one. */
const black = 0.002
/** How far red over green may be from the skin's median (natural logarithm). */
const gateWidth = 0.22
/** Skin is at least this part of its median brightness. */
const gateDark = 0.1
/** Triangles of less weight don't count for the skin's median. */
const skinRegionMin = 0.12

/**
 * Keeps the triangles that are plain skin, and leaves out fringes, glasses, hands and white gloss:
 * what has another ratio of red to green than the face's median, or is much darker.
 */
export function gateSkin(samples: FaceSamples, surface: FaceSurface): SkinGate {
  const weights = new Float64Array(triangleCount)
  const hues = new Float64Array(triangleCount)
  const lights = lightsOf(samples)
  const skin: number[] = []
  let area = 0
  let white = 0
  let kept = 0
  for (let t = 0; t < triangleCount; t++) {
    hues[t] = Math.log((samples[t * 3]! + 0.004) / (samples[t * 3 + 1]! + 0.004))
    weights[t] = surface.areas[t]! * regionWeights[t]!
    area += weights[t]!
    if (samples[t * 3]! > whiteMin) {
      white += weights[t]!
      weights[t] = 0
    } else if (regionWeights[t]! > skinRegionMin && weights[t]! > 0) skin.push(t)
  }
  const hue = median(skin.map((t) => hues[t]!))
  const light = median(skin.map((t) => lights[t]!))
  for (let t = 0; t < triangleCount; t++) {
    if (Math.abs(hues[t]! - hue) >= gateWidth || lights[t]! <= gateDark * light) weights[t] = 0
    kept += weights[t]!
  }
  return { weights, kept: kept / (area || 1), clipped: white / (area || 1) }
}

/** Rec. 709 luminance of every triangle, linear. */
export function lightsOf(samples: FaceSamples): Float64Array {
  const lights = new Float64Array(triangleCount)
  for (let t = 0; t < triangleCount; t++) {
    lights[t] = luminance(samples[t * 3]!, samples[t * 3 + 1]!, samples[t * 3 + 2]!)
  }
  return lights
}

const roundsMost = 6
/** The least spread that residuals are taken to have, in natural logarithms. */
const spreadMin = 0.03
/** How strongly the functions of order 2 are held at 0, and how much less those of order 1. */
const ridge = 0.02
const ridgeOfFirstOrder = 0.3

/**
 * Fits the nine functions to the logarithm of the skin's brightness, by weighted least squares with
 * a little ridge, repeated with Tukey's biweight, so that the shadow of a nose or a beard bends
 * nothing. Matt skin under any surroundings is such a sum: Basri and Jacobs, "Lambertian
 * Reflectance and Linear Subspaces", PAMI 2003; the weights: Beaton and Tukey, Technometrics 1974.
 * @param lights linear brightness of every triangle
 * @param rounds fewer do for an intermediate fit
 */
export function fitLight(
  lights: Float64Array,
  surface: FaceSurface,
  gate: SkinGate,
  rounds = roundsMost,
): FaceLight {
  const { triangleBasis } = surface
  const values = lights.map((light) => Math.log(light + black))
  const used: number[] = []
  for (let t = 0; t < triangleCount; t++) if (gate.weights[t]! > 0) used.push(t)
  if (used.length < basisSize * 3) {
    return {
      coefficients: Array.from({ length: basisSize }, () => 0),
      residual: Infinity,
      ...gateOf(gate),
    }
  }
  const weights = gate.weights.slice()
  let coefficients: Coefficients = []
  const residuals = new Float64Array(triangleCount)
  for (let round = 0; round < rounds; round++) {
    coefficients = solveWeighted(used, weights, triangleBasis, values)
    for (const t of used) {
      residuals[t] = values[t]! - sumBasis(coefficients, triangleBasis, t * basisSize)
    }
    const spread = Math.max(spreadMin, 1.4826 * median(used.map((t) => Math.abs(residuals[t]!))))
    for (const t of used) {
      const far = residuals[t]! / (4 * spread)
      weights[t] = Math.abs(far) < 1 ? gate.weights[t]! * (1 - far * far) ** 2 : 0
    }
  }
  let squares = 0
  let sum = 0
  for (const t of used) {
    squares += gate.weights[t]! * residuals[t]! ** 2
    sum += gate.weights[t]!
  }
  return { coefficients, residual: Math.sqrt(squares / sum) / Math.LN2, ...gateOf(gate) }
}

function gateOf({ kept, clipped }: SkinGate): { kept: number; clipped: number } {
  return { kept, clipped }
}

function solveWeighted(
  used: readonly number[],
  weights: Float64Array,
  basis: Float64Array,
  values: Float64Array,
): Coefficients {
  const matrix = new Float64Array(basisSize * basisSize)
  const right = new Float64Array(basisSize)
  let total = 0
  for (const t of used) {
    const weight = weights[t]!
    if (weight === 0) continue
    total += weight
    const at = t * basisSize
    for (let i = 0; i < basisSize; i++) {
      const share = weight * basis[at + i]!
      right[i]! += share * values[t]!
      for (let j = 0; j <= i; j++) matrix[i * basisSize + j]! += share * basis[at + j]!
    }
  }
  for (let i = 1; i < basisSize; i++) {
    matrix[i * basisSize + i]! += ridge * total * (i <= 3 ? ridgeOfFirstOrder : 1)
  }
  return solveCholesky(matrix, right)
}

function median(values: number[]): number {
  return Float64Array.from(values).toSorted()[values.length >> 1] ?? 0
}
