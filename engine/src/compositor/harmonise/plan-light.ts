import { mapTriple } from '../../image/map-triple.ts'
import type { LightMeasure } from './measure-light.ts'
import { clamp, smoothstep } from '../../image/raster.ts'
import { linearOfSrgb, luminance, srgbOfLinear } from '../../image/srgb.ts'

/** How one person's colours are changed. */
export interface LightPlan {
  /** Factors on linear red, green and blue: exposure and white balance. */
  gain: readonly [number, number, number]
  /** Exponent about the face's brightness. */
  contrast: number
  /** Factor on that exponent above the face's brightness, at most 1. */
  highlights: number
  /** The brightness that contrast leaves as it is, before gain. */
  pivot: number
  /** Linear red, green and blue light added to black. */
  lift: readonly [number, number, number]
  /** Factor on the distance from grey. */
  saturation: number
  /** log2 change of brightness over one head size to the right, about the face. */
  ramp: number
}

export const unchangedLight: LightPlan = {
  gain: [1, 1, 1],
  contrast: 1,
  highlights: 1,
  pivot: 0.2,
  lift: [0, 0, 0],
  saturation: 1,
  ramp: 0,
}

/** How much of a star's colour, contrast and side light the user moves. */
const userShare = 0.25
/** How far each person may be moved towards the other, in stops. Brightening brings up noise. */
const starStopsRange = [-1.2, 0.6] as const
const userStopsMax = 0.25
/** A user before a bright background may come up further: their face is dark, their place isn't. */
const backlitStopsMax = 0.5

/** How far white balance moves along the colours of daylight (natural logarithm of red and of blue). */
const warmthMax = 0.1
/** How far it moves between green and purple, which no daylight does: white cloth must stay white. */
const greenMax = 0.03
/** Gloss and deep shadows of a raised contrast look painted, so it is rather lowered. */
const contrastRange = [0.74, 1.12] as const
/**
 * Who stands in the harder light is softened by at least this share, the user too: a face in hard sun
 * looks pasted beside a soft one, and a softer one fits any place.
 */
const softenShare = 0.6
/**
 * Both halves of a face are less than half a head apart, so a ramp of this many stops over a head
 * size closes half of a gap of one stop.
 */
const rampPerGap = 1.2
/** Half of the skin moves by about a fifth of it, which is two steps of lightness. */
const rampMax = 0.5

/**
 * Plans the light of the user and of one or more stars. The gap of exposure is read from the whites of the eyes, which
 * are equally white in all people, and to a third from the faces; it is split, so that all move a
 * part of the way and nobody's skin tone changes. The user, whose background is the
 * picture's, moves little: it is the star who doesn't fit the place. Colour moves a small part of
 * the way: what looks like a colour of the light may be the colour of a skin.
 */
export function planLight(
  user: LightMeasure,
  stars: readonly LightMeasure[],
): { user: LightPlan; stars: LightPlan[] } {
  const gaps = stars.map((star) => exposureGap(user, star))
  const gap = meanOf(gaps.map((each) => each.stops))
  const backlit = smoothstep(1, 2.5, Math.log2((user.behind + 0.01) / (user.face + 0.01)))
  const userStops = clamp(
    -gap * (0.15 + 0.35 * backlit),
    -userStopsMax,
    userStopsMax + (backlitStopsMax - userStopsMax) * backlit,
  )
  const userPlans = stars.map((star, n) =>
    planOf(user, star, userStops, { share: userShare, white: gaps[n]!.white }),
  )
  return {
    user: meanPlan(userPlans),
    stars: stars.map((star, n) => {
      const { stops, white } = gaps[n]!
      const starStops = clamp((stops + userStops) * 0.82, ...starStopsRange)
      return planOf(star, user, starStops, { share: 1, white })
    }),
  }
}

/** How much brighter the user stands than a star, in stops, and how far the whites are believed. */
function exposureGap(user: LightMeasure, star: LightMeasure): { stops: number; white: number } {
  const white = Math.min(whiteTrust(user), whiteTrust(star))
  const faceGap = Math.log2((user.face + 0.01) / (star.face + 0.01))
  const whiteGap = Math.log2(((user.sclera ?? 0) + 0.02) / ((star.sclera ?? 0) + 0.02))
  const stops = white * (0.65 * whiteGap + 0.35 * faceGap) + (1 - white) * 0.45 * faceGap
  return { stops, white }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Between plans of one person towards several others. */
function meanPlan(plans: readonly LightPlan[]): LightPlan {
  const mean = (valueOf: (plan: LightPlan) => number): number => meanOf(plans.map(valueOf))
  return {
    gain: [
      mean((plan) => plan.gain[0]),
      mean((plan) => plan.gain[1]),
      mean((plan) => plan.gain[2]),
    ],
    contrast: mean((plan) => plan.contrast),
    highlights: mean((plan) => plan.highlights),
    pivot: mean((plan) => plan.pivot),
    lift: mapTriple([0, 1, 2], (c) => mean((plan) => plan.lift[c]!)),
    saturation: mean((plan) => plan.saturation),
    ramp: mean((plan) => plan.ramp),
  }
}

/**
 * How surely the brightest of the eyes is their white, 0…1: between the lids of somebody who
 * squints there are lashes and iris only, much darker than the skin.
 */
function whiteTrust({ sclera, face }: LightMeasure): number {
  return sclera === undefined ? 0 : smoothstep(0.2, 0.5, sclera / Math.max(face, 1e-3))
}

/**
 * @param stops of exposure
 * @param share how far one person moves towards the other, 0…1
 * @param white how far the whites of the eyes are to be believed, 0…1
 */
function planOf(
  own: LightMeasure,
  other: LightMeasure,
  stops: number,
  { share, white }: { share: number; white: number },
): LightPlan {
  const gain = whiteBalance(own, other, share, white)
  // White balance keeps the brightness of the skin.
  const light = luminance(
    gain[0] * own.skinColour[0],
    gain[1] * own.skinColour[1],
    gain[2] * own.skinColour[2],
  )
  const exposure = 2 ** stops / light
  const contrastRatio = other.contrast / Math.max(own.contrast, 0.2)
  const contrastShare = contrastRatio < 1 ? Math.max(share, softenShare) : share
  const contrast = clamp(contrastRatio ** (0.6 * contrastShare), ...contrastRange)
  const saturation = (other.saturation / Math.max(own.saturation, 0.05)) ** (0.2 * share)
  const lift = clamp((other.black - own.black * 2 ** stops) * 0.4 * share, 0, 0.002)
  return {
    gain: [gain[0] * exposure, gain[1] * exposure, gain[2] * exposure],
    contrast,
    highlights: 1,
    pivot: own.face,
    lift: [lift, lift, lift],
    // A curve on each channel spreads the channels too, so that skin would turn orange.
    saturation: clamp(saturation, 0.94, 1.06) / contrast ** 0.6,
    ramp: clamp((other.sideRatio - own.sideRatio) * rampPerGap * share, -rampMax, rampMax),
  }
}

/** Factors on red, green and blue that bring one light's colour a part of the way to the other's. */
function whiteBalance(
  own: LightMeasure,
  other: LightMeasure,
  share: number,
  white: number,
): readonly [number, number, number] {
  const [red, green, blue] = mapTriple([0, 1, 2], (c) => {
    const skinGap = Math.log(other.skinColour[c]! / own.skinColour[c]!)
    const whiteGap =
      own.scleraColour && other.scleraColour
        ? Math.log(other.scleraColour[c]! / own.scleraColour[c]!)
        : 0
    return share * (0.3 * white * whiteGap + 0.14 * skinGap)
  })
  const warmth = clamp((red - blue) / 2, -warmthMax, warmthMax)
  const purple = clamp((red + blue) / 2 - green, -greenMax, greenMax)
  return [Math.exp(purple / 3 + warmth), Math.exp((-2 * purple) / 3), Math.exp(purple / 3 - warmth)]
}

/** The change of one channel for every 8-bit value, 0…255 not rounded. */
export function lightTable(plan: LightPlan, channel: 0 | 1 | 2): Float32Array {
  const table = new Float32Array(256)
  for (let value = 0; value < 256; value++) {
    const linear = linearOfSrgb[value]!
    const above = smoothstep(0.5, 3, linear / plan.pivot)
    const exponent = plan.contrast * (1 + (plan.highlights - 1) * above)
    const curved = linear * contrastFactor(linear / plan.pivot, exponent)
    // Contrast fades out towards white, so that highlights keep their place.
    const keep = plan.highlights * linear * linear
    const light = (curved * (1 - keep) + linear * keep) * plan.gain[channel]
    table[value] = srgbOfLinear(softShoulder(light) * (1 - plan.lift[channel]) + plan.lift[channel])
  }
  return table
}

/** Shadows on skin lie within the first of these, in stops below the face; from the second on is black hair. */
const shadowStops = 2.4
const blackStops = 5.5

/**
 * What contrast does to a brightness, as a factor. It fades out below the shadows on skin: softened all the
 * way down, black hair would turn grey.
 * @param ratio to the face's brightness
 */
function contrastFactor(ratio: number, exponent: number): number {
  const below = Math.min(100, -Math.log2(Math.max(ratio, 1e-6)))
  if (below <= shadowStops) return ratio ** (exponent - 1)
  return 2 ** ((1 - exponent) * shadowStops * (1 - smoothstep(shadowStops, blackStops, below)))
}

/** Rolls highlights off above 0.8 instead of cutting them at 1. */
function softShoulder(light: number): number {
  if (light <= 0.8) return light
  return 0.8 + 0.2 * (1 - Math.exp(-(light - 0.8) / 0.2))
}
