import sharp from 'sharp'
import { releaseMemory } from '../release-memory.ts'
import { decodeUpload } from './normalise.ts'

/** A small picture for a page: PNG, sRGB, transparent where the upload was. */
export interface Logo {
  png: Uint8Array
  widthPx: number
  heightPx: number
}

/** Pixels a side that a logo has at least: a mark of text may be low. */
const sidePxMin = 16

/**
 * Decodes an untrusted upload and encodes it anew as a PNG that fits into a box, its proportions
 * kept and never enlarged. Takes what photos may be; SVG is no such format.
 * @throws PhotoError as `normalisePhoto`
 */
export async function makeLogo(
  {
    bytes,
    widthPxMax,
    heightPxMax,
  }: { bytes: Uint8Array; widthPxMax: number; heightPxMax: number },
  options: { signal?: AbortSignal | undefined } = {},
): Promise<Logo> {
  const { pixels, ...size } = await decodeUpload(bytes, { ...options, sidePxMin })
  const raw = { width: size.widthPx, height: size.heightPx, channels: size.channels }
  const { data, info } = await sharp(pixels, { raw })
    .resize(widthPxMax, heightPxMax, { fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 9 })
    .toBuffer({ resolveWithObject: true })
  releaseMemory(pixels)
  return { png: data, widthPx: info.width, heightPx: info.height }
}
