import type { AdmittedPhoto, Selfie } from '@starside/engine/engine-calls.ts'
import type { SelfieParts } from './parts.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { hashOfFile, toInt8 } from '../moderation/blocked-pictures.ts'
import type { PhotoRole } from '@starside/engine/photo/photo-error.ts'

type Parts = Pick<SelfieParts, 'moderation'>

/** Throws `prompt_refused` when the person's words are not allowed. */
export async function judgePrompt(
  { moderation }: Pick<SelfieParts, 'moderation'>,
  prompt: string | undefined,
  userId: string,
): Promise<void> {
  const code = await moderation.judgePrompt(prompt, userId)
  if (code !== undefined) throw new AppError(code)
}

/**
 * Judges an uploaded photo and answers what it is known by: a background by its file, any other by its
 * perceptual hash.
 * Throws `photo_blocked` or `picture_refused`, with the photo that it is about.
 */
export async function judgePhoto(
  { moderation }: Parts,
  { photo, fingerprint, file }: Pick<AdmittedPhoto, 'photo' | 'fingerprint'> & { file: Uint8Array },
  about: { userId: string; role: PhotoRole; signal: AbortSignal },
): Promise<string> {
  const fileHash = hashOfFile(file)
  const code = await moderation.judgePhoto({ bytes: photo.bytes, fingerprint, fileHash }, about)
  if (code === undefined) {
    return about.role === 'background' ? fileHash : toInt8(fingerprint.upright)
  }
  throw new AppError(code, { photo: about.role })
}

/** Judges a finished picture and answers its perceptual hash. Throws `picture_refused`. */
export async function judgeResult(
  { moderation }: Parts,
  { clean, fingerprint }: Selfie,
  about: { userId: string; generationId: string; signal: AbortSignal },
): Promise<string> {
  const code = await moderation.judgeResult({ bytes: clean, fingerprint }, about)
  if (code !== undefined) throw new AppError(code)
  return toInt8(fingerprint.upright)
}
