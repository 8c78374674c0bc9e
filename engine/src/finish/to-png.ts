import sharp from 'sharp'
import type { C2paSigner } from '@starside/provenance/c2pa.ts'
import { encodePicture } from './encode.ts'
import { detectMark } from '@starside/provenance/invisible-mark.ts'
import { provenanceXmp } from '@starside/provenance/provenance.ts'
import { readXmpProvenance } from '@starside/provenance/read-xmp.ts'

/** A finished JPEG of ours as a PNG, XMP kept and signed anew, as C2PA signatures fit one file. */
export async function jpegToPng(
  jpeg: Uint8Array,
  options: { signer?: C2paSigner | undefined; markKey?: Uint8Array | undefined } = {},
): Promise<Uint8Array> {
  const { signer, markKey } = options
  const source = sharp(jpeg)
  const [{ xmp }, { data, info }] = await Promise.all([
    source.metadata(),
    source.clone().toColourspace('srgb').removeAlpha().raw().toBuffer({ resolveWithObject: true }),
  ])
  const picture = { pixels: data, widthPx: info.width, heightPx: info.height }
  // A picture without a packet must not leave without one either.
  const packet = xmp?.toString('utf8') ?? provenanceXmp({ version: 'unknown' })
  const png = await encodePicture(picture, packet, 'png')
  if (signer === undefined) return png
  const { systemName, systemVersion = 'unknown' } = readXmpProvenance(packet)
  const id = markKey === undefined ? undefined : await detectMark(picture, markKey)
  const isMarked = id !== undefined
  return await signer.sign(png, { systemName, systemVersion, isMarked, source: jpeg })
}
