import { releaseMemory } from '../../release-memory.ts'
import { gaussianBlur } from '../../image/box-blur.ts'
import { createPlane, smoothstep } from '../../image/raster.ts'
import type { BytePlane, Plane, Point, RgbImage } from '../../image/raster.ts'

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

/** How far colours of known background and known hair are averaged, in head sizes. */
const colourReach = 0.12
/** How far from the matte's outside it is opened, in head sizes. */
const openReach = 0.3
/** A gap is deeper than this, in head sizes; what is nearer to the edge is left to the solver. */
const gapDepth = 0.02
/** Hair and background whose colours are nearer than this (8-bit) aren't told apart. */
const contrastMin = 65
/** A colour this near to the skin's (8-bit) may be an ear, and to the clothes' a shoulder. */
const skinReach = 42
/** How far below the chin clothes are sampled, and how far from them a shoulder may be raised. */
const clothesBelow = 0.5
const clothesReach = 0.25

/**
 * Opens what a network takes for hair though the background shows in it: between strands and in
 * loops, where the colour is that of the background nearby and not that of the hair. It goes on
 * from the outside only, so that a shine in the middle of the hair stays. Works in place.
 * @param image the photo at the matte's size
 * @param matte 0…1
 * @returns the colours that were found about the head; undefined where it is hardly in the photo
 */
export function openHair(
  image: RgbImage,
  matte: Plane,
  region: HairRegion,
): HairColours | undefined {
  const { width, height } = matte
  const left = Math.max(0, Math.floor(region.centre.x - 1.4 * region.headSize))
  const right = Math.min(width, Math.ceil(region.centre.x + 1.4 * region.headSize))
  const top = Math.max(0, Math.floor(region.centre.y - 1.5 * region.headSize))
  const bottom = Math.min(height, Math.ceil(region.chinY + clothesBelow * region.headSize))
  if (right - left < 8 || bottom - top < 8) return undefined
  const part = { left, top, width: right - left, height: bottom - top }
  const { share, colours } = backgroundShares(image, matte, region, part)
  const depths = floodGaps(matte, share, part, openReach * region.headSize)
  keepDeepGaps(depths, part.width, gapDepth * region.headSize)
  for (let i = 0; i < depths.length; i++) {
    if (depths[i]! < 2) continue
    const at = (Math.floor(i / part.width) + top) * width + (i % part.width) + left
    matte.data[at]! *= 1 - share.data[i]!
  }
  releaseMemory(share.data)
  return colours
}

/** Gives the colours' memory back; they must not be used any more. */
export function releaseHairColours({ background, hair, clothes, skipped }: HairColours): void {
  for (const { means, spread, weight } of [background, hair, clothes]) {
    releaseMemory(...means.map((mean) => mean.data), spread.data, weight.data)
  }
  releaseMemory(skipped)
}

/** The colours about a head, in a part of the matte. */
export interface HairColours {
  part: Part
  background: LocalColour
  hair: LocalColour
  clothes: LocalColour
  skin: HairRegion['skin']
  /** Not 0 where no hair is, in the face. */
  skipped: Uint8Array
}

interface Part {
  left: number
  top: number
  width: number
  height: number
}

/** How surely each pixel shows the background by its colour, 0…1, and the colours that tell. */
function backgroundShares(
  image: RgbImage,
  matte: Plane,
  region: HairRegion,
  part: Part,
): { share: Plane; colours: HairColours } {
  const { width, height } = part
  const colours = [0, 1, 2].map(() => createPlane(width, height)) as [Plane, Plane, Plane]
  const outside = createPlane(width, height)
  const hair = createPlane(width, height)
  const clothes = createPlane(width, height)
  const skipped = new Uint8Array(width * height)
  const chinRow = region.chinY - part.top
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const at = (y + part.top) * matte.width + x + part.left
      for (let c = 0; c < 3; c++) colours[c]!.data[i] = image.data[at * 3 + c]!
      outside.data[i] = matte.data[at]! < 0.04 ? 1 : 0
      skipped[i] = region.face.data[at]!
      if (matte.data[at]! <= 0.96 || skipped[i] !== 0) continue
      if (y < chinRow) hair.data[i] = 1
      else clothes.data[i] = 1
    }
  }
  const sigma = colourReach * region.headSize
  const behind = localColour(colours, outside, sigma)
  const own = localColour(colours, hair, sigma)
  const clothing = localColour(colours, clothes, clothesReach * region.headSize)
  const shares = createPlane(width, height)
  for (let y = 0, i = 0; y < Math.min(height, chinRow); y++) {
    for (let x = 0; x < width; x++, i++) {
      if (outside.data[i] === 1 || skipped[i] !== 0) continue
      const share = shareAt(colours, behind, own, region.skin, i)
      shares.data[i] = share > 0 ? share * unlike(colours, clothing, i) : 0
    }
  }
  releaseMemory(...colours.map((colour) => colour.data), outside.data, hair.data, clothes.data)
  const found = {
    part,
    background: behind,
    hair: own,
    clothes: clothing,
    skin: region.skin,
    skipped,
  }
  return { share: shares, colours: found }
}

export interface LocalColour {
  means: readonly [Plane, Plane, Plane]
  /** Mean of the three channels' spread. */
  spread: Plane
  /** How much is known nearby, 0…1. */
  weight: Plane
}

/** Mean and spread of the colours that a mask lets through, about every pixel. */
function localColour(
  colours: readonly [Plane, Plane, Plane],
  mask: Plane,
  sigma: number,
): LocalColour {
  const weight = gaussianBlur(mask, sigma)
  const spread = createPlane(mask.width, mask.height)
  const [red, green, blue] = colours
  const meanOf = (colour: Plane): Plane => localMean(colour, { mask, weight, spread }, sigma)
  return { means: [meanOf(red), meanOf(green), meanOf(blue)], spread, weight }
}

/** Local mean of one channel; adds a third of its local deviation to `spread`. */
function localMean(
  { data, width, height }: Plane,
  { mask, weight, spread }: Record<'mask' | 'weight' | 'spread', Plane>,
  sigma: number,
): Plane {
  const sums = createPlane(width, height)
  const squares = createPlane(width, height)
  for (let i = 0; i < data.length; i++) {
    sums.data[i] = data[i]! * mask.data[i]!
    squares.data[i] = data[i]! * sums.data[i]!
  }
  const mean = gaussianBlur(sums, sigma)
  const square = gaussianBlur(squares, sigma)
  for (let i = 0; i < data.length; i++) {
    const known = weight.data[i]! + 1e-6
    mean.data[i]! /= known
    spread.data[i]! += Math.sqrt(Math.max(0, square.data[i]! / known - mean.data[i]! ** 2)) / 3
  }
  releaseMemory(sums.data, squares.data, square.data)
  return mean
}

function shareAt(
  colours: readonly [Plane, Plane, Plane],
  behind: LocalColour,
  own: LocalColour,
  skin: readonly [number, number, number],
  i: number,
): number {
  if (behind.weight.data[i]! < 0.02 || own.weight.data[i]! < 0.02) return 0
  let contrast = 0
  let along = 0
  let toBackground = 0
  let toSkin = 0
  for (let c = 0; c < 3; c++) {
    const colour = colours[c]!.data[i]!
    const b = behind.means[c]!.data[i]!
    const h = own.means[c]!.data[i]!
    contrast += (b - h) ** 2
    along += (colour - h) * (b - h)
    toBackground += (colour - b) ** 2
    toSkin += (colour - skin[c]!) ** 2
  }
  if (contrast < contrastMin ** 2) return 0
  const far = Math.sqrt(contrast)
  // Hair of many shades reaches further towards the background.
  const sure = smoothstep(0.6, 0.9, along / contrast - own.spread.data[i]! / far / 2)
  const likely = 1 - smoothstep(0.1, 0.25, Math.sqrt(toBackground) / far)
  const noEar = smoothstep(skinReach * 0.7, skinReach * 1.3, Math.sqrt(toSkin))
  // A background of many colours explains everything, so it explains nothing.
  const plain = 1 - smoothstep(0.15, 0.35, behind.spread.data[i]! / far)
  return sure * likely * noEar * plain
}

/** 0 where a colour is that of the clothes nearby, 1 where it isn't. */
function unlike(colours: readonly [Plane, Plane, Plane], clothes: LocalColour, i: number): number {
  if (clothes.weight.data[i]! < 0.005) return 1
  let squares = 0
  for (let c = 0; c < 3; c++) {
    squares += (colours[c]!.data[i]! - clothes.means[c]!.data[i]!) ** 2
  }
  return smoothstep(skinReach * 0.7, skinReach * 1.3, Math.sqrt(squares))
}

/**
 * Goes step by step from where the matte is open already through what shows the background.
 * @returns 0 where it didn't come, 1 where it began, else the number of steps
 */
function floodGaps(matte: Plane, shares: Plane, part: Part, reach: number): Uint16Array {
  const { width, height } = part
  const depths = new Uint16Array(width * height)
  let front: number[] = []
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if (matte.data[(y + part.top) * matte.width + x + part.left]! > 0.3) continue
      depths[i] = 1
      front.push(i)
    }
  }
  for (let depth = 2; depth < reach && front.length > 0; depth++) {
    const next: number[] = []
    for (const i of front) {
      for (let side = 0; side < 4; side++) {
        const neighbour = neighbourOf(i, side, width, depths.length)
        if (neighbour < 0 || depths[neighbour] !== 0 || shares.data[neighbour]! < 0.3) continue
        depths[neighbour] = depth
        next.push(neighbour)
      }
    }
    front = next
  }
  return depths
}

/** Forgets the gaps that are nowhere as deep as is asked for. */
function keepDeepGaps(depths: Uint16Array, width: number, depthMin: number): void {
  const kept = new Uint8Array(depths.length)
  const stack: number[] = []
  for (let i = 0; i < depths.length; i++) {
    if (depths[i]! < Math.max(2, depthMin) || kept[i] === 1) continue
    kept[i] = 1
    stack.push(i)
    while (stack.length > 0) {
      const from = stack.pop()!
      for (let side = 0; side < 4; side++) {
        const neighbour = neighbourOf(from, side, width, depths.length)
        if (neighbour < 0 || kept[neighbour] === 1 || depths[neighbour]! < 2) continue
        kept[neighbour] = 1
        stack.push(neighbour)
      }
    }
  }
  for (let i = 0; i < depths.length; i++) if (kept[i] === 0 && depths[i]! > 1) depths[i] = 0
}

/**
 * The pixel at one side of another: 0 left, 1 right, 2 above, 3 below; −1 outside of the part. A
 * list of all four would be garbage for every pixel.
 */
function neighbourOf(i: number, side: number, width: number, length: number): number {
  if (side === 0) return i % width > 0 ? i - 1 : -1
  if (side === 1) return i % width < width - 1 ? i + 1 : -1
  if (side === 2) return i >= width ? i - width : -1
  return i + width < length ? i + width : -1
}
