import type { HeadMeasure } from '../faces/measure-head.ts'
import { clamp } from '../../image/raster.ts'
import type { FaceLight } from './fit-light.ts'
import {
  basisSize,
  evaluateBasis,
  mirrorLight,
  sumBasis,
  rotateLight,
} from './spherical-harmonics.ts'
import type { Coefficients } from './spherical-harmonics.ts'

/** How one person's light is to be moved. */
export interface RelightPlan {
  /** The other's light in the picture's frame. */
  towards: Coefficients
  /** How far, 0…1. */
  strength: number
  /** No pixel moves further, in stops. */
  stopsMax: number
}

/** What is known of one person's light. */
export interface LitPerson {
  faceLight: FaceLight
  head: HeadMeasure
  /** Median brightness of the skin, linear. */
  skin: number
}

const starStrength = 0.85
const starStopsMax = 1.5
const userStrength = 0.25
const userStopsMax = 0.4

/** Beyond these a fitted light is a guess, and nobody is relit. */
const yawMax = (35 * Math.PI) / 180
const headSizeMin = 110
const keptMin = 0.25
const clippedMax = 0.2
const skinMin = 0.035

/** A person as they stand in the picture. */
export interface PlacedLight {
  person: LitPerson
  /** How far they are rotated in the picture, radians clockwise. */
  rotation: number
}

/** Undefined for whoever keeps their light. */
export interface PlannedLights {
  user: RelightPlan | undefined
  stars: (RelightPlan | undefined)[]
}

/**
 * Plans how the lights move towards each other: the stars' nearly the whole way, as the background is
 * the user's, and the user's a little towards the mean of theirs. Faces whose light is uncertain move
 * less or not at all.
 */
export function planRelight(user: PlacedLight, stars: readonly PlacedLight[]): PlannedLights {
  const trusts = stars.map((star) => trustOf(user.person) * trustOf(star.person))
  const towards = rotateLight(user.person.faceLight.coefficients, user.rotation)
  const trusted = stars.flatMap((star, n) =>
    trusts[n]! > 0 ? [rotateLight(star.person.faceLight.coefficients, star.rotation)] : [],
  )
  return {
    user:
      trusted.length === 0
        ? undefined
        : {
            towards: meanLight(trusted),
            strength: (userStrength * sumOf(trusts)) / trusted.length,
            stopsMax: userStopsMax,
          },
    stars: trusts.map((trust) =>
      trust === 0 ? undefined : { towards, strength: starStrength * trust, stopsMax: starStopsMax },
    ),
  }
}

function meanLight(lights: readonly Coefficients[]): Coefficients {
  return lights[0]!.map((_, i) => sumOf(lights.map((light) => light[i]!)) / lights.length)
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** How far a person's fitted light is to be believed, 0…1. */
export function trustOf({ faceLight, head, skin }: LitPerson): number {
  const { residual, kept, clipped } = faceLight
  const isGuess =
    Math.abs(head.yaw) > yawMax ||
    head.size < headSizeMin ||
    kept < keptMin ||
    clipped > clippedMax ||
    skin < skinMin ||
    !Number.isFinite(residual)
  // Of half the portraits the residual is under 0.33 stops, of nine in ten under 0.55.
  return isGuess ? 0 : clamp((1.1 - residual) / 0.5, 0.35, 1)
}

/** Normals within 60° of the camera, a grid of them. */
const frontBasis = (() => {
  const basis: number[] = []
  const values = new Float64Array(basisSize)
  for (let y = -0.85; y <= 0.86; y += 0.1) {
    for (let x = -0.85; x <= 0.86; x += 0.1) {
      const z = Math.sqrt(Math.max(0, 1 - x * x - y * y))
      if (z < 0.5) continue
      evaluateBasis(x, y, z, values, 0)
      basis.push(...values)
    }
  }
  return Float64Array.from(basis)
})()

/**
 * How different two lights are: root of the mean squared difference in stops over the normals that
 * look at the camera, their mean level left out.
 */
export function lightGap(one: Coefficients, other: Coefficients): number {
  const difference = one.map((value, i) => value - other[i]!)
  const count = frontBasis.length / basisSize
  let sum = 0
  let squares = 0
  for (let n = 0; n < count; n++) {
    const stops = sumBasis(difference, frontBasis, n * basisSize) / Math.LN2
    sum += stops
    squares += stops * stops
  }
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2))
}

/** Angle between the directions of two lights, in radians. */
export function lightAngle(one: Coefficients, other: Coefficients): number {
  const dot = one[1]! * other[1]! + one[2]! * other[2]! + one[3]! * other[3]!
  const lengths =
    Math.hypot(one[1]!, one[2]!, one[3]!) * Math.hypot(other[1]!, other[2]!, other[3]!)
  return Math.acos(clamp(dot / (lengths || 1), -1, 1))
}

/** The mirrored star's light must be nearer by this factor, as partings and moles flip with it. */
const mirrorGain = 0.75
/** Lights that are nearer than this (stops) are brought together without a mirror. */
const gapMin = 0.4

/** Whether the star's mirrored photo has a light that is much nearer to the user's. */
export function isBetterMirrored(user: LitPerson, star: LitPerson): boolean {
  if (trustOf(user) * trustOf(star) === 0) return false
  const [wanted, own] = [user.faceLight.coefficients, star.faceLight.coefficients]
  const gap = lightGap(wanted, own)
  return gap > gapMin && lightGap(wanted, mirrorLight(own)) < mirrorGain * gap
}
