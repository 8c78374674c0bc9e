import sharp from 'sharp'
import type { FileWidths } from '@starside/web/ui/example-list.ts'

/** The ends of the names of a picture's files. */
export function endingsOf({ avif, jpeg }: FileWidths): string[] {
  return [...avif.map((width) => `-${width}.avif`), ...(jpeg ? [`-${jpeg}.jpg`] : [])]
}

/** Part of a picture in fractions of its width and height; 4:5, as wide as given. */
export interface Crop {
  left: number
  top: number
  width: number
}

const ratio = 5 / 4

/** A picture (by default its middle) at 4:5, as AVIF and JPEG in pages' widths, by `endingsOf`. */
export async function encodePictureSet(
  picture: Uint8Array,
  widths: FileWidths,
  crop?: Crop,
): Promise<Uint8Array[]> {
  const source = crop === undefined ? picture : await cut(picture, crop)
  const sized = (width: number) =>
    sharp(source).resize(width, Math.round(width * ratio), { fit: 'cover' })
  return await Promise.all([
    ...widths.avif.map((width) =>
      sized(width)
        .avif({ quality: widths.quality ?? 40, effort: 5 })
        .toBuffer(),
    ),
    ...(widths.jpeg ? [sized(widths.jpeg).jpeg({ quality: 70, mozjpeg: true }).toBuffer()] : []),
  ])
}

async function cut(picture: Uint8Array, crop: Crop): Promise<Uint8Array> {
  const { width, height } = await sharp(picture).metadata()
  const cropWidth = Math.round(width * crop.width)
  return await sharp(picture)
    .extract({
      left: Math.round(width * crop.left),
      top: Math.round(height * crop.top),
      width: cropWidth,
      height: Math.min(Math.round(cropWidth * ratio), height - Math.round(height * crop.top)),
    })
    .png()
    .toBuffer()
}
