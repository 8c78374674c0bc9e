import sharp from 'sharp'
import { insertPngXmp } from '@starside/provenance/provenance.ts'
import type { RawPicture } from './raw-picture.ts'

export type PictureFormat = 'jpeg' | 'png' | 'webp' | 'avif'

const lossySettings = {
  // Huffman tables of its own would make a file 2 % smaller for three times the work.
  jpeg: { quality: 90, chromaSubsampling: '4:4:4', optimiseCoding: false },
  webp: { quality: 88, smartSubsample: true },
  avif: { quality: 70, effort: 3, chromaSubsampling: '4:4:4' },
}

/**
 * Encodes a finished picture with its provenance; sRGB, so no profile is written.
 * @param xmp the packet of `provenanceXmp`
 * @param format by default JPEG, quality 90, without chroma subsampling: clean edges of red lips
 */
export async function encodePicture(
  picture: RawPicture,
  xmp: string,
  format: PictureFormat = 'jpeg',
): Promise<Uint8Array> {
  const { pixels, widthPx, heightPx } = picture
  const source = sharp(pixels, { raw: { width: widthPx, height: heightPx, channels: 3 } })
  if (format === 'png') {
    return insertPngXmp(await source.png({ compressionLevel: 6 }).toBuffer(), xmp)
  }
  return await source.toFormat(format, lossySettings[format]).withXmp(xmp).toBuffer()
}
