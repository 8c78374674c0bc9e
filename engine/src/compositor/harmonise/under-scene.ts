import { mapTriple } from '../../image/map-triple.ts'
import type { SceneLight } from '../background/scene-definition.ts'
import type { ColourPlanes } from '../../image/colour-planes.ts'
import { clamp } from '../../image/raster.ts'
import type { Plane } from '../../image/raster.ts'
import { luminance } from '../../image/srgb.ts'
import type { Gain } from '../blend/blend.ts'

/** No channel's light gets further from grey than by this factor. */
const tintMax = 1.13

/** The factors on linear red, green and blue of whoever stands in a scene: its exposure and a part of its colour. */
export function gainOfScene({ stops, cast }: SceneLight, surroundings: ColourPlanes): Gain {
  const exposure = 2 ** stops
  const tint = tintOf(surroundings, cast)
  return [tint[0] * exposure, tint[1] * exposure, tint[2] * exposure]
}

/** Lamps count no more than what they light. */
function meanLight({ data }: Plane): number {
  let sum = 0
  for (const light of data) sum += Math.min(1, light)
  return sum / data.length
}

/** A part of the mean colour of what surrounds the people, of brightness 1. */
function tintOf(surroundings: ColourPlanes, cast: number): Gain {
  const means = mapTriple(surroundings, (plane) => meanLight(plane) + 1e-3)
  const light = luminance(...means)
  const raw = mapTriple(means, (mean) => clamp((mean / light) ** cast, 1 / tintMax, tintMax))
  const brightness = luminance(...raw)
  return [raw[0] / brightness, raw[1] / brightness, raw[2] / brightness]
}
