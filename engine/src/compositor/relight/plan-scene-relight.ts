import type { SceneLight } from '../background/scene-lights.ts'
import { trustOf } from './plan-relight.ts'
import type { LitPerson, RelightPlan } from './plan-relight.ts'
import { rotateLight } from './spherical-harmonics.ts'
import type { Coefficients } from './spherical-harmonics.ts'

/** How far the user's light moves towards the scene's; the star's moves nearly all the way after it. */
const userStrength = 0.4
const userStopsMax = 0.7
const starStrength = 0.85
const starStopsMax = 1.5

/** The light of a scene as coefficients. @param side where its key light comes from */
export function lightOfScene({ key, keyStops }: SceneLight, side: -1 | 1): Coefficients {
  const length = Math.hypot(...key)
  const strength = (keyStops * Math.LN2) / length
  return [0, key[0] * side * strength, key[1] * strength, key[2] * strength, 0, 0, 0, 0, 0]
}

/** The side that a face is lit from, so that a scene can be drawn with its light there. */
export function litSide({ faceLight }: LitPerson): -1 | 1 {
  return (faceLight.coefficients[1] ?? 0) < 0 ? -1 : 1
}

/**
 * Plans how both lights move in a scene: the user's a part of the way to the scene's, the star's to
 * where the user's then is, so that both stay in one light.
 * @param userRotation how far the user is rotated in the picture, radians clockwise
 */
export function planSceneRelight(
  people: { user: LitPerson; star: LitPerson },
  userRotation: number,
  scene: Coefficients,
): { user: RelightPlan; star: RelightPlan } | undefined {
  const trust = trustOf(people.user) * trustOf(people.star)
  if (trust === 0) return undefined
  const own = rotateLight(people.user.faceLight.coefficients, userRotation)
  const strength = userStrength * trust
  return {
    user: { towards: scene, strength, stopsMax: userStopsMax },
    star: {
      towards: own.map((value, i) => value + strength * (scene[i]! - value)),
      strength: starStrength * trust,
      stopsMax: starStopsMax,
    },
  }
}
