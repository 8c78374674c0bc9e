import { encodePicture } from './encode.ts'
import { provenanceXmp } from './provenance.ts'
import type { RawPicture } from './raw-picture.ts'
import { shrinkToThumbnail } from './thumbnail.ts'
import { drawWatermark } from './watermark.ts'

export interface FinishOptions {
  /** Text of the brand mark: the product's host name. */
  watermarkText: string
  /** Written into the metadata of every picture. */
  systemVersion: string
}

/** The four pictures of one generation, all JPEG with provenance marks. */
export interface FinishedPictures {
  clean: Uint8Array
  watermarked: Uint8Array
  cleanThumbnail: Uint8Array
  watermarkedThumbnail: Uint8Array
}

/**
 * Makes the files of one generation out of its pixels: with and without the brand mark, large and
 * as thumbnails. Every file carries its provenance; 'clean' is without the brand mark only.
 * @param picture interleaved 8-bit sRGB, left as it is
 */
export async function finishSelfie(
  picture: RawPicture,
  options: FinishOptions,
): Promise<FinishedPictures> {
  const { watermarkText } = options
  const xmp = provenanceXmp(options.systemVersion)
  const thumbnail = await shrinkToThumbnail(picture)
  const [watermarked, watermarkedThumbnail] = await Promise.all([
    drawWatermark(picture, watermarkText),
    drawWatermark(thumbnail, watermarkText),
  ])
  const pictures = [picture, watermarked, thumbnail, watermarkedThumbnail] as const
  const [clean, marked, cleanSmall, markedSmall] = await Promise.all(
    pictures.map(async (each) => await encodePicture(each, xmp)),
  )
  return {
    clean: clean!,
    watermarked: marked!,
    cleanThumbnail: cleanSmall!,
    watermarkedThumbnail: markedSmall!,
  }
}
