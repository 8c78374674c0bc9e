import type { ColourPlanes } from './colour-planes.ts'
import { kernels, openArena } from './kernels.ts'
import type { KernelArena } from './kernels.ts'
import { pullPush } from './pull-push.ts'
import type { Plane } from './raster.ts'

/** A picture with a hole, of which there is a guess already. */
export interface PartlyKnown {
  /** Interleaved RGB, 0…255. */
  readonly rgb: Float32Array
  /** 1 where the picture is known, 0 in the hole. */
  readonly known: Uint8Array
  readonly width: number
  readonly height: number
}

/** No level of the pyramid has a shorter side. */
const sideMin = 20
/** Up to this size matches are looked for everywhere; larger levels only follow what was found. */
const searchedPixelsMax = 6_500
const roundsOfSearch = 4
const reachOfFollowing = 4
/** Patches are squares of five pixels, as the kernels have them. */
const patchRadius = 2
/** Below this there is too little to copy from. */
const sourcesMin = 30
/**
 * What a source costs for being higher or lower than its target, in squared steps of colour for the
 * whole height: ground belongs at the bottom, sky at the top.
 */
const heightCost = 60_000

/** A level of the pyramid, and its matches; places in the kernels' memory. */
interface Level {
  width: number
  height: number
  /** Vectors: red, green, blue, 1. */
  colours: number
  known: number
  roles: number
  targets: number
  sources: number
  sourceOf: number
  costOf: number
  trust: number
}

/**
 * Fills the hole of a picture, in place, with what lies elsewhere in it, so that a curtain goes on
 * as a curtain and a hedge as a hedge. From coarse to fine every patch that reaches into the hole
 * looks for its like among the known ones, and each pixel becomes the mean of what the patches over
 * it say. Where too little is known, the guess stays.
 * Source: Wexler, Shechtman, Irani, "Space-Time Completion of Video", PAMI 2007.
 */
export function completePicture(picture: PartlyKnown): void {
  const { rgb, known, width, height } = picture
  if (Math.min(width, height) < sideMin) return
  const arena = openArena()
  const pixels = width * height
  const votes = arena.allocate(pixels * 16)
  const weights = arena.allocate(pixels * 4)
  const finest = openLevel(arena, width, height)
  arena.bytes(finest.known, pixels).set(known)
  const colours = arena.floats(finest.colours, pixels * 4).fill(1)
  for (let i = 0; i < pixels; i++) {
    for (let c = 0; c < 3; c++) colours[i * 4 + c] = rgb[i * 3 + c]!
  }
  const levels = [finest]
  for (let [level] = levels; Math.min(level!.width, level!.height) >= 2 * sideMin;) {
    const half = openLevel(arena, level!.width >> 1, level!.height >> 1)
    const { width: halfWidth, height: halfHeight } = half
    const to = [half.colours, half.known, halfWidth, halfHeight] as const
    kernels.halvePartlyKnown(level!.colours, level!.known, level!.width, ...to)
    levels.unshift(half)
    level = half
  }
  kernels.seedRandom(17)
  let coarse: Level | undefined
  for (const level of levels) {
    if (matchLevel(arena, level, coarse, { votes, weights })) coarse = level
  }
  if (coarse !== finest) return
  const filled = arena.floats(finest.colours, pixels * 4)
  for (let i = 0; i < pixels; i++) {
    for (let c = 0; known[i] === 0 && c < 3; c++) rgb[i * 3 + c] = filled[i * 4 + c]!
  }
  const trust = arena.floats(finest.trust, pixels).slice()
  joinRim(picture, arena.floats(votes, pixels * 4).slice(), trust)
}

function openLevel(arena: KernelArena, width: number, height: number): Level {
  const words = (each: number): number => arena.allocate(width * height * 4 * each)
  return {
    width,
    height,
    colours: words(4),
    known: words(1),
    roles: words(1),
    targets: words(1),
    sources: words(1),
    sourceOf: words(1),
    costOf: words(1),
    trust: words(1),
  }
}

/** Fills a level's hole; false where too little is known. `space`: a vector and a float a pixel. */
function matchLevel(
  arena: KernelArena,
  level: Level,
  coarse: Level | undefined,
  { votes, weights }: { votes: number; weights: number },
): boolean {
  const { width, height, colours, known, roles, targets, sources, sourceOf, costOf, trust } = level
  const lists = [roles, targets, sources, trust] as const
  const count = kernels.listPatches(known, width, height, patchRadius, ...lists)
  const sourceCount = (width - 2 * patchRadius) * (height - 2 * patchRadius) - count
  if (sourceCount < sourcesMin) return false
  const from = coarse ?? { roles: 0, sourceOf: 0, width: 0, height: 0 }
  const ofCoarse = [from.roles, from.sourceOf, from.width, from.height] as const
  const own = [roles, targets, count, sources, sourceCount, sourceOf] as const
  kernels.seedMatches(width, height, patchRadius, ...own, ...ofCoarse)
  const vote = (): void => {
    weigh(arena, level, count, weights)
    const ofTargets = [targets, count, sourceOf, weights] as const
    kernels.countVotes(colours, known, width, height, ...ofTargets, votes)
  }
  arena.floats(costOf, count).fill(Infinity)
  // What half the size has found is the first guess here.
  if (coarse) vote()
  const isSearched = width * height <= searchedPixelsMax
  const reach = isSearched ? Math.max(width, height) : reachOfFollowing
  for (let round = 0; round < (isSearched ? roundsOfSearch : 1); round++) {
    const matches = [roles, targets, count, sourceOf, costOf, round % 2, reach] as const
    kernels.improveMatches(colours, trust, width, height, heightCost, ...matches)
    vote()
  }
  return true
}

/** The likest sources count most, and those that stand for what is nearly known. */
function weigh(arena: KernelArena, level: Level, count: number, weights: number): void {
  const costs = arena.floats(level.costOf, count)
  const usualCost = costs.toSorted()[Math.floor(count * 0.75)] ?? 0
  const trust = arena.floats(level.trust, level.width * level.height)
  const targets = new Int32Array(costs.buffer, level.targets, count)
  const weightOf = arena.floats(weights, count)
  for (let t = 0; t < count; t++) {
    const likeness = usualCost < Infinity ? Math.exp(-costs[t]! / (2 * usualCost + 1)) : 1
    weightOf[t] = trust[targets[t]!]! * likeness + 1e-6
  }
}

/** Takes away the step at the hole's rim: the votes' error there is spread inwards and fades. */
function joinRim(
  { rgb, known, width, height }: PartlyKnown,
  votes: Float32Array,
  trust: Float32Array,
) {
  const rim = new Float32Array(known.length)
  for (let i = 0; i < rim.length; i++) rim[i] = known[i] === 1 && votes[i * 4 + 3]! > 0 ? 1 : 0
  const errorsOf = (channel: number): Plane => {
    const data = new Float32Array(rim.length)
    for (let i = 0; i < rim.length; i++) {
      data[i] = rim[i]! * (rgb[i * 3 + channel]! - votes[i * 4 + channel]!)
    }
    return { data, width, height }
  }
  const errors: ColourPlanes = [errorsOf(0), errorsOf(1), errorsOf(2)]
  const distrust = 0.3
  const spread = pullPush(errors, { data: rim, width, height })
  for (let i = 0; i < known.length; i++) {
    if (known[i] === 1) continue
    // It reaches further than trust does: to about an eighth of the width.
    const share = Math.max(0, (trust[i]! ** 0.4 - distrust) / (1 - distrust))
    for (let c = 0; c < 3; c++) rgb[i * 3 + c]! += spread[c]!.data[i]! * share
  }
}
