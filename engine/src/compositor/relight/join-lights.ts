import type { LightMeasure } from '../harmonise/measure-light.ts'
import type { FaceLight } from './fit-light.ts'
import { trustOf } from './plan-relight.ts'
import type { LitPerson } from './plan-relight.ts'

/** One of several people in one photo, with what was measured of the light on their face. */
export interface LitMember extends LitPerson {
  light: LightMeasure
}

/**
 * The one light in which people of one photo stand, as all their faces tell of it: the mean of the
 * fitted lights, by how far each is to be believed, so that no fringe or dark beard speaks for all.
 * @param members at least one; of one alone it is what was measured of them
 */
export function joinLights(members: readonly LitMember[]): {
  light: LightMeasure
  faceLight: FaceLight
} {
  const [first, ...others] = members
  if (others.length === 0) return { light: first!.light, faceLight: first!.faceLight }
  const trusts = members.map(trustOf)
  const weights = trusts.some((trust) => trust > 0) ? trusts : members.map(() => 1)
  const mean = (valueOf: (member: LitMember) => number): number => meanOf(members, weights, valueOf)
  const whites = triple((c) => mean(({ light }) => light.scleraColour?.[c] ?? NaN))
  return {
    light: {
      sclera: known(mean(({ light }) => light.sclera ?? NaN)),
      scleraColour: whites.some(Number.isNaN) ? undefined : whites,
      face: mean(({ light }) => light.face),
      skinColour: triple((c) => mean(({ light }) => light.skinColour[c])),
      sideRatio: mean(({ light }) => light.sideRatio),
      contrast: mean(({ light }) => light.contrast),
      saturation: mean(({ light }) => light.saturation),
      black: mean(({ light }) => light.black),
      behind: mean(({ light }) => light.behind),
      overhead: mean(({ light }) => light.overhead),
    },
    faceLight: {
      coefficients: first!.faceLight.coefficients.map((_, i) =>
        mean(({ faceLight }) => faceLight.coefficients[i]!),
      ),
      residual: mean(({ faceLight }) => faceLight.residual),
      kept: mean(({ faceLight }) => faceLight.kept),
      clipped: mean(({ faceLight }) => faceLight.clipped),
    },
  }
}

function known(value: number): number | undefined {
  return Number.isNaN(value) ? undefined : value
}

function triple(valueOf: (channel: 0 | 1 | 2) => number): readonly [number, number, number] {
  return [valueOf(0), valueOf(1), valueOf(2)]
}

/** Of those of whom the value is known (not NaN); NaN where nobody's is. */
function meanOf(
  members: readonly LitMember[],
  weights: readonly number[],
  valueOf: (member: LitMember) => number,
): number {
  let sum = 0
  let weight = 0
  for (const [n, member] of members.entries()) {
    const value = valueOf(member)
    if (Number.isNaN(value)) continue
    sum += value * weights[n]!
    weight += weights[n]!
  }
  return sum / weight
}
