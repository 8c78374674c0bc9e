import type { SceneLight } from '../background/draw-scene.ts'
import type { LightMeasure } from './measure-light.ts'
import { clamp, smoothstep } from '../../image/raster.ts'
import { linearOfSrgb, luminance, srgbOfLinear } from '../../image/srgb.ts'

/** How one person's colours are changed. */
export interface LightPlan {
  /** Factors on linear red, green and blue: exposure and white balance. */
  gain: readonly [number, number, number]
  /** Exponent about the face's brightness. */
  contrast: number
  /** The brightness that contrast leaves as it is, before gain. */
  pivot: number
  /** Linear light added to black. */
  lift: number
  /** Factor on the distance from grey. */
  saturation: number
  /** log2 change of brightness over one head size to the right, about the face. */
  ramp: number
}

export const unchangedLight: LightPlan = {
  gain: [1, 1, 1],
  contrast: 1,
  pivot: 0.2,
  lift: 0,
  saturation: 1,
  ramp: 0,
}

/** How far each person may be moved towards the other, in stops. Brightening brings up noise. */
const starStopsRange = [-1.2, 0.6] as const
const userStopsMax = 0.25
/** A user before a bright background may come up further: their face is dark, their place isn't. */
const backlitStopsMax = 0.5

/**
 * Plans the light of both people. The gap of exposure is read from the whites of the eyes, which
 * are equally white in all people, and to a third from the faces; it is split, so that both move a
 * part of the way and nobody's skin tone changes. The user, whose background is the picture's,
 * moves little: it is the star who doesn't fit the place. Colour moves a small part of the way: what looks like a colour of the light may be the colour of a skin.
 */
export function planLight(
  user: LightMeasure,
  star: LightMeasure,
): { user: LightPlan; star: LightPlan } {
  const faceGap = Math.log2((user.face + 0.01) / (star.face + 0.01))
  const gap =
    user.sclera !== undefined && star.sclera !== undefined
      ? 0.65 * Math.log2((user.sclera + 0.02) / (star.sclera + 0.02)) + 0.35 * faceGap
      : 0.45 * faceGap
  const backlit = smoothstep(1, 2.5, Math.log2((user.behind + 0.01) / (user.face + 0.01)))
  const userStops = clamp(
    -gap * (0.15 + 0.35 * backlit),
    -userStopsMax,
    userStopsMax + (backlitStopsMax - userStopsMax) * backlit,
  )
  const starStops = clamp((gap + userStops) * 0.82, ...starStopsRange)
  return {
    star: planOf(star, user, starStops, 1),
    user: planOf(user, star, userStops, 0.25),
  }
}

function planOf(own: LightMeasure, other: LightMeasure, stops: number, share: number): LightPlan {
  const gain = [0, 1, 2].map((c) => {
    const skinGap = Math.log(other.skinColour[c]! / own.skinColour[c]!)
    const lightGap =
      own.scleraColour && other.scleraColour
        ? Math.log(other.scleraColour[c]! / own.scleraColour[c]!)
        : skinGap
    return clamp(Math.exp(share * (0.3 * lightGap + 0.14 * skinGap)), 0.87, 1.15)
  }) as [number, number, number]
  // White balance keeps the brightness of the skin.
  const light = luminance(
    gain[0] * own.skinColour[0],
    gain[1] * own.skinColour[1],
    gain[2] * own.skinColour[2],
  )
  const exposure = 2 ** stops / light
  return {
    gain: [gain[0] * exposure, gain[1] * exposure, gain[2] * exposure],
    contrast: clamp((other.contrast / Math.max(own.contrast, 0.2)) ** (0.5 * share), 0.8, 1.2),
    pivot: own.face,
    lift: clamp((other.black - own.black * 2 ** stops) * 0.4 * share, 0, 0.002),
    saturation: clamp(
      (other.saturation / Math.max(own.saturation, 0.05)) ** (0.2 * share),
      0.94,
      1.06,
    ),
    ramp: clamp((other.sideRatio - own.sideRatio) * 0.3 * share, -0.35, 0.35),
  }
}

/** The change of one channel for every 8-bit value, 0…255 not rounded. */
export function lightTable(plan: LightPlan, channel: 0 | 1 | 2): Float32Array {
  const table = new Float32Array(256)
  for (let value = 0; value < 256; value++) {
    const linear = linearOfSrgb[value]!
    const curved = plan.pivot * (linear / plan.pivot) ** plan.contrast
    // Contrast fades out towards white, so that highlights keep their place.
    const keep = linear * linear
    const light = (curved * (1 - keep) + linear * keep) * plan.gain[channel]
    table[value] = srgbOfLinear(softShoulder(light) * (1 - plan.lift) + plan.lift)
  }
  return table
}

/** Rolls highlights off above 0.8 instead of cutting them at 1. */
function softShoulder(light: number): number {
  if (light <= 0.8) return light
  return 0.8 + 0.2 * (1 - Math.exp(-(light - 0.8) / 0.2))
}

/** A plan under the light of a scene: both people take its tint and brightness. */
export function underScene(plan: LightPlan, scene: SceneLight): LightPlan {
  const exposure = 2 ** scene.stops
  return {
    ...plan,
    gain: [
      plan.gain[0] * scene.tint[0] * exposure,
      plan.gain[1] * scene.tint[1] * exposure,
      plan.gain[2] * scene.tint[2] * exposure,
    ],
  }
}
