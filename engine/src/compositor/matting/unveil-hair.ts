import { greyOf } from '../../image/grey-of.ts'
import { clamp, smoothstep } from '../../image/raster.ts'
import type { BytePlane, RgbImage } from '../../image/raster.ts'
import { unlikeColour } from './despill-hair.ts'
import type { HairColours } from './hair-colours.ts'
import type { HairInside } from './hair-inside.ts'
import { mendSquare } from './mend-square.ts'

/** A veil is seen where dark hair and a brighter background differ by more than this (8-bit). */
const contrastMin = 120
/** Near to the middle of the face, in head sizes, a bright spot may be an ear or a forehead. */
const awayFrom = 0.6
const awayFull = 0.72
/** Where all hair nearby is as bright as such a mixture (shares, 0…1), it is bright hair. */
const localFrom = 0.3
const localMost = 0.5
/** Hair's own gloss is as bright as this share at least; brighter gloss can't be told from a veil. */
const glossMin = 0.1
const glossMax = 0.35
/** About so much more than its gloss is kept of what is brighter. */
const shareRange = 0.07
/** So far above and below a row, in head sizes, bright spots become more likely skin and clothes: */
const belowReach = 0.2
/** the chin's, or one so far below where less of the body than this has the background's colour. */
const belowMost = 0.4
const bodyAlikeMax = 0.03

/** What is mixed about one pixel of the small photo, 8-bit. */
interface Veil {
  /** How sure it is that bright pixels are a veil, 0…1. */
  trust: number
  /** A share of the background that is hair's own gloss. */
  gloss: number
  hair: Float64Array
  /** From hair to background. */
  step: Float64Array
  stepSquared: number
  /** How likely clothes or skin are here, 0…1. */
  belowChin: number
  clothes: Float64Array
  skin: Float64Array
}

/**
 * Takes the bright haze of an even wall out of dark hair: strands that are finer than a pixel are
 * mixed of both, so they get the hair's colour by that share, and what is nearly all wall becomes
 * transparent. Unlike `despillHair` it needs no other hue, but long hair whose inside tells how
 * bright it is by itself. Works in place.
 * @param colours as `openHair` found them, `refineShrink` times smaller than the picture
 */
export function unveilHair(image: RgbImage, alpha: BytePlane, colours: HairColours): void {
  const { inside } = colours
  if (!inside || inside.gloss > glossMax) return
  const { part, chinY, headSize } = colours
  const reach = belowReach * headSize
  const end = chinY + (inside.bodyAlike < bodyAlikeMax ? belowMost * headSize : 0)
  const rows = Math.min(part.height, Math.ceil(end + reach) - part.top)
  const veil: Veil = {
    trust: 0,
    gloss: Math.max(glossMin, inside.gloss),
    hair: new Float64Array(3),
    step: new Float64Array(3),
    stepSquared: 1,
    belowChin: 0,
    clothes: new Float64Array(3),
    skin: Float64Array.from(colours.skin),
  }
  for (let row = 0, i = 0; row < rows; row++) {
    veil.belowChin = smoothstep(-reach, reach, row + part.top - end)
    for (let column = 0; column < part.width; column++, i++) {
      if (!findVeil(veil, colours, inside, i)) continue
      mendSquare(image, alpha, column + part.left, row + part.top, unveilPixel, veil)
    }
  }
}

/** @returns false where there can be no veil */
function findVeil(veil: Veil, colours: HairColours, inside: HairInside, i: number): boolean {
  const { part, background, clothes, skipped, centre, headSize } = colours
  const known = background.weight.data[i]!
  const seen = inside.weight.data[i]!
  if (known < 0.02 || seen < 0.01 || skipped[i] !== 0) return false
  const x = (i % part.width) + part.left - centre.x
  const y = Math.floor(i / part.width) + part.top - centre.y
  const away = Math.hypot(x, y) / headSize
  if (away < awayFrom) return false
  const { hair, step } = veil
  veil.stepSquared = 0
  for (let c = 0; c < 3; c++) {
    hair[c] = inside.means[c]!.data[i]!
    step[c] = background.means[c]!.data[i]! - hair[c]!
    veil.stepSquared += step[c]! ** 2
    veil.clothes[c] = clothes.weight.data[i]! > 0.005 ? clothes.means[c]!.data[i]! : veil.skin[c]!
  }
  const far = Math.sqrt(veil.stepSquared)
  if (far < contrastMin || greyOf(step[0]!, step[1]!, step[2]!) <= 0) return false
  // A background of many colours explains everything, so it explains nothing.
  veil.trust =
    smoothstep(0.02, 0.08, known) *
    smoothstep(0.01, 0.05, seen) *
    smoothstep(awayFrom, awayFull, away) *
    (1 - smoothstep(localFrom, localMost, localShare(veil, colours, i))) *
    smoothstep(contrastMin, 1.5 * contrastMin, far) *
    (1 - smoothstep(0.1, 0.2, background.spread.data[i]! / far))
  return veil.trust > 0
}

/** How far the mean of all hair nearby lies from the inside's colour (0) to the background's (1). */
function localShare(
  { hair, step, stepSquared }: Veil,
  { hair: own }: HairColours,
  i: number,
): number {
  let along = 0
  for (let c = 0; c < 3; c++) along += (own.means[c]!.data[i]! - hair[c]!) * step[c]!
  return along / stepSquared
}

/**
 * Mends one pixel of the image.
 * @param at of its red
 * @returns how far it is all background, 0…1
 */
function unveilPixel(data: Uint8Array, at: number, veil: Veil): number {
  const { hair, step, stepSquared, gloss } = veil
  let along = 0
  let squares = 0
  for (let c = 0; c < 3; c++) {
    const away = data[at + c]! - hair[c]!
    along += away * step[c]!
    squares += away * away
  }
  const share = along / stepSquared
  if (share <= gloss) return 0
  const aside = Math.sqrt(Math.max(0, squares / stepSquared - share * share))
  const below = veil.belowChin
  const body = below === 0 ? 0 : Math.min(1, 2 * below) * (1 - unlikeBody(data, at, veil))
  const isHair = (1 - below) * (1 - body)
  const sure = veil.trust * isHair * (1 - smoothstep(0.1, 0.2, aside))
  const mixed = sure * Math.max(0, share - keptShare(share, gloss))
  for (let c = 0; c < 3; c++) data[at + c] = clamp(data[at + c]! - mixed * step[c]!, 0, 255)
  return smoothstep(0.6, 0.9, sure * share)
}

/** What stays of a share of the background: more where there was more, so that strands keep their order. */
function keptShare(share: number, gloss: number): number {
  return gloss + shareRange * (1 - Math.exp((gloss - share) / shareRange))
}

/** 0 where a pixel may be skin or clothes, 1 where it clearly isn't. */
function unlikeBody(data: Uint8Array, at: number, { skin, clothes }: Veil): number {
  return unlikeColour(data, at, skin) * unlikeColour(data, at, clothes)
}
