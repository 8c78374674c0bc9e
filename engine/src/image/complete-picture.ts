import type { ColourPlanes } from './colour-planes.ts'
import { improveMatches, openMatches, patchRadius, seedMatches } from './match-patches.ts'
import type { Matches, PartlyKnown } from './match-patches.ts'
import { pullPush } from './pull-push.ts'
import type { Plane } from './raster.ts'
import { randomFrom } from './random-from.ts'

/** No level of the pyramid has a shorter side. */
const sideMin = 20
/** Up to this size matches are looked for everywhere; larger levels only follow what was found. */
const searchedPixelsMax = 6_500
const roundsOfSearch = 4
const reachOfFollowing = 4

/**
 * Fills the hole of a picture, in place, with what lies elsewhere in it, so that a curtain goes on
 * as a curtain and a hedge as a hedge. From coarse to fine every patch that reaches into the hole
 * looks for its like among the known ones, and each pixel becomes the mean of what the patches over
 * it say. Where too little is known, the guess stays.
 * Source: Wexler, Shechtman, Irani, "Space-Time Completion of Video", PAMI 2007.
 */
export function completePicture(picture: PartlyKnown): void {
  const levels: PartlyKnown[] = []
  for (
    let level = picture;
    Math.min(level.width, level.height) >= sideMin;
    level = halvePartlyKnown(level)
  ) {
    levels.unshift(level)
  }
  const random = randomFrom(17)
  let coarse: Matches | undefined
  for (const level of levels) {
    const matches = openMatches(level)
    if (matches === undefined) continue
    seedMatches(matches, coarse, random)
    // What half the size has found is the first guess here.
    if (coarse !== undefined) fillFromVotes(level, countVotes(level, matches))
    const isSearched = level.width * level.height <= searchedPixelsMax
    const reach = isSearched ? Math.max(level.width, level.height) : reachOfFollowing
    const rounds = isSearched ? roundsOfSearch : 1
    for (let round = 0; round < rounds; round++) {
      improveMatches(level, matches, round, reach, random)
      const votes = countVotes(level, matches)
      fillFromVotes(level, votes)
      if (level === picture && round === rounds - 1) joinRim(level, votes, matches.trust)
    }
    coarse = matches
  }
}

/** What the patches over each pixel say of it, the likest most. */
interface Votes {
  /** Interleaved RGB, 0…255; 0 where no patch lies. */
  readonly rgb: Float32Array
  /** 0 where no patch lies. */
  readonly weights: Float32Array
}

function countVotes({ rgb, known, width }: PartlyKnown, matches: Matches): Votes {
  const { targets, sourceOf, costOf, trust } = matches
  const usualCost = costOf.toSorted()[Math.floor(costOf.length * 0.75)] ?? 0
  const sums = new Float32Array(rgb.length)
  const weights = new Float32Array(known.length)
  for (let t = 0; t < targets.length; t++) {
    const likeness = usualCost < Infinity ? Math.exp(-costOf[t]! / (2 * usualCost + 1)) : 1
    const weight = trust[targets[t]!]! * likeness + 1e-6
    for (let v = -patchRadius; v <= patchRadius; v++) {
      const row = targets[t]! + v * width
      let j = (sourceOf[t]! + v * width - patchRadius) * 3
      for (let i = row - patchRadius; i <= row + patchRadius; i++, j += 3) {
        sums[i * 3]! += rgb[j]! * weight
        sums[i * 3 + 1]! += rgb[j + 1]! * weight
        sums[i * 3 + 2]! += rgb[j + 2]! * weight
        weights[i]! += weight
      }
    }
  }
  for (let i = 0, at = 0; i < weights.length; i++, at += 3) {
    const weight = weights[i]!
    if (weight === 0) continue
    sums[at]! /= weight
    sums[at + 1]! /= weight
    sums[at + 2]! /= weight
  }
  return { rgb: sums, weights }
}

function fillFromVotes({ rgb, known }: PartlyKnown, votes: Votes): void {
  for (let i = 0; i < known.length; i++) {
    if (known[i] === 1 || votes.weights[i] === 0) continue
    for (let c = 0; c < 3; c++) rgb[i * 3 + c] = votes.rgb[i * 3 + c]!
  }
}

/**
 * Takes the step at the rim of the hole away: by how much the votes are wrong where the picture is
 * known is spread into the hole and fades there.
 */
function joinRim({ rgb, known, width, height }: PartlyKnown, votes: Votes, trust: Float32Array) {
  const rim = new Float32Array(known.length)
  for (let i = 0; i < rim.length; i++) rim[i] = known[i] === 1 && votes.weights[i]! > 0 ? 1 : 0
  const errorsOf = (channel: number): Plane => {
    const data = new Float32Array(rim.length)
    for (let i = 0, at = channel; i < rim.length; i++, at += 3) {
      data[i] = rim[i]! * (rgb[at]! - votes.rgb[at]!)
    }
    return { data, width, height }
  }
  const errors: ColourPlanes = [errorsOf(0), errorsOf(1), errorsOf(2)]
  const spread = pullPush(errors, { data: rim, width, height })
  for (let i = 0; i < known.length; i++) {
    if (known[i] === 1) continue
    // It reaches further than trust does: to about an eighth of the width.
    const share = Math.max(0, (trust[i]! ** 0.4 - 0.3) / 0.7)
    for (let c = 0; c < 3; c++) rgb[i * 3 + c]! += spread[c]!.data[i]! * share
  }
}

/** Half the size. A pixel is known where half of its four are, and then has their colour. */
function halvePartlyKnown({ rgb, known, width, height }: PartlyKnown): PartlyKnown {
  const half = {
    rgb: new Float32Array((width >> 1) * (height >> 1) * 3),
    known: new Uint8Array((width >> 1) * (height >> 1)),
    width: width >> 1,
    height: height >> 1,
  }
  for (let y = 0, i = 0; y < half.height; y++) {
    for (let x = 0; x < half.width; x++, i++) {
      const first = 2 * y * width + 2 * x
      const four = [first, first + 1, first + width, first + width + 1] as const
      const count = known[four[0]]! + known[four[1]]! + known[four[2]]! + known[four[3]]!
      half.known[i] = count >= 2 ? 1 : 0
      for (const j of four) {
        const share = count < 2 ? 0.25 : known[j]! / count
        for (let c = 0; c < 3; c++) half.rgb[i * 3 + c]! += rgb[j * 3 + c]! * share
      }
    }
  }
  return half
}
