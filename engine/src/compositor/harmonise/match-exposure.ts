import { clamp, smoothstep } from '../../image/raster.ts'
import type { LightMeasure } from './measure-light.ts'

/** People may stay so far apart, in stops: within it nobody sees a difference that exposure would mend. */
const apartMax = 2
/** How much of the rest the user takes, whose background is the picture's, and at most. */
const userShare = 0.25
const userStopsMax = 0.4
/** How far a star may be moved. Brightening brings up noise. */
const starStopsRange = [-1.2, 0.6] as const

/**
 * Keeps extremes together: people more than two stops apart are brought nearer, so that a face in the dark
 * doesn't stand beside one in the sun. Everybody else keeps their exposure.
 * @returns factors on linear light, in the order of the people
 */
export function matchExposure(user: LightMeasure, stars: readonly LightMeasure[]): number[] {
  const excesses = stars.map((star) => {
    const gap = exposureGap(user, star)
    return Math.sign(gap) * Math.max(0, Math.abs(gap) - apartMax)
  })
  const mean = excesses.reduce((sum, excess) => sum + excess, 0) / excesses.length
  const userStops = clamp(-mean * userShare, -userStopsMax, userStopsMax)
  const starStops = excesses.map((excess) =>
    excess === 0 ? 0 : clamp(excess + userStops, ...starStopsRange),
  )
  return [userStops, ...starStops].map((stops) => 2 ** stops)
}

/**
 * How much brighter the user stands than a star, in stops: mostly by the whites of the eyes, which are
 * equally white in all people, so that a dark skin stays dark.
 */
function exposureGap(user: LightMeasure, star: LightMeasure): number {
  const white = Math.min(whiteTrust(user), whiteTrust(star))
  const faceGap = Math.log2((user.face + 0.01) / (star.face + 0.01))
  const whiteGap = Math.log2(((user.sclera ?? 0) + 0.02) / ((star.sclera ?? 0) + 0.02))
  return white * (0.65 * whiteGap + 0.35 * faceGap) + (1 - white) * 0.45 * faceGap
}

/**
 * How surely the brightest of the eyes is their white, 0…1: between the lids of somebody who
 * squints there are lashes and iris only, much darker than the skin.
 */
function whiteTrust({ sclera, face }: LightMeasure): number {
  return sclera === undefined ? 0 : smoothstep(0.2, 0.5, sclera / Math.max(face, 1e-3))
}
