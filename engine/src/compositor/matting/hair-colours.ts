import { mapTriple } from '../../image/map-triple.ts'
import { createPlane } from '../../image/raster.ts'
import type { BytePlane, Plane, Point, RgbImage } from '../../image/raster.ts'
import { releaseMemory } from '../../release-memory.ts'
import { localColour, shareOf, spreadColour } from './local-colour.ts'
import type { LocalColour, SpreadColour } from './local-colour.ts'
import { measureInside } from './hair-inside.ts'
import type { HairInside } from './hair-inside.ts'

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

/** Gives the colours' memory back; they must not be used any more. */
export function releaseHairColours(colours: HairColours): void {
  const { background, hair, clothes, inside, skipped } = colours
  for (const { means, weight } of [background, hair, clothes, ...(inside ? [inside] : [])]) {
    releaseMemory(...means.map((mean) => mean.data), weight.data)
  }
  releaseMemory(background.spread.data, hair.spread.data, skipped)
}
