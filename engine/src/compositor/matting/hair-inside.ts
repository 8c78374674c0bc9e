import { clamp } from '../../image/raster.ts'
import type { Plane } from '../../image/raster.ts'
import { releaseMemory } from '../../release-memory.ts'
import type { HairPixels, HairRegion } from './hair-colours.ts'
import { localColour, shareOf } from './local-colour.ts'
import type { Channels, LocalColour } from './local-colour.ts'

/** Hair far from its outline, where nothing of the background can be mixed into it. */
export interface HairInside extends LocalColour {
  /** How bright its gloss is, as a share of the way from its colour to the background's, 0…1. */
  gloss: number
  /** How much of the body below the chin has the background's colour, 0…1. */
  bodyAlike: number
}

/** Inside of hair, less background than this is known nearby (0…1). */
const insideMax = 0.08
/** Short hair has little inside: less than this, in squares of a head size. */
const insideMin = 0.3
/** How far from there the background is looked for, in head sizes. */
const behindReach = 0.5
/** How far the inside's colours are averaged, in head sizes. */
const insideReach = 0.2
/** This part of the inside isn't as bright as its gloss. */
const glossQuantile = 0.9
/** Colours nearer than this (8-bit) may be the same thing in another light. */
const likeReach = 50

/** Measures hair far from its outline; undefined where less of it is seen than long hair shows. */
export function measureInside(
  { channels, outside, hair, clothes, skipped }: HairPixels,
  own: LocalColour,
  background: LocalColour,
  { skin, headSize }: HairRegion,
): HairInside | undefined {
  const inside = { ...hair, data: new Float32Array(hair.data.length) }
  let count = 0
  for (let i = 0; i < skipped.length; i++) {
    if (hair.data[i] === 0 || background.weight.data[i]! > insideMax) continue
    if (isLike(channels, i, skin[0], skin[1], skin[2])) continue
    inside.data[i] = 1
    count++
  }
  if (count < insideMin * headSize * headSize) {
    releaseMemory(inside.data)
    return undefined
  }
  const behind = localColour(channels, outside, behindReach * headSize)
  const found = {
    ...localColour(channels, inside, insideReach * headSize),
    gloss: measureGloss(channels, inside, own, behind),
    bodyAlike: shareAlike(channels, clothes, behind),
  }
  releaseMemory(inside.data, ...behind.means.map((mean) => mean.data), behind.weight.data)
  return found
}

/** How far towards the background's colour all but the brightest of the hair's inside are. */
function measureGloss(
  channels: Channels,
  inside: Plane,
  own: LocalColour,
  behind: LocalColour,
): number {
  const counts = new Uint32Array(101)
  let count = 0
  for (let i = 0; i < inside.data.length; i++) {
    if (inside.data[i] === 0) continue
    counts[Math.round(100 * clamp(shareOf(channels, own, behind, i), 0, 1))]!++
    count++
  }
  return quantileOf(counts, glossQuantile * count) / 100
}

/** The first bin up to which so many are counted. */
function quantileOf(counts: Uint32Array, wanted: number): number {
  let sum = 0
  let bin = 0
  while (bin < counts.length - 1 && sum + counts[bin]! < wanted) sum += counts[bin++]!
  return bin
}

/** Whether a pixel has about a colour. */
function isLike(channels: Channels, i: number, red: number, green: number, blue: number): boolean {
  const toRed = channels[0].data[i]! - red
  const toGreen = channels[1].data[i]! - green
  const toBlue = channels[2].data[i]! - blue
  return toRed * toRed + toGreen * toGreen + toBlue * toBlue < likeReach * likeReach
}

/** How much of the clothes has the colour of the background about it, 0…1. */
function shareAlike(channels: Channels, clothes: Plane, { means }: LocalColour): number {
  let count = 1
  let alike = 0
  for (let i = 0; i < clothes.data.length; i++) {
    if (clothes.data[i] === 0) continue
    count++
    if (isLike(channels, i, means[0].data[i]!, means[1].data[i]!, means[2].data[i]!)) alike++
  }
  return alike / count
}
