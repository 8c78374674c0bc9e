import { mapTriple } from '../../image/map-triple.ts'
import { gaussianBlur } from '../../image/box-blur.ts'
import { clamp, createPlane } from '../../image/raster.ts'
import type { BytePlane, Plane, Point, RgbImage } from '../../image/raster.ts'
import { releaseMemory } from '../../release-memory.ts'

/** Where hair can be, in the matte's pixels. */
export interface HairRegion {
  headSize: number
  /** Middle of the face. */
  centre: Point
  /** Rows below this one are left as they are. */
  chinY: number
  /** Not 0 in the oval of the face, which stays closed; as large as the matte. */
  face: BytePlane
  /** Mean colour of the skin, 0…255: ears and necks are no background, whatever they are like. */
  skin: readonly [number, number, number]
}

/** A rectangle of the matte, in its pixels. */
export interface Part {
  left: number
  top: number
  width: number
  height: number
}

/** Means of one kind of pixels about every pixel of a part. */
export interface LocalColour {
  /** Of the three channels, 0…255. */
  means: readonly [Plane, Plane, Plane]
  /** How much is known nearby, 0…1. */
  weight: Plane
}

/** The same, with the mean of the three channels' standard deviations. */
export interface SpreadColour extends LocalColour {
  spread: Plane
}

/** Hair far from its outline, where nothing of the background can be mixed into it. */
export interface HairInside extends LocalColour {
  /** How bright its gloss is, as a share of the way from its colour to the background's, 0…1. */
  gloss: number
  /** How much of the body below the chin has the background's colour, 0…1. */
  bodyAlike: number
}

/** The colours about a head, in a part of the matte. */
export interface HairColours {
  part: Part
  background: SpreadColour
  hair: SpreadColour
  clothes: LocalColour
  /** Hair far from its outline; undefined where little is seen. */
  inside: HairInside | undefined
  /** Middle of the face in the matte, and the chin's row in it. */
  centre: Point
  chinY: number
  headSize: number
  skin: HairRegion['skin']
  /** Not 0 where no hair is, in the face. */
  skipped: Uint8Array
}

/** How far colours of known background and known hair are averaged, in head sizes. */
const colourReach = 0.12
/** How far from clothes a shoulder may be raised, in head sizes. */
const clothesReach = 0.25

/** A part's own channels, 0…255, and which of its pixels are of one kind for sure (1, else 0). */
export interface HairPixels {
  channels: readonly [Plane, Plane, Plane]
  outside: Plane
  hair: Plane
  clothes: Plane
  /** Not 0 where no hair is, in the face. */
  skipped: Uint8Array
}

/**
 * Sorts the pixels about a head into background, hair and clothes.
 * @param matte 0…1, as large as the image
 */
export function sortHairPixels(
  image: RgbImage,
  matte: Plane,
  region: HairRegion,
  part: Part,
): HairPixels {
  const { width, height } = part
  const channels = mapTriple([0, 1, 2], () => createPlane(width, height))
  const outside = createPlane(width, height)
  const hair = createPlane(width, height)
  const clothes = createPlane(width, height)
  const skipped = new Uint8Array(width * height)
  const chinRow = region.chinY - part.top
  for (let y = 0; y < height; y++) {
    const place = { at: (y + part.top) * matte.width + part.left, i: y * width, width }
    const known = { outside: outside.data, own: (y < chinRow ? hair : clothes).data, skipped }
    sortRow(matte.data, region.face.data, place, known)
    for (let c = 0; c < 3; c++) copyChannel(image.data, c, place, channels[c]!.data)
  }
  return { channels, outside, hair, clothes, skipped }
}

/** Where a row of the part begins, in the matte and in the part. */
interface Row {
  at: number
  i: number
  width: number
}

function sortRow(
  matte: Float32Array,
  face: Uint8Array,
  { at, i, width }: Row,
  known: { outside: Float32Array; own: Float32Array; skipped: Uint8Array },
): void {
  for (let x = 0; x < width; x++) {
    const alpha = matte[at + x]!
    const inFace = face[at + x]!
    known.outside[i + x] = alpha < 0.04 ? 1 : 0
    known.skipped[i + x] = inFace
    if (alpha > 0.96 && inFace === 0) known.own[i + x] = 1
  }
}

function copyChannel(
  image: Uint8Array,
  channel: number,
  { at, i, width }: Row,
  target: Float32Array,
): void {
  for (let x = 0, from = at * 3 + channel; x < width; x++, from += 3) target[i + x] = image[from]!
}

/** Measures the colours of background, hair and clothes about a head. */
export function measureHairColours(
  { channels, outside, hair, clothes, skipped }: HairPixels,
  region: HairRegion,
  part: Part,
): HairColours {
  const sigma = colourReach * region.headSize
  const background = spreadColour(channels, outside, sigma)
  const own = measureHair(channels, hair, background, sigma)
  return {
    part,
    background,
    hair: own,
    inside: measureInside({ channels, outside, hair, clothes, skipped }, own, background, region),
    clothes: localColour(channels, clothes, clothesReach * region.headSize),
    centre: region.centre,
    chinY: region.chinY,
    headSize: region.headSize,
    skin: region.skin,
    skipped,
  }
}

/** Nearer to the background than this part of the way, what the matte calls hair may be a gap in it. */
const gapShare = 0.5

/**
 * The hair's colours. What shows between strands counts as hair in the first means, which lie
 * between hair and background; so they are taken again without what lies beyond their middle.
 */
function measureHair(
  channels: HairPixels['channels'],
  hair: Plane,
  background: LocalColour,
  sigma: number,
): SpreadColour {
  const first = localColour(channels, hair, sigma)
  const own = { ...hair, data: new Float32Array(hair.data.length) }
  for (let i = 0; i < own.data.length; i++) {
    own.data[i] = hair.data[i]! * (shareOf(channels, first, background, i) > gapShare ? 0 : 1)
  }
  releaseMemory(...first.means.map((mean) => mean.data), first.weight.data)
  const found = spreadColour(channels, own, sigma)
  releaseMemory(own.data)
  return found
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
function measureInside(
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
  channels: HairPixels['channels'],
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
function isLike(
  channels: HairPixels['channels'],
  i: number,
  red: number,
  green: number,
  blue: number,
): boolean {
  const toRed = channels[0].data[i]! - red
  const toGreen = channels[1].data[i]! - green
  const toBlue = channels[2].data[i]! - blue
  return toRed * toRed + toGreen * toGreen + toBlue * toBlue < likeReach * likeReach
}

/** How much of the clothes has the colour of the background about it, 0…1. */
function shareAlike(
  channels: HairPixels['channels'],
  clothes: Plane,
  { means }: LocalColour,
): number {
  let count = 1
  let alike = 0
  for (let i = 0; i < clothes.data.length; i++) {
    if (clothes.data[i] === 0) continue
    count++
    if (isLike(channels, i, means[0].data[i]!, means[1].data[i]!, means[2].data[i]!)) alike++
  }
  return alike / count
}

/** How far a pixel lies from one colour (0) to another (1), along the line between both. */
function shareOf(
  channels: HairPixels['channels'],
  from: LocalColour,
  to: LocalColour,
  i: number,
): number {
  if (to.weight.data[i]! < 0.02) return 0
  let along = 0
  let squares = 1
  for (let c = 0; c < 3; c++) {
    const start = from.means[c]!.data[i]!
    const step = to.means[c]!.data[i]! - start
    along += (channels[c]!.data[i]! - start) * step
    squares += step * step
  }
  return along / squares
}

/** Gives the colours' memory back; they must not be used any more. */
export function releaseHairColours(colours: HairColours): void {
  const { background, hair, clothes, inside, skipped } = colours
  for (const { means, weight } of [background, hair, clothes, ...(inside ? [inside] : [])]) {
    releaseMemory(...means.map((mean) => mean.data), weight.data)
  }
  releaseMemory(background.spread.data, hair.spread.data, skipped)
}

/** Means of the colours that a mask lets through. */
function localColour(channels: HairPixels['channels'], mask: Plane, sigma: number): LocalColour {
  const weight = gaussianBlur(mask, sigma)
  const meanOf = (channel: Plane): Plane => {
    const mean = blurProduct(channel.data, mask, sigma)
    divideBy(mean.data, weight.data)
    return mean
  }
  return { means: [meanOf(channels[0]), meanOf(channels[1]), meanOf(channels[2])], weight }
}

/** The same, and how far those colours are spread. */
function spreadColour(channels: HairPixels['channels'], mask: Plane, sigma: number): SpreadColour {
  const found = localColour(channels, mask, sigma)
  const spread = createPlane(mask.width, mask.height)
  for (let c = 0; c < 3; c++) {
    const { data } = channels[c]!
    const squared = { ...mask, data: new Float32Array(data.length) }
    multiplyInto(squared.data, data, data)
    const squares = blurProduct(squared.data, mask, sigma)
    divideBy(squares.data, found.weight.data)
    addDeviation(spread.data, squares.data, found.means[c]!.data)
    releaseMemory(squared.data, squares.data)
  }
  return { ...found, spread }
}

function blurProduct(values: Float32Array, mask: Plane, sigma: number): Plane {
  const product = createPlane(mask.width, mask.height)
  multiplyInto(product.data, values, mask.data)
  const blurred = gaussianBlur(product, sigma)
  releaseMemory(product.data)
  return blurred
}

function multiplyInto(target: Float32Array, one: Float32Array, other: Float32Array): void {
  for (let i = 0; i < target.length; i++) target[i] = one[i]! * other[i]!
}

function divideBy(values: Float32Array, weights: Float32Array): void {
  for (let i = 0; i < values.length; i++) values[i]! /= weights[i]! + 1e-6
}

/** Adds a third of the standard deviation that mean squares and means tell. */
function addDeviation(spread: Float32Array, squares: Float32Array, means: Float32Array): void {
  for (let i = 0; i < spread.length; i++) {
    const mean = means[i]!
    spread[i]! += Math.sqrt(Math.max(0, squares[i]! - mean * mean)) / 3
  }
}
