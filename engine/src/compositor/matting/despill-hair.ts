import { greyOf } from '../../image/grey-of.ts'
import { clamp, smoothstep } from '../../image/raster.ts'
import type { BytePlane, RgbImage } from '../../image/raster.ts'
import type { HairColours } from './hair-colours.ts'
import type { LocalColour } from './local-colour.ts'
import { mendSquare } from './mend-square.ts'

/**
 * Hair and background whose hues differ by less than this (8-bit) count as alike; from twice this
 * as different.
 */
const hueMin = 25
/** The same for their colours. */
const contrastMin = 50
/**
 * A colour this near to the skin's (8-bit) may be an ear or a neck, and to the clothes' a collar.
 */
const likeMin = 30
const unlikeMin = 55

/** The colours of hair and background about one pixel of the small photo, 8-bit. */
interface Spill {
  /** How clearly both differ, 0…1. */
  trust: number
  hair: Float64Array
  /** From hair to background. */
  step: Float64Array
  /** The same without its brightness. */
  hue: Float64Array
  stepSquared: number
  hueSquared: number
  skin: Float64Array
  /** Colour of the clothes nearby; the skin's where there are none. */
  clothes: Float64Array
}

/**
 * Takes the old background's colour out of hair: a blue rim under the sky, a bright haze between
 * strands. What lies on the line from the hair's colour to the background's is mixed of both, so it
 * gets the hair's colour by that share; what is nearly all background is made transparent too. What
 * only has some of the background's hue, as gloss under the sky, loses the hue. Works in place.
 * Source of the mixture: Porter and Duff, "Compositing Digital Images", SIGGRAPH 1984.
 * @param colours as `openHair` found them, `refineShrink` times smaller than the picture
 */
export function despillHair(image: RgbImage, alpha: BytePlane, colours: HairColours): void {
  const { part } = colours
  const spill: Spill = {
    trust: 0,
    hair: new Float64Array(3),
    step: new Float64Array(3),
    hue: new Float64Array(3),
    stepSquared: 1,
    hueSquared: 1,
    skin: Float64Array.from(colours.skin),
    clothes: new Float64Array(3),
  }
  for (let row = 0, i = 0; row < part.height; row++) {
    for (let column = 0; column < part.width; column++, i++) {
      if (!findSpill(spill, colours, i)) continue
      mendSquare(image, alpha, column + part.left, row + part.top, despillPixel, spill)
    }
  }
}

/** @returns false where nothing is known: in the face, far from hair or from the outside */
function findSpill(spill: Spill, colours: HairColours, i: number): boolean {
  const { background, hair, clothes, skipped } = colours
  if (background.weight.data[i]! < 0.02 || hair.weight.data[i]! < 0.01) return false
  if (skipped[i] !== 0) return false
  const { step, hue } = spill
  copyColour(spill.hair, hair, i)
  copyColour(step, background, i)
  for (let c = 0; c < 3; c++) step[c]! -= spill.hair[c]!
  spill.stepSquared = squared(step)
  if (spill.stepSquared < contrastMin ** 2) return false
  const grey = greyOf(step[0]!, step[1]!, step[2]!)
  for (let c = 0; c < 3; c++) hue[c] = step[c]! - grey
  spill.hueSquared = squared(hue)
  if (spill.hueSquared < hueMin ** 2) return false
  // A background of many colours explains everything, so it explains nothing.
  const spread = background.spread.data[i]! / Math.sqrt(spill.stepSquared)
  spill.trust =
    smoothstep(0.02, 0.08, background.weight.data[i]!) *
    (1 - smoothstep(0.25, 0.5, spread)) *
    smoothstep(hueMin, 2 * hueMin, Math.sqrt(spill.hueSquared))
  if (clothes.weight.data[i]! > 0.005) copyColour(spill.clothes, clothes, i)
  else spill.clothes.set(spill.skin)
  return spill.trust > 0
}

const squared = (colour: Float64Array): number =>
  colour[0]! ** 2 + colour[1]! ** 2 + colour[2]! ** 2

function copyColour(target: Float64Array, { means }: LocalColour, i: number): void {
  for (let c = 0; c < 3; c++) target[c] = means[c]!.data[i]!
}

/**
 * Mends one pixel of the image.
 * @param at of its red
 * @returns how far it is all background, 0…1
 */
function despillPixel(data: Uint8Array, at: number, spill: Spill): number {
  const { hair, step, hue, stepSquared } = spill
  const red = data[at]! - hair[0]!
  const green = data[at + 1]! - hair[1]!
  const blue = data[at + 2]! - hair[2]!
  const share = (red * step[0]! + green * step[1]! + blue * step[2]!) / stepSquared
  if (share <= 0.15) return 0
  const grey = greyOf(red, green, blue)
  const along = (red - grey) * hue[0]! + (green - grey) * hue[1]! + (blue - grey) * hue[2]!
  const ofHue = along / spill.hueSquared
  if (ofHue <= 0.1) return 0
  const own = spill.trust * unlikeSkin(data, at, spill.skin) * unlikeColour(data, at, spill.clothes)
  if (own === 0) return 0
  const squares = red * red + green * green + blue * blue
  const aside = Math.sqrt(Math.max(0, squares / stepSquared - share * share))
  const mixed =
    own *
    smoothstep(0.15, 0.5, share) *
    (1 - smoothstep(0.15, 0.35, aside)) *
    smoothstep(0.1, 0.4, ofHue) *
    Math.min(1, share)
  const tinted = Math.max(0, own * smoothstep(0.2, 0.6, ofHue) * Math.min(1, ofHue) - mixed)
  for (let c = 0; c < 3; c++) {
    data[at + c] = clamp(data[at + c]! - mixed * step[c]! - tinted * hue[c]!, 0, 255)
  }
  return smoothstep(0.5, 0.85, mixed)
}

/** How much darker or brighter than the face's skin a neck or an ear is at most. */
const shadeMin = 0.6
const shadeMax = 1.7

/** 0 where a pixel may be skin in another light, 1 where it clearly isn't. */
function unlikeSkin(data: Uint8Array, at: number, skin: Float64Array): number {
  const red = data[at]!
  const green = data[at + 1]!
  const blue = data[at + 2]!
  const shade = clamp(
    greyOf(red, green, blue) / Math.max(1, greyOf(skin[0]!, skin[1]!, skin[2]!)),
    shadeMin,
    shadeMax,
  )
  const awayRed = red - shade * skin[0]!
  const awayGreen = green - shade * skin[1]!
  const awayBlue = blue - shade * skin[2]!
  const squares = awayRed * awayRed + awayGreen * awayGreen + awayBlue * awayBlue
  return smoothstep(likeMin, unlikeMin, Math.sqrt(squares))
}

/** 0 where a pixel has a colour, 1 where it is clearly another one. */
export function unlikeColour(data: Uint8Array, at: number, colour: Float64Array): number {
  const red = data[at]! - colour[0]!
  const green = data[at + 1]! - colour[1]!
  const blue = data[at + 2]! - colour[2]!
  return smoothstep(likeMin, unlikeMin, Math.sqrt(red * red + green * green + blue * blue))
}
