import { errorTable } from '@starside/contract/errors.ts'
import type { ErrorCode } from '@starside/contract/errors.ts'
import type { Upload, EngineInput } from '@starside/engine/engine-calls.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import type { PhotoRole } from '@starside/engine/photo/photo-error.ts'
import { generationPriceCredits, headsMax } from '@starside/contract/limits.ts'
import type { PrepareInput } from '@starside/contract/generation.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { readAccount } from '../ledger/credits/account.ts'
import type { SelfieParts } from './parts.ts'
import { judgePhoto } from './judge-pictures.ts'

/**
 * Reads an upload and has the moderation judge it: for every call that takes a photo, in this
 * order. Throws PhotoError for one that can't be read, AppError for one that mustn't be used.
 * @returns an upload that may be used, which of its faces are meant (undefined: the main one), what would
 *   spoil a picture of it, and what it is known by once it is blocked
 */
export async function preparePhoto(
  context: Pick<SelfieParts, 'config' | 'engine' | 'images' | 'moderation'>,
  upload: Upload,
  about: { userId: string; role: PhotoRole; signal: AbortSignal },
) {
  const owned = {
    ...upload,
    account: about.userId,
    readAhead: makesPicturesHere(context),
  }
  const admitted = await context.engine.admit(owned, { signal: about.signal })
  const hash = await judgePhoto(context, { ...admitted, file: upload.bytes }, about)
  const { photo, inspection, faceIndexes = upload.faceIndexes } = admitted
  return { photo, faceIndexes, inspection, hash }
}

/** Whether work ahead of need pays: where other nodes make pictures, or hosted models do, nothing comes of it. */
export function makesPicturesHere({
  config,
  images,
}: Pick<SelfieParts, 'config' | 'images'>): boolean {
  return config.role === 'all' && images.hostedCount === 0
}

/**
 * The same for a photo that a selfie is to be made of: refuses it when no good picture would come
 * of it. The refusal's sentence names which photo it is about.
 */
export async function prepareForSelfie(
  ...[context, upload, about]: Parameters<typeof preparePhoto>
) {
  try {
    const prepared = await preparePhoto(context, upload, about)
    const { faces } = prepared.inspection
    const isMissing = upload.faceIndexes?.some((index) => index >= faces.length) ?? false
    if (isMissing && faces.length > 0) throw new AppError('face_unknown', { photo: about.role })
    const [code] = prepared.inspection.refusals
    if (code !== undefined) throw new PhotoError(code, about.role)
    return prepared
  } catch (error) {
    if (error instanceof PhotoError) throw photoRefusal(error.code, error.photo ?? about.role)
    throw error
  }
}

const photoNames: Record<PhotoRole, string> = {
  user: 'Your photo',
  star: "The star's photo",
  background: 'The background',
}

/** The refusal of one of the photos, as the person reads it. */
export function photoRefusal(code: ErrorCode, photo: PhotoRole): AppError {
  return new AppError(code, {
    sentence: `${photoNames[photo]}: ${errorTable[code].sentence}`,
    photo,
  })
}

type Parts = Pick<SelfieParts, 'config' | 'database' | 'engine' | 'images' | 'presets'>
type Star = EngineInput<'prepare'>['stars'][number]

/**
 * Has the engine cut the people of a likely selfie out before it is asked for. It grants nothing: the
 * engine knows only photos that this account has sent, and a selfie that finds nothing prepared is the
 * same. For who can't pay for the selfie nothing is done.
 * @returns whether the engine has begun
 */
export async function prepareSelfie(
  parts: Parts,
  userId: string,
  { userPhoto, userFaces, stars, aspect = '4:5' }: PrepareInput,
): Promise<boolean> {
  const chosen = await Promise.all(stars.map((star) => findStar(parts, star)))
  if (!makesPicturesHere(parts)) return false
  const faceIndexes = userFaces && [...new Set(userFaces)].toSorted((one, other) => one - other)
  if ((faceIndexes?.length ?? 1) + stars.length > headsMax) return false
  const { balance, isPremium } = await readAccount(parts.database, userId)
  if (balance < generationPriceCredits) return false
  const { isBegun } = await parts.engine.prepare({
    account: userId,
    user: { digest: userPhoto, faceIndexes },
    stars: chosen,
    aspect,
    resolution: isPremium ? 'high' : 'standard',
  })
  return isBegun
}

/** A star as `readSelfieInput` will give it to the engine. */
async function findStar(
  { presets }: Pick<Parts, 'presets'>,
  star: PrepareInput['stars'][number],
): Promise<Star> {
  if ('photo' in star) {
    const { photo: digest, faceIndex } = star
    return { digest, faceIndexes: faceIndex === undefined ? undefined : [faceIndex] }
  }
  const { presetId } = star
  if (presets.find(presetId) === undefined) throw new AppError('preset_unknown')
  const photo = await presets.readPhoto(presetId)
  return { photo, isPreset: true }
}
