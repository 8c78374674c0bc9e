import type { SceneLight } from '../background/scene-definition.ts'
import { trustOf } from './plan-relight.ts'
import type { LitPerson, PlacedLight, PlannedLights } from './plan-relight.ts'
import { rotateLight } from './spherical-harmonics.ts'
import type { Coefficients } from './spherical-harmonics.ts'

/** How far the user's light moves towards the scene's; the star's moves nearly all the way after it. */
const userStrength = 0.4
const userStopsMax = 0.7
/** Of a user in hard sun, where the scene has none. */
const sunlitStrength = 0.6
const sunlitStopsMax = 1
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
 * Plans how the lights move in a scene: the user's a part of the way to the scene's, the stars' to
 * where the user's then is, so that all stay in one light.
 * @param sun how far the user's light is hard sun that the scene doesn't have, 0…1
 */
export function planSceneRelight(
  user: PlacedLight,
  stars: readonly PlacedLight[],
  scene: Coefficients,
  sun: number,
): PlannedLights {
  const trusts = stars.map((star) => trustOf(user.person) * trustOf(star.person))
  const trust = Math.max(...trusts)
  if (trust === 0) return { user: undefined, stars: trusts.map(() => undefined) }
  const own = rotateLight(user.person.faceLight.coefficients, user.rotation)
  const strength = (userStrength + (sunlitStrength - userStrength) * sun) * trust
  const stopsMax = userStopsMax + (sunlitStopsMax - userStopsMax) * sun
  const towards = own.map((value, i) => value + strength * (scene[i]! - value))
  return {
    user: { towards: scene, strength, stopsMax },
    stars: trusts.map((each) =>
      each === 0 ? undefined : { towards, strength: starStrength * each, stopsMax: starStopsMax },
    ),
  }
}
