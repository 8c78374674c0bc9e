import { createBytePlane, createPlane, smoothstep } from '../../image/raster.ts'
import type { BytePlane, Plane, RgbImage } from '../../image/raster.ts'
import { releaseMemory } from '../../release-memory.ts'
import { floodGaps, keepDeepGaps } from './flood-gaps.ts'
import { measureHairColours, sortHairPixels } from './hair-colours.ts'
import type { HairColours, HairPixels, HairRegion } from './hair-colours.ts'
import type { LocalColour } from './local-colour.ts'

/** How far from the matte's outside it is opened, in head sizes. */
const openReach = 0.3
/** A gap is deeper than this, in head sizes; what is nearer to the edge is left to the solver. */
const gapDepth = 0.02
/** Hair and background whose colours are nearer than this (8-bit) aren't told apart. */
const contrastMin = 65
/** A colour this near to the skin's (8-bit) may be an ear, and to the clothes' a shoulder. */
const skinReach = 42
/** A gap that strands close shows the background as surely as this, … */
const gapMin = 0.9
/** … the pixels about its middle as this, … */
const gapMinBeside = 0.5
/** … so much of what is nearby is known background (0…1), … */
const knownMin = 0.1
/** … and it lies so far from the middle of the face, in head sizes. */
const gapAway = 0.75
/** How far below the chin clothes are sampled, in head sizes. */
const clothesBelow = 0.5

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
  const pixels = sortHairPixels(image, matte, region, part)
  const colours = measureHairColours(pixels, region, part)
  const share = backgroundShares(pixels, colours, Math.min(part.height, region.chinY - top))
  const depthMin = gapDepth * region.headSize
  const reach = openReach * region.headSize
  const inHair = findGaps(share, colours, region)
  const depths = floodGaps(matte, share, inHair, { part, gapDepth: depthMin, reach })
  keepDeepGaps(depths, part.width, depthMin)
  for (let i = 0; i < depths.length; i++) {
    if (depths[i]! < 2) continue
    const at = (Math.floor(i / part.width) + top) * width + (i % part.width) + left
    matte.data[at]! *= 1 - share.data[i]!
  }
  const { channels, outside, hair, clothes } = pixels
  releaseMemory(share.data, inHair.data, outside.data, hair.data, clothes.data)
  releaseMemory(...channels.map((channel) => channel.data))
  return colours
}

/**
 * Marks the middle of gaps that strands close: all about it shows the background, and much of what is
 * nearby is known background. What lies near the face may be a forehead.
 * @returns not 0 in the middle of a gap
 */
function findGaps(shares: Plane, colours: HairColours, region: HairRegion): BytePlane {
  const gaps = createBytePlane(shares.width, shares.height)
  for (let y = 1; y < gaps.height - 1; y++) findGapsInRow(shares, colours, region, y, gaps.data)
  return gaps
}

function findGapsInRow(
  { data, width }: Plane,
  { part, background }: HairColours,
  { centre, headSize }: HairRegion,
  y: number,
  gaps: Uint8Array,
): void {
  for (let x = 1; x < width - 1; x++) {
    const i = y * width + x
    if (data[i]! < gapMin || background.weight.data[i]! < knownMin) continue
    const away = Math.hypot(x + part.left - centre.x, y + part.top - centre.y)
    if (away > gapAway * headSize && isAbove(data, i, width, gapMinBeside)) gaps[i] = 1
  }
}

/** Whether a pixel and the eight about it are above a bound. */
function isAbove(data: Float32Array, i: number, width: number, bound: number): boolean {
  for (let row = i - width; row <= i + width; row += width) {
    for (let at = row - 1; at <= row + 1; at++) if (data[at]! < bound) return false
  }
  return true
}

/**
 * How surely each pixel shows the background by its colour, 0…1.
 * @param rows the rows above the chin
 */
function backgroundShares(
  { channels, outside, skipped }: HairPixels,
  colours: HairColours,
  rows: number,
): Plane {
  const shares = createPlane(outside.width, outside.height)
  const end = Math.ceil(rows) * outside.width
  for (let i = 0; i < end; i++) {
    if (outside.data[i] === 1 || skipped[i] !== 0) continue
    const share = shareAt(channels, colours, i)
    shares.data[i] = share > 0 ? share * unlike(channels, colours.clothes, i) : 0
  }
  return shares
}

function shareAt(
  channels: HairPixels['channels'],
  { background: behind, hair: own, skin }: HairColours,
  i: number,
): number {
  if (behind.weight.data[i]! < 0.02 || own.weight.data[i]! < 0.02) return 0
  let contrast = 0
  let along = 0
  let toBackground = 0
  let toSkin = 0
  for (let c = 0; c < 3; c++) {
    const colour = channels[c]!.data[i]!
    const b = behind.means[c]!.data[i]!
    const h = own.means[c]!.data[i]!
    contrast += (b - h) ** 2
    along += (colour - h) * (b - h)
    toBackground += (colour - b) ** 2
    toSkin += (colour - skin[c]!) ** 2
  }
  if (contrast < contrastMin ** 2) return 0
  const far = Math.sqrt(contrast)
  // Strands before the background are mixed of both: they lie beside the line, not at its end.
  const share = along / contrast
  const past = Math.max(0, share - 1) * far
  const aside = Math.sqrt(Math.max(0, toBackground - (1 - share) ** 2 * contrast) + past * past)
  const spread = behind.spread.data[i]! / far
  // Far from an even background, what has half of its colour is strands before it.
  const even = smoothstep(80, 140, far) * (1 - smoothstep(0.1, 0.2, spread))
  // Hair of many shades reaches further towards the background.
  const reach = own.spread.data[i]! / far / (2 + even)
  const sure = smoothstep(0.6 - 0.2 * even, 0.9 - 0.15 * even, share - reach)
  const apart = Math.sqrt(toBackground) * (1 - even) + aside * even
  const likely = 1 - smoothstep(0.1, 0.25, apart / far)
  const noEar = smoothstep(skinReach * 0.7, skinReach * 1.3, Math.sqrt(toSkin))
  // A background of many colours explains everything, so it explains nothing.
  const plain = 1 - smoothstep(0.15, 0.35, spread)
  return sure * likely * noEar * plain
}

/** 0 where a colour is that of the clothes nearby, 1 where it isn't. */
function unlike(channels: HairPixels['channels'], clothes: LocalColour, i: number): number {
  if (clothes.weight.data[i]! < 0.005) return 1
  let squares = 0
  for (let c = 0; c < 3; c++) {
    squares += (channels[c]!.data[i]! - clothes.means[c]!.data[i]!) ** 2
  }
  return smoothstep(skinReach * 0.7, skinReach * 1.3, Math.sqrt(squares))
}
