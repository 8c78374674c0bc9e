/** A picture with a hole, of which there is a guess already. */
export interface PartlyKnown {
  /** Interleaved RGB, 0…255. */
  readonly rgb: Float32Array
  /** 1 where the picture is known, 0 in the hole. */
  readonly known: Uint8Array
  readonly width: number
  readonly height: number
}

/** Patches are squares of five pixels. */
export const patchRadius = 2
const patchPixels = (2 * patchRadius + 1) ** 2

/** Below this there is too little to copy from. */
const sourcesMin = 30

/**
 * What a source costs for being higher or lower than its target, in squared steps of colour for the
 * whole height: ground belongs at the bottom, sky at the top.
 */
const heightCost = 60_000

/** For every patch that reaches into the hole, the known patch that looks most like it. */
export interface Matches {
  readonly width: number
  readonly height: number
  /** Middles of the patches that reach into the hole, as indices of pixels. */
  readonly targets: Int32Array
  /** The target that a pixel is the middle of; -1 for none. */
  readonly targetAt: Int32Array
  /** Middles of the patches that are known as a whole. */
  readonly sources: Int32Array
  readonly isSource: Uint8Array
  /** The middle of each target's source. */
  readonly sourceOf: Int32Array
  /** How unlike a target and its source are; infinite until they were compared. */
  readonly costOf: Float32Array
  /** 1 on what is known, less the deeper a pixel lies in the hole. */
  readonly trust: Float32Array
}

/** Lists what is to be matched; undefined where too little of the picture is known. */
export function openMatches({ known, width, height }: PartlyKnown): Matches | undefined {
  const isSource = new Uint8Array(width * height)
  const targetAt = new Int32Array(width * height).fill(-1)
  const targets: number[] = []
  const sources: number[] = []
  for (let y = patchRadius; y < height - patchRadius; y++) {
    for (let x = patchRadius; x < width - patchRadius; x++) {
      const i = y * width + x
      if (isWholePatch(known, width, i)) {
        isSource[i] = 1
        sources.push(i)
      } else {
        targetAt[i] = targets.length
        targets.push(i)
      }
    }
  }
  if (sources.length < sourcesMin) return undefined
  return {
    width,
    height,
    targets: Int32Array.from(targets),
    targetAt,
    sources: Int32Array.from(sources),
    isSource,
    sourceOf: new Int32Array(targets.length),
    costOf: new Float32Array(targets.length).fill(Infinity),
    trust: trustInside(known, width, height),
  }
}

function isWholePatch(known: Uint8Array, width: number, middle: number): boolean {
  for (let v = -patchRadius; v <= patchRadius; v++) {
    const row = middle + v * width
    for (let i = row - patchRadius; i <= row + patchRadius; i++) if (known[i] === 0) return false
  }
  return true
}

/** A fifth less with each pixel from the rim of the hole (city-block distance in two passes). */
function trustInside(known: Uint8Array, width: number, height: number): Float32Array {
  const trust = new Float32Array(known)
  const spread = (from: number, to: number): void => {
    trust[to] = Math.max(trust[to]!, trust[from]! * 0.83)
  }
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (x > 0) spread(i - 1, i)
      if (y > 0) spread(i - width, i)
    }
  }
  for (let y = height - 1, i = trust.length - 1; y >= 0; y--) {
    for (let x = width - 1; x >= 0; x--, i--) {
      if (x < width - 1) spread(i + 1, i)
      if (y < height - 1) spread(i + width, i)
    }
  }
  return trust.map((value) => Math.max(value, 0.05))
}

/** Begins with the matches of the picture at half the size, else with any. */
export function seedMatches(
  matches: Matches,
  coarse: Matches | undefined,
  random: () => number,
): void {
  const { targets, sourceOf, sources } = matches
  for (let t = 0; t < targets.length; t++) {
    const inherited = coarse === undefined ? -1 : inheritedSource(matches, coarse, targets[t]!)
    sourceOf[t] = inherited >= 0 ? inherited : sources[Math.floor(random() * sources.length)]!
  }
}

function inheritedSource(matches: Matches, coarse: Matches, target: number): number {
  const { width, height } = matches
  const x = target % width
  const y = (target - x) / width
  const coarseX = Math.min(Math.max(x >> 1, patchRadius), coarse.width - 1 - patchRadius)
  const coarseY = Math.min(Math.max(y >> 1, patchRadius), coarse.height - 1 - patchRadius)
  const coarseTarget = coarse.targetAt[coarseY * coarse.width + coarseX]!
  if (coarseTarget < 0) return -1
  const from = coarse.sourceOf[coarseTarget]!
  const fromX = from % coarse.width
  const sourceX = x + 2 * (fromX - coarseX)
  const sourceY = y + 2 * ((from - fromX) / coarse.width - coarseY)
  if (sourceX < 0 || sourceY < 0 || sourceX >= width || sourceY >= height) return -1
  const source = sourceY * width + sourceX
  return matches.isSource[source] === 1 ? source : -1
}

/**
 * One round of search: each target tries what its neighbours found, then random places ever closer
 * to its own. Every other round goes backwards.
 * Source: Barnes, Shechtman, Finkelstein, Goldman, "PatchMatch", SIGGRAPH 2009.
 * @param reach how far the random search begins, in pixels
 */
export function improveMatches(
  picture: PartlyKnown,
  matches: Matches,
  round: number,
  reach: number,
  random: () => number,
): void {
  const { targets } = matches
  // The picture has changed since they were compared.
  for (let t = 0; t < targets.length; t++) compareAgain(picture, matches, t)
  const isBackwards = round % 2 === 1
  const towards = isBackwards ? 1 : -1
  for (let k = 0; k < targets.length; k++) {
    const t = isBackwards ? targets.length - 1 - k : k
    tryNeighbour(picture, matches, t, towards)
    tryNeighbour(picture, matches, t, towards * matches.width)
    for (let r = reach; r >= 1; r /= 2) {
      tryNear(picture, matches, t, (random() * 2 - 1) * r, (random() * 2 - 1) * r)
    }
  }
}

function compareAgain(picture: PartlyKnown, matches: Matches, t: number): void {
  const { targets, sourceOf } = matches
  matches.costOf[t] = unlikeness(picture, matches, targets[t]!, sourceOf[t]!, Infinity)
}

/** Tries what goes on from the match of the target that lies a step (in pixels) away. */
function tryNeighbour(picture: PartlyKnown, matches: Matches, t: number, step: number): void {
  const neighbour = matches.targetAt[matches.targets[t]! + step]!
  if (neighbour >= 0) tryMatch(picture, matches, t, matches.sourceOf[neighbour]! - step)
}

/** Tries the place so many pixels away from the match that was found. */
function tryNear(
  picture: PartlyKnown,
  matches: Matches,
  t: number,
  right: number,
  down: number,
): void {
  const { width, height } = matches
  const from = matches.sourceOf[t]!
  const fromX = from % width
  const x = fromX + Math.round(right)
  const y = (from - fromX) / width + Math.round(down)
  if (x >= 0 && y >= 0 && x < width && y < height) tryMatch(picture, matches, t, y * width + x)
}

function tryMatch(picture: PartlyKnown, matches: Matches, t: number, source: number): void {
  if (matches.isSource[source] !== 1) return
  const cost = unlikeness(picture, matches, matches.targets[t]!, source, matches.costOf[t]!)
  if (cost >= matches.costOf[t]!) return
  matches.costOf[t] = cost
  matches.sourceOf[t] = source
}

/**
 * Mean squared difference of two patches, weighted by the trust in the target's pixels, with the
 * cost of their difference in height; infinite as soon as it can't be below `limit` any more.
 */
function unlikeness(
  { rgb, width, height }: PartlyKnown,
  { trust }: Matches,
  target: number,
  source: number,
  limit: number,
): number {
  const climb = (Math.floor(target / width) - Math.floor(source / width)) / height
  const climbCost = heightCost * climb * climb
  const sumMax = (limit - climbCost) * patchPixels
  let sum = 0
  let weights = 0
  for (let v = -patchRadius; v <= patchRadius; v++) {
    const row = target + v * width
    let j = (source + v * width - patchRadius) * 3
    for (let i = row - patchRadius; i <= row + patchRadius; i++, j += 3) {
      const weight = trust[i]!
      const red = rgb[i * 3]! - rgb[j]!
      const green = rgb[i * 3 + 1]! - rgb[j + 1]!
      const blue = rgb[i * 3 + 2]! - rgb[j + 2]!
      sum += weight * (red * red + green * green + blue * blue)
      weights += weight
    }
    if (sum > sumMax) return Infinity
  }
  return sum / weights + climbCost
}
