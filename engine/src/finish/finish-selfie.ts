import type { C2paSigner } from '@starside/provenance/c2pa.ts'
import { encodePicture } from './encode.ts'
import { embedMark } from '@starside/provenance/invisible-mark.ts'
import { releaseMemory } from '../release-memory.ts'
import { provenanceXmp } from '@starside/provenance/provenance.ts'
import type { RawPicture } from './raw-picture.ts'
import { shrinkToThumbnail } from './thumbnail.ts'
import { drawWatermark } from './watermark.ts'

export interface FinishOptions {
  /** Text of the brand mark: by default the product's host name. */
  watermarkText: string
  /** Written into the metadata of every picture as what made it; by default the program's name. */
  systemName?: string | undefined
  /** Written into the metadata of every picture. */
  systemVersion: string
  /** The invisible mark, in all four pictures; undefined leaves it out. */
  mark?: { id: string; key: Uint8Array } | undefined
  /** Signs the two large pictures, last of all; undefined leaves them unsigned. */
  signer?: C2paSigner | undefined
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
  const { watermarkText, systemName, systemVersion, mark, signer } = options
  const xmp = provenanceXmp({ name: systemName, version: systemVersion })
  const marked = mark === undefined ? picture : await embedMark(picture, mark.id, mark.key)
  const thumbnail = await shrinkToThumbnail(marked)
  const [watermarked, watermarkedThumbnail] = await Promise.all([
    drawWatermark(marked, watermarkText),
    drawWatermark(thumbnail, watermarkText),
  ])
  const sign = async (file: Uint8Array): Promise<Uint8Array> =>
    signer === undefined
      ? file
      : await signer.sign(file, { systemName, systemVersion, isMarked: mark !== undefined })
  const pictures = [marked, watermarked, thumbnail, watermarkedThumbnail]
  const files = await Promise.all(pictures.map(async (each) => await encodePicture(each, xmp)))
  for (const each of pictures) if (each !== picture) releaseMemory(each.pixels)
  return {
    clean: await sign(files[0]!),
    watermarked: await sign(files[1]!),
    cleanThumbnail: files[2]!,
    watermarkedThumbnail: files[3]!,
  }
}
