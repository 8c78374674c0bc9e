import { clamp } from '../../image/raster.ts'
import type { RgbImage } from '../../image/raster.ts'
import { lumaOf } from '../../image/srgb.ts'
import type { SkinTint } from './measure-light.ts'

/** How the colour of somebody's skin is moved: a turn of its hue in radians, and a factor of its strength. */
export interface SkinShift {
  from: SkinTint
  turn: number
  factor: number
}

/** How strong the colour of a skin is, in 8-bit steps: 23 and more in 190 photos in ordinary light. */
export const strengthOf = ({ red, blue }: SkinTint): number => Math.hypot(red, blue)

/** How far everybody comes to the mean of all. */
const share = 0.85
/** No skin gets so much paler or stronger. */
const factorMost = 1.6
/** Of an ordinary skin: its hue as an angle from red to blue, how far it may be from that, and its least strength. */
const usualHue = -0.82
const hueRange = 1.05
const strengthLeast = 6

/**
 * Brings the colour of the skin of people from several photos together: their mean hue and strength, and so the white balance
 * and the saturation of their photos, but nothing that isn't as skin is.
 * @returns for each; undefined where somebody's is none of an ordinary photo, as in black and white or coloured light
 */
export function matchSkin(tints: readonly SkinTint[]): SkinShift[] | undefined {
  const hues = tints.map(({ red, blue }) => Math.atan2(blue, red))
  const strengths = tints.map(strengthOf)
  const isOrdinary = tints.every(
    (_, n) => Math.abs(hues[n]! - usualHue) < hueRange && strengths[n]! > strengthLeast,
  )
  if (!isOrdinary) return undefined
  const hue = meanOf(hues)
  const logStrength = meanOf(strengths.map(Math.log))
  return tints.map((from, n) => {
    const factor = Math.exp(share * (logStrength - Math.log(strengths[n]!)))
    const turn = share * (hue - hues[n]!)
    return { from, turn, factor: clamp(factor, 1 / factorMost, factorMost) }
  })
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Colours up to the first angle from the skin's hue are moved whole, from the second on they stay; as cosines. */
const near = Math.cos(0.52)
const far = Math.cos(0.96)

/** Moves what has about the skin's colour in place, softly to what hasn't; each pixel keeps its luma. */
export function shiftSkin({ data }: RgbImage, { from, turn, factor }: SkinShift): void {
  const strength = strengthOf(from)
  const [red0, blue0] = [from.red / strength, from.blue / strength]
  const along = factor * Math.cos(turn) - 1
  const across = factor * Math.sin(turn)
  for (let i = 0; i < data.length; i += 3) {
    const luma = lumaOf(data[i]!, data[i + 1]!, data[i + 2]!)
    const red = data[i]! - luma
    const blue = data[i + 2]! - luma
    const own = Math.sqrt(red * red + blue * blue)
    const alike = (red * red0 + blue * blue0) / own
    // Of grey it is no number, which isn't more.
    if (!(alike > far)) continue
    const times = own / strength
    const weight =
      clamp((alike - far) / (near - far), 0, 1) *
      clamp((times - 0.1) / 0.3, 0, 1) *
      clamp(2.8 - times, 0, 1)
    const redTo = red + weight * (along * red - across * blue)
    const blueTo = blue + weight * (across * red + along * blue)
    data[i] = clamp(Math.round(luma + redTo), 0, 255)
    data[i + 1] = clamp(Math.round(luma - (0.3 * redTo + 0.11 * blueTo) / 0.59), 0, 255)
    data[i + 2] = clamp(Math.round(luma + blueTo), 0, 255)
  }
}
