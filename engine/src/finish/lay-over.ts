import sharp from 'sharp'
import type { RawPicture } from './raw-picture.ts'

/** The picture below a PNG that is stretched to its size; `picture` is left as it is. */
export async function layOver(
  picture: RawPicture,
  overlay: Uint8Array | undefined,
): Promise<RawPicture> {
  if (overlay === undefined) return picture
  const { widthPx: width, heightPx: height } = picture
  const input = await sharp(overlay).resize(width, height, { fit: 'fill' }).png().toBuffer()
  const pixels = await sharp(picture.pixels, { raw: { width, height, channels: 3 } })
    .composite([{ input }])
    .removeAlpha()
    .raw()
    .toBuffer()
  return { ...picture, pixels }
}
