import sharp from 'sharp'
import type { RawPicture } from './raw-picture.ts'

/** Pixels of a thumbnail's long side. */
export const thumbnailSidePx = 400

/** Scales a picture down to 400 pixels on its long side; never up. */
export async function shrinkToThumbnail(picture: RawPicture): Promise<RawPicture> {
  const { pixels, widthPx, heightPx, frame } = picture
  const { data, info } = await sharp(pixels, {
    raw: { width: widthPx, height: heightPx, channels: 3 },
  })
    .resize(thumbnailSidePx, thumbnailSidePx, { fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const scale = info.width / widthPx
  return {
    pixels: data,
    widthPx: info.width,
    heightPx: info.height,
    frame: frame && { right: frame.right * scale, bottom: frame.bottom * scale },
  }
}
