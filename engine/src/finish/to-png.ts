import sharp from 'sharp'
import { encodePicture } from './encode.ts'
import { provenanceXmp } from './provenance.ts'

/**
 * The same picture as a PNG to download, its XMP kept.
 * @param jpeg a finished picture of ours
 */
export async function jpegToPng(jpeg: Uint8Array): Promise<Uint8Array> {
  const source = sharp(jpeg)
  const [{ xmp }, { data, info }] = await Promise.all([
    source.metadata(),
    source.clone().toColourspace('srgb').removeAlpha().raw().toBuffer({ resolveWithObject: true }),
  ])
  const picture = { pixels: data, widthPx: info.width, heightPx: info.height }
  // A picture without a packet must not leave without one either.
  return await encodePicture(picture, xmp?.toString('utf8') ?? provenanceXmp('unknown'), 'png')
}
