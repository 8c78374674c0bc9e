import type { RgbImage } from '@starside/engine/image/raster.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import sharp from 'sharp'

/** The pixels of a photo, 8-bit sRGB; what is transparent becomes grey. */
export async function decodePhoto(photo: NormalisedPhoto): Promise<RgbImage> {
  const { data, info } = await sharp(photo.bytes)
    .flatten({ background: '#888' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}
