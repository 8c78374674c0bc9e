import { greyOf } from '../image/grey-of.ts'
import type { PictureLook } from '../arrangement.ts'
import type { RawPicture } from './raw-picture.ts'

/** How a look develops colours; values are sRGB, 0…1. */
interface Development {
  /** 0 is grey, 1 leaves the colours. */
  saturation: number
  /** How steep the curve is at middle grey, where 1 leaves it; ends stay. */
  contrast: number
  /** What black and white become. */
  black: number
  white: number
  /** As the arrangement's warmth, in addition. */
  warmth: number
  /** How much brighter the middle is than the corners, as the lamp beside a lens makes it. */
  flash: number
}

const natural: Development = {
  saturation: 1,
  contrast: 1,
  black: 0,
  white: 1,
  warmth: 0,
  flash: 0,
}

const developments: Record<PictureLook, Development> = {
  natural,
  flash: { ...natural, contrast: 1.18, saturation: 1.04, warmth: -0.15, flash: 0.42 },
  'black-and-white': { ...natural, saturation: 0, contrast: 1.15, black: 0.02 },
  'warm-film': {
    saturation: 0.86,
    contrast: 1.06,
    black: 0.05,
    white: 0.97,
    warmth: 0.5,
    flash: 0,
  },
  instant: {
    saturation: 0.85,
    contrast: 0.94,
    black: 0.06,
    white: 0.96,
    warmth: 0.25,
    flash: 0.12,
  },
}

/** How far full warmth moves red up and blue down. */
const warmthStrength = 0.11

/**
 * Develops a picture in a look, in place.
 * @param warmth −1 cooler … 1 warmer
 */
export function developLook(
  { pixels, widthPx, heightPx }: RawPicture,
  look: PictureLook,
  warmth: number,
): void {
  if (look === 'natural' && warmth === 0) return
  const development = developments[look]
  const { saturation, flash } = development
  const warmer = (warmth + development.warmth) * warmthStrength
  const tables = [1 + warmer, 1, 1 - warmer].map((gain) => tableOf(development, gain))
  const [red, green, blue] = tables as [Float32Array, Float32Array, Float32Array]
  const across = fallOff(widthPx)
  const down = fallOff(heightPx)
  for (let y = 0, i = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++, i += 3) {
      const gain = 1 + flash * (0.45 - across[x]! - down[y]!)
      const r = red[pixels[i]!]! * gain
      const g = green[pixels[i + 1]!]! * gain
      const b = blue[pixels[i + 2]!]! * gain
      const grey = greyOf(r, g, b)
      pixels[i] = byteOf(grey + saturation * (r - grey))
      pixels[i + 1] = byteOf(grey + saturation * (g - grey))
      pixels[i + 2] = byteOf(grey + saturation * (b - grey))
    }
  }
}

function byteOf(value: number): number {
  return value < 0 ? 0 : value > 255 ? 255 : value + 0.5
}

/** Half of the squared distance from the middle, 0…0.5, for each pixel of a side. */
function fallOff(length: number): Float32Array {
  return Float32Array.from({ length }, (_, n) => 0.5 * (((n + 0.5) / length) * 2 - 1) ** 2)
}

/** What each value of a channel becomes, 0…255. */
function tableOf({ contrast, black, white }: Development, gain: number): Float32Array {
  return Float32Array.from({ length: 256 }, (_, n) => {
    const value = n / 255
    // A cubic that keeps black, middle and white, and is as steep as asked for in the middle.
    const away = value - 0.5
    const curved = value + (contrast - 1) * away * (1 - 4 * away * away)
    return 255 * (black + (white - black) * curved) * gain
  })
}
