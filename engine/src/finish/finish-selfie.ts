import type { C2paSigner } from '@starside/provenance/c2pa.ts'
import { drawAiLabel } from './ai-label.ts'
import type { Finishing } from '../engine-calls.ts'
import { encodePicture } from './encode.ts'
import { layOver } from './lay-over.ts'
import { embedMark } from '@starside/provenance/invisible-mark.ts'
import { releaseMemory } from '../release-memory.ts'
import { provenanceXmp } from '@starside/provenance/provenance.ts'
import { fingerprintPicture } from '../photo/fingerprint.ts'
import type { PictureFingerprint } from '../photo/fingerprint-distance.ts'
import type { RawPicture } from './raw-picture.ts'
import { shrinkToThumbnail } from './thumbnail.ts'
import { drawWatermark } from './watermark.ts'

export interface FinishOptions extends Omit<Finishing, 'markId'> {
  /** The invisible mark, in all four pictures; undefined leaves it out. */
  mark?: { id: string; key: Uint8Array } | undefined
  /** The file that the picture was made from: what its manifest says is carried on. */
  source?: Uint8Array | undefined
  /** Signs every file, last of all; undefined leaves them unsigned. */
  signer?: C2paSigner | undefined
}

/** The four pictures of one generation, all JPEG with provenance marks. */
export interface FinishedPictures {
  /** For premium users only. */
  clean: Uint8Array
  /** With the brand mark. */
  watermarked: Uint8Array
  /** 400 pixels on the long side, clean and with the brand mark. */
  cleanThumbnail: Uint8Array
  watermarkedThumbnail: Uint8Array
}

/**
 * Makes the files of one generation out of its pixels: with and without the brand mark, large and
 * as thumbnails. Every file carries its provenance; 'clean' is without the brand mark only.
 * @param picture interleaved 8-bit sRGB, left as it is
 * @returns the fingerprint is the clean file's
 */
export async function finishSelfie(
  picture: RawPicture,
  options: FinishOptions,
): Promise<{ files: FinishedPictures; fingerprint: PictureFingerprint }> {
  const { watermarkText, mark, aiLabel = 'off' } = options
  const drawn = new Set<RawPicture>()
  const write = async (each: RawPicture): Promise<Uint8Array> => {
    drawn.add(each)
    return await writeFile(each, options)
  }
  const writeAll = async (marked: RawPicture) => {
    const clean = write(marked)
    const small = shrinkToThumbnail(marked)
    const brand = (each: RawPicture) => drawWatermark(each, watermarkText).then(write)
    const [ofClean, watermarked, cleanThumbnail, watermarkedThumbnail, fingerprint] =
      await Promise.all([
        clean,
        brand(marked),
        small.then(write),
        small.then(brand),
        clean.then(fingerprintPicture),
      ])
    const files = { clean: ofClean, watermarked, cleanThumbnail, watermarkedThumbnail }
    return { files, fingerprint }
  }
  const labelled = await drawAiLabel(await layOver(picture, options.overlay), aiLabel)
  drawn.add(labelled)
  const finished = await (mark ? embedMark(labelled, mark, writeAll) : writeAll(labelled))
  drawn.delete(picture)
  releaseMemory(...[...drawn].map(({ pixels }) => pixels))
  return finished
}

/** The two files of a small picture, with and without the brand mark; neither has the invisible mark. */
export async function finishSmall(
  picture: RawPicture,
  options: Omit<FinishOptions, 'mark'>,
): Promise<Pick<FinishedPictures, 'clean' | 'watermarked'>> {
  const { aiLabel = 'off', overlay } = options
  const labelled = await drawAiLabel(await layOver(picture, overlay), aiLabel)
  const marked = await drawWatermark(labelled, options.watermarkText)
  const [clean, watermarked] = await Promise.all([
    writeFile(labelled, options),
    writeFile(marked, options),
  ])
  for (const each of [labelled, marked]) if (each !== picture) releaseMemory(each.pixels)
  return { clean, watermarked }
}

/** Encodes a picture with its metadata, and signs it. */
async function writeFile(
  picture: RawPicture,
  { systemName, systemVersion, mark, source, signer }: FinishOptions,
): Promise<Uint8Array> {
  const file = await encodePicture(
    picture,
    provenanceXmp({ name: systemName, version: systemVersion }),
  )
  const isMarked = mark !== undefined
  return (await signer?.sign(file, { systemName, systemVersion, isMarked, source })) ?? file
}
