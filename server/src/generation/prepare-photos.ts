import { errorTable } from '@starside/contract/errors.ts'
import type { ErrorCode } from '@starside/contract/errors.ts'
import type { Engine } from '@starside/engine/engine.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import { AppError } from '../errors/app-error.ts'

export type PhotoRole = 'user' | 'star'

/**
 * Decodes an upload, makes it upright and bare of metadata, and refuses it when no good picture
 * would come of it. Throws an AppError whose sentence names which photo it is.
 */
export async function preparePhoto(
  engine: Engine,
  upload: Uint8Array,
  options: { role: PhotoRole; faceIndex: number | undefined; signal: AbortSignal },
): Promise<NormalisedPhoto> {
  const { role, faceIndex, signal } = options
  try {
    const photo = await engine.normalise(upload, { signal })
    const { refusals } = await engine.inspect(photo, { signal, faceIndex })
    if (refusals[0] !== undefined) throw new PhotoError(refusals[0], role)
    return photo
  } catch (error) {
    if (error instanceof PhotoError) throw photoRefusal(error.code, error.photo ?? role)
    throw error
  }
}

/** The refusal of one of the two photos, as the person reads it. */
export function photoRefusal(code: ErrorCode, photo: PhotoRole): AppError {
  const whose = photo === 'user' ? 'Your photo' : "The star's photo"
  return new AppError(code, { sentence: `${whose}: ${errorTable[code].sentence}`, photo })
}
