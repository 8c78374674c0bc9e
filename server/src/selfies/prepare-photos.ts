import { errorTable } from '@starside/contract/errors.ts'
import type { ErrorCode } from '@starside/contract/errors.ts'
import type { Upload, EngineInput, EngineOutput } from '@starside/engine/engine-calls.ts'
import { PhotoError } from '@starside/engine/photo/photo-error.ts'
import type { PhotoRole } from '@starside/engine/photo/photo-error.ts'
import { generationPriceCredits, headsMax } from '@starside/contract/limits.ts'
import type { PrepareInput } from '@starside/contract/generation.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { readAccount } from '../ledger/credits/account.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import { inputKey } from './inputs.ts'
import type { InputRole } from './inputs.ts'
import type { SelfieParts } from './parts.ts'
import type { StarForm } from './receive-form.ts'
import type { GenerationRequest } from './start-generation.ts'

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
  const owned = { ...upload, account: about.userId, readAhead: makesPicturesHere(context) }
  const admitted = await context.engine.admit(owned, { signal: about.signal })
  const hash = await context.moderation.judgePhoto({ ...admitted, file: upload.bytes }, about)
  const { photo, inspection, faceIndexes = upload.faceIndexes } = admitted
  return { photo, faceIndexes, inspection, hash }
}

/** Whether work ahead of need pays: where other nodes make pictures, or hosted models do, nothing comes of it. */
function makesPicturesHere(parts: Pick<SelfieParts, 'config' | 'images'>): boolean {
  return parts.config.role === 'all' && parts.images.hostedCount === 0
}

/** For a photo of a selfie: also refuses what makes no good picture, in a sentence saying which. */
export async function prepareForSelfie(
  ...[context, upload, about]: Parameters<typeof preparePhoto>
) {
  try {
    const prepared = await preparePhoto(context, upload, about)
    const { faces, refusals } = prepared.inspection
    const isMissing = upload.faceIndexes?.some((index) => index >= faces.length) ?? false
    if (isMissing && faces.length > 0) throw new AppError('face_unknown', { photo: about.role })
    if (refusals[0] !== undefined) throw new PhotoError(refusals[0], about.role)
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

/** The photos with keys of the store, and the perceptual hashes of uploads; presets have none. */
export async function preparePhotos(
  parts: SelfieParts,
  { form, signal, user }: GenerationRequest,
  generationId: string,
) {
  const about = { userId: user.userId, signal }
  const withKey = <Photo extends { photo: NormalisedPhoto }>(role: InputRole, photo: Photo) => ({
    ...photo,
    key: inputKey(generationId, role, photo.photo),
  })
  const prepareStar = async ({ presetId, photo, starFaceIndex }: StarForm) => {
    const faceIndexes = starFaceIndex === undefined ? undefined : [starFaceIndex]
    if (presetId !== undefined) {
      return { photo: await parts.presets.readPhoto(presetId), hash: null, faceIndexes }
    }
    if (photo === undefined) throw new AppError('photos_required')
    return await prepareForSelfie(parts, { bytes: photo, faceIndexes }, { role: 'star', ...about })
  }
  const { userPhoto: bytes, userFaceIndexes: faceIndexes, celebrityPhoto, secondStar } = form
  const place = form.background && { bytes: form.background, isBackground: true }
  const own = await prepareForSelfie(parts, { bytes, faceIndexes }, { role: 'user', ...about })
  const star = await prepareStar({ ...form.fields, photo: celebrityPhoto })
  const second = secondStar && (await prepareStar(secondStar))
  const around = place && (await prepareForSelfie(parts, place, { role: 'background', ...about }))
  return {
    user: withKey('user', own),
    star: withKey('star', star),
    secondStar: second && withKey('second-star', second),
    background: around && withKey('background', around),
  }
}

/** Refuses photos that end at the chin for a tall picture; presets are measured only here. */
export async function assertBodiesForStory(
  { engine }: Pick<SelfieParts, 'engine'>,
  photos: Awaited<ReturnType<typeof preparePhotos>>,
  signal: AbortSignal,
): Promise<void> {
  for (const [role, prepared] of [
    ['user', photos.user],
    ['star', photos.star],
    ['star', photos.secondStar],
  ] as const) {
    if (prepared === undefined) continue
    const { hints } =
      'inspection' in prepared
        ? prepared.inspection
        : await engine.inspect({ photo: prepared.photo }, { signal })
    if (hints.includes('tight_crop')) throw photoRefusal('story_too_tight', role)
  }
}

type Parts = Pick<SelfieParts, 'config' | 'database' | 'engine' | 'images' | 'presets'>
type Star = EngineInput<'prepare'>['stars'][number]

/**
 * Has the engine cut a likely selfie's people out beforehand, for who can pay. It grants nothing:
 * the engine knows only photos that this account has sent. Says whether it has begun, or why nobody can.
 */
export async function prepareSelfie(
  parts: Parts,
  userId: string,
  { userPhoto, userFaces, stars, aspect = '4:5' }: PrepareInput,
): Promise<EngineOutput<'prepare'>> {
  const chosen = await Promise.all(stars.map((star) => findStar(parts, star)))
  const none = { isBegun: false }
  if (!makesPicturesHere(parts)) return none
  const faceIndexes = userFaces && [...new Set(userFaces)].toSorted((one, other) => one - other)
  if ((faceIndexes?.length ?? 1) + stars.length > headsMax) return none
  const { balance, isPremium } = await readAccount(parts.database, userId)
  if (balance < generationPriceCredits) return none
  return await parts.engine.prepare({
    account: userId,
    user: { digest: userPhoto, faceIndexes },
    stars: chosen,
    aspect,
    resolution: isPremium ? 'high' : 'standard',
  })
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
  return { photo: await presets.readPhoto(presetId), isPreset: true }
}
