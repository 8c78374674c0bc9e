import sharp from 'sharp'
import { releaseMemory } from '../release-memory.ts'
import { decodeUpload } from './normalise.ts'

/** A small picture for a page: PNG, sRGB, transparent where the upload was. */
export interface Logo {
  png: Uint8Array
  widthPx: number
  heightPx: number
}

export interface LogoRequest {
  /** An untrusted upload. */
  bytes: Uint8Array
  widthPxMax: number
  heightPxMax: number
  /** Puts the picture, enlarged if need be, into the middle of a square, as icons of apps are. */
  square?: {
    sidePx: number
    /** Fills the ground with the colour of the picture's own corner, or with `paper`. */
    isOpaque: boolean
  }
}

/** Pixels a side that a logo has at least: a mark of text may be low. */
const sidePxMin = 16
/** The ground of an icon whose picture is transparent there. */
const paper = { r: 244, g: 239, b: 228, alpha: 1 }
const nothing = { r: 0, g: 0, b: 0, alpha: 0 }

/**
 * Decodes an untrusted upload and encodes it as a PNG that fits into a box, never enlarged unless
 * square. Takes what photos may be, no SVG; throws PhotoError as `normalisePhoto`.
 */
export async function makeLogo(
  { bytes, widthPxMax, heightPxMax, square }: LogoRequest,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<Logo> {
  const { pixels, ...size } = await decodeUpload(bytes, { ...options, sidePxMin })
  const raw = { width: size.widthPx, height: size.heightPx, channels: size.channels }
  const background = square?.isOpaque === true ? groundOf(pixels, size.channels) : nothing
  const { data, info } = await sharp(pixels, { raw })
    .resize(widthPxMax, heightPxMax, {
      fit: 'inside',
      withoutEnlargement: square === undefined,
    })
    .png({ compressionLevel: 9 })
    .toBuffer({ resolveWithObject: true })
  releaseMemory(pixels)
  if (square === undefined) return { png: data, widthPx: info.width, heightPx: info.height }
  const { sidePx } = square
  const png = await sharp({ create: { width: sidePx, height: sidePx, channels: 4, background } })
    .composite([{ input: data, gravity: 'centre' }])
    .png({ compressionLevel: 9 })
    .toBuffer()
  return { png, widthPx: sidePx, heightPx: sidePx }
}

/** The colour of the first pixel, if it covers. */
function groundOf(pixels: Uint8Array, channels: number) {
  const [r = 0, g = 0, b = 0, alpha = 255] = pixels
  return channels === 4 && alpha < 255 ? paper : { r, g, b, alpha: 1 }
}
