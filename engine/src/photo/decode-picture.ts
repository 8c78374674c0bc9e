import sharp from 'sharp'
import type { Metadata } from 'sharp'
import type { RawPicture } from '../finish/raw-picture.ts'
import { takesTooManyScans } from './count-scans.ts'
import { PictureError } from './picture-error.ts'
import { sniffFormat } from './sniff-format.ts'

const pictureBytesMax = 32 * 1024 * 1024
const picturePixelsMax = 40_000_000
const pictureSidePxMin = 512
/** Pixels of a finished picture's long side at most. */
export const pictureSidePxMax = 2048
const decodeTimeLimitSeconds = 30

/**
 * Decodes a hosted picture, trusted as little as an upload: bounded in bytes, pixels and time.
 * Upright, sRGB, at most 2048 pixels on the long side, `sidePxMin` on the short.
 * @throws PictureError picture_damaged, picture_too_large, picture_too_small
 */
export async function decodePicture(
  bytes: Uint8Array,
  { sidePxMin = pictureSidePxMin }: { sidePxMin?: number } = {},
): Promise<RawPicture> {
  if (bytes.length > pictureBytesMax) throw new PictureError('picture_too_large')
  const format = bytes.length === 0 ? undefined : sniffFormat(bytes)
  if (format === undefined || format === 'gif') throw new PictureError('picture_damaged')
  const header = await readHeader(bytes)
  checkSize(header, sidePxMin)
  if (takesTooManyScans(bytes, header)) throw new PictureError('picture_damaged')
  try {
    const { data, info } = await sharp(bytes, {
      limitInputPixels: picturePixelsMax,
      failOn: 'error',
    })
      .timeout({ seconds: decodeTimeLimitSeconds })
      .autoOrient()
      .resize(pictureSidePxMax, pictureSidePxMax, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    return { pixels: data, widthPx: info.width, heightPx: info.height }
  } catch (error) {
    throw new PictureError('picture_damaged', { cause: error })
  }
}

async function readHeader(bytes: Uint8Array): Promise<Metadata> {
  try {
    return await sharp(bytes, { limitInputPixels: false }).metadata()
  } catch (error) {
    throw new PictureError('picture_damaged', { cause: error })
  }
}

function checkSize({ width, height }: Metadata, sidePxMin: number): void {
  if (width * height > picturePixelsMax) throw new PictureError('picture_too_large')
  if (Math.min(width, height) < sidePxMin) throw new PictureError('picture_too_small')
}
