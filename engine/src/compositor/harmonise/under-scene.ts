import { mapTriple } from '../../image/map-triple.ts'
import type { SceneLight } from '../background/scene-definition.ts'
import type { ColourPlanes } from '../../image/colour-planes.ts'
import { clamp } from '../../image/raster.ts'
import type { Plane } from '../../image/raster.ts'
import { luminance } from '../../image/srgb.ts'
import { sunAgainstScene } from './overhead-light.ts'
import type { LightPlan } from './plan-light.ts'

/** No channel's light gets further from grey than by this factor. */
const tintMax = 1.13

/** What hard sun on a face loses of its contrast where there is no sun, and above the face's own brightness. */
const sunContrast = 0.21
const sunHighlights = 0.4
/** What of a place's light the air and the lens scatter over people before it, and at most. */
const strayShare = 0.025
const strayMax = 0.012
/** A curve on each channel brings the channels together too; skin keeps most of its colour. */
const sunColourShare = 0.7

/**
 * A plan under the light of a scene: everybody takes its exposure, contrast and colour, and who was
 * photographed in hard sun is softened where the scene has none.
 * @param overhead how hard the light on the person comes from above, in stops
 */
export function underScene(
  plan: LightPlan,
  scene: SceneLight,
  surroundings: ColourPlanes,
  overhead: number,
): LightPlan {
  const { stops, contrast, cast } = scene
  const tint = tintOf(surroundings, cast)
  const sun = sunAgainstScene(scene, overhead)
  const softer = 1 - sunContrast * sun
  const exposure = 2 ** stops
  const stray = mapTriple(surroundings, (plane) =>
    Math.min(strayMax, strayShare * meanLight(plane)),
  )
  return {
    ...plan,
    gain: [
      plan.gain[0] * tint[0] * exposure,
      plan.gain[1] * tint[1] * exposure,
      plan.gain[2] * tint[2] * exposure,
    ],
    contrast: plan.contrast * contrast * softer,
    highlights: 1 - sunHighlights * sun,
    lift: mapTriple([0, 1, 2], (c) => plan.lift[c]! + stray[c]!),
    saturation: plan.saturation / softer ** sunColourShare,
  }
}

/** Lamps count no more than what they light. */
function meanLight({ data }: Plane): number {
  let sum = 0
  for (const light of data) sum += Math.min(1, light)
  return sum / data.length
}

/** A part of the mean colour of what surrounds the people, of brightness 1. */
export function tintOf(surroundings: ColourPlanes, cast: number): [number, number, number] {
  const means = mapTriple(surroundings, (plane) => meanLight(plane) + 1e-3)
  const light = luminance(...means)
  const raw = mapTriple(means, (mean) => clamp((mean / light) ** cast, 1 / tintMax, tintMax))
  const brightness = luminance(...raw)
  return [raw[0] / brightness, raw[1] / brightness, raw[2] / brightness]
}
