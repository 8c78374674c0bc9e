import sharp from 'sharp'
import type { NormalisedPhoto } from '../image-provider.ts'
import { normalisePhoto } from './normalise.ts'
import { PhotoError } from './photo-error.ts'

/** Pixels a side of a background photo at least: it fills the whole picture. */
export const backgroundSidePxMin = 512

/**
 * As `normalisePhoto`, for the photo of a place: refuses also what is too small to fill a picture, moves,
 * or is cut out, all with `background_unusable`.
 */
export async function normaliseBackground(
  upload: Uint8Array,
  options: { signal?: AbortSignal | undefined } = {},
): Promise<NormalisedPhoto> {
  const photo = await normalisePhoto(upload, options).catch((error: unknown) => {
    const isSmall = error instanceof PhotoError && error.code === 'photo_too_small'
    throw isSmall ? new PhotoError('background_unusable', undefined, { cause: error }) : error
  })
  const isSmall = Math.min(photo.widthPx, photo.heightPx) < backgroundSidePxMin
  if (isSmall || photo.hasMatte || (await isAnimated(upload))) {
    throw new PhotoError('background_unusable')
  }
  return photo
}

/** Reads the header only. */
async function isAnimated(upload: Uint8Array): Promise<boolean> {
  const { pages = 1 } = await sharp(upload).metadata()
  return pages > 1
}
