import sharp from 'sharp'
import type { NormalisedPhoto } from '../image-provider.ts'
import { normalisePhoto, photoSidePxMax } from './normalise.ts'
import { PhotoError, type PhotoRefusal } from './photo-error.ts'

/** Pixels a side of a background photo at least: it fills the whole picture. */
export const backgroundSidePxMin = 512

/**
 * As `normalisePhoto`, for the photo of a place: refuses also what is too narrow or too low to fill a
 * picture, and with `background_unusable` what moves or is cut out.
 */
export async function normaliseBackground(
  upload: Uint8Array,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<NormalisedPhoto> {
  const photo = await normalisePhoto(upload, options).catch(async (error: unknown) => {
    if (!(error instanceof PhotoError) || error.code !== 'photo_too_small') throw error
    const { width, height } = (await sharp(upload).metadata()).autoOrient
    throw new PhotoError(narrowOrLow(width, height) ?? error.code, undefined, { cause: error })
  })
  const isSmall = narrowOrLow(photo.widthPx, photo.heightPx)
  if (isSmall) throw new PhotoError(isSmall)
  const { pages = 1 } = await sharp(upload).metadata()
  if (photo.hasMatte || pages > 1) throw new PhotoError('background_unusable')
  return photo
}

/** Which side of an upright photo is too short once its long one is bounded; null where neither is. */
function narrowOrLow(widthPx: number, heightPx: number): PhotoRefusal | null {
  const scale = Math.min(1, photoSidePxMax / Math.max(widthPx, heightPx))
  if (Math.round(widthPx * scale) < backgroundSidePxMin) return 'background_too_narrow'
  return Math.round(heightPx * scale) < backgroundSidePxMin ? 'background_too_low' : null
}
