import { createHash, hash as hashOnce } from 'node:crypto'
import { usualLook } from '@starside/contract/arrangement-limits.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import type { PhotoInspection } from '@starside/engine/photo/inspection.ts'
import { tellingHints } from '@starside/engine/photo/photo-error.ts'
import type { SelfieParts } from './parts.ts'
import { inTransaction } from '../platform/db/database.ts'
import { findRow } from '../platform/db/rows.ts'
import { violatedConstraint } from '../platform/db/postgres-errors.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { assertCanPay } from './generation-hold.ts'
import { inputKey } from './inputs.ts'
import type { InputRole } from './inputs.ts'
import { insertGeneration } from './insert-generation.ts'
import type { GenerationRequest } from './insert-generation.ts'
import { judgePrompt } from './judge-pictures.ts'
import { photoRefusal, prepareForSelfie } from './prepare-photos.ts'
import { slotsTopic } from './providers/attempts.ts'
import { hasRunningGeneration } from './queries.ts'
import type { GenerateForm, StarForm } from './receive-form.ts'

/**
 * Accepts a selfie: checks everything, then writes the generation, its hold and its job in one
 * transaction. The hold is the one that the caller names, else its newest open one, else a new one.
 * A repeated request (the same Idempotency-Key) answers the generation that the first one started.
 */
export async function startGeneration(
  parts: SelfieParts,
  request: GenerationRequest,
): Promise<{ generationId: string }> {
  const digest = digestRequest(request.form)
  const earlier = await findRepeated(parts, request, digest)
  if (earlier !== undefined) return { generationId: earlier }
  try {
    return await startNew(parts, request, digest)
  } catch (error) {
    // Whatever stopped this one, a repeat of it with the same key may have been first.
    const first = await findRepeated(parts, request, digest)
    if (first !== undefined) return { generationId: first }
    if (violatedConstraint(error) === 'generations_one_running_per_user') {
      throw new AppError('generation_running', { cause: error })
    }
    throw error
  }
}

async function startNew(parts: SelfieParts, asked: GenerationRequest, digest: Buffer) {
  const { user } = asked
  const form = user.guest
    ? await parts.guestRules.admit({ ...user.guest, userId: user.userId }, asked.form)
    : asked.form
  const request = { ...asked, form }
  const { fields, secondStar } = form
  const preset = findPreset(parts.presets, fields.presetId)
  const secondPreset = findPreset(parts.presets, secondStar?.presetId)
  const isUploaded =
    preset === undefined || (secondStar !== undefined && secondPreset === undefined)
  if (isUploaded && fields.consent !== 'true') throw new AppError('consent_required')
  assertPhotosTaken(parts, form)
  await judgePrompt(parts, fields.prompt, user.userId)
  if (await hasRunningGeneration(parts.database, user.userId)) {
    throw new AppError('generation_running')
  }
  const { holdId, isHoldOpen } = request
  await assertCanPay(parts, { userId: user.userId, holdId, isHoldOpen })
  if (fields.askBeforeRepeat === 'true') await assertNotMade(parts, user.userId, digest)
  const generationId = crypto.randomUUID()
  const photos = await preparePhotos(parts, request, generationId)
  if (fields.aspect === '9:16') await assertBodiesForStory(parts, photos, request.signal)
  const isGreyAdvised = fields.look === undefined && isDoubtful(photos.user.inspection)
  const look = isGreyAdvised ? 'black-and-white' : (fields.look ?? usualLook)
  const stars = { preset, secondPreset }
  const generation = { request, digest, generationId, photos, ...stars, look, isGreyAdvised }
  const inputs = Object.values(photos).filter((input) => input !== undefined)
  for (const { key, photo } of inputs) await parts.store.put(key, photo.bytes, photo.mediaType)
  try {
    await inTransaction(parts.database, (transaction) =>
      insertGeneration(parts, transaction, generation),
    )
  } catch (error) {
    await Promise.all(inputs.map(({ key }) => parts.store.delete(key)))
    throw error
  }
  if (parts.images.hostedCount > 0) await parts.notifications.publish(slotsTopic)
  return { generationId }
}

/** Whether others in the photo, or two hints, say that a picture in colour would hardly be believed. */
function isDoubtful({ hints }: PhotoInspection): boolean {
  const telling = hints.filter((hint) => tellingHints.includes(hint))
  return hints.includes('several_faces') || telling.length >= 2
}

/** Throws `already_made` when the same request has a picture that can still be adjusted. */
async function assertNotMade(
  { database, clock }: Pick<SelfieParts, 'clock' | 'database'>,
  userId: string,
  digest: Buffer,
): Promise<void> {
  const made = await database
    .selectFrom('generations')
    .innerJoin('generation_layers', 'generation_layers.generation_id', 'generations.id')
    .select('generations.id')
    .where('user_id', '=', userId)
    .where('request_digest', '=', digest)
    .where('state', '=', 'done')
    .where('deleted_at', 'is', null)
    .where('expires_at', '>', clock())
    .executeTakeFirst()
  if (made !== undefined) throw new AppError('already_made', { generationId: made.id })
}

/** Throws where no provider of the chain takes so many photos. */
function assertPhotosTaken({ images }: SelfieParts, { secondStar, background }: GenerateForm) {
  const people = secondStar === undefined ? 2 : 3
  if (people > images.photosMax) throw new AppError('two_stars_unsupported')
  if (background !== undefined && people + 1 > images.photosMax) {
    throw new AppError('background_unsupported')
  }
}

function findPreset(presets: SelfieParts['presets'], presetId: string | undefined) {
  if (presetId === undefined) return undefined
  const preset = presets.find(presetId)
  if (preset === undefined) throw new AppError('preset_unknown')
  return preset
}

/**
 * The photos with the keys that they shall have in the store, and the perceptual hashes of uploads; a
 * preset has none, as it is nobody's upload.
 */
async function preparePhotos(
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

/**
 * A tall picture shows much of all bodies, so that a photo which ends at the chin can't fill it. Of a
 * preset that isn't known beforehand: most are never asked for such a picture.
 */
async function assertBodiesForStory(
  { engine }: Pick<SelfieParts, 'engine'>,
  photos: Awaited<ReturnType<typeof preparePhotos>>,
  signal: AbortSignal,
): Promise<void> {
  const checked = [
    ['user', photos.user],
    ['star', photos.star],
    ['star', photos.secondStar],
  ] as const
  for (const [role, prepared] of checked) {
    if (prepared === undefined) continue
    const { hints } =
      'inspection' in prepared
        ? prepared.inspection
        : await engine.inspect({ photo: prepared.photo }, { signal })
    if (hints.includes('tight_crop')) throw photoRefusal('story_too_tight', role)
  }
}

/** The generation of an earlier request with the same key; throws when its content differs. */
async function findRepeated(parts: SelfieParts, request: GenerationRequest, digest: Buffer) {
  if (request.idempotencyKey === undefined) return undefined
  const key = { user_id: request.user.userId, idempotency_key: request.idempotencyKey }
  const earlier = await findRow(parts.database, 'generations', key)
  if (earlier === undefined) return undefined
  if (!earlier.request_digest.equals(digest)) throw new AppError('idempotency_conflict')
  return earlier.id
}

function digestRequest(form: GenerateForm): Buffer {
  const digestOf = (photo: Buffer | undefined) => hashOnce('sha256', photo ?? '', 'buffer')
  const hash = createHash('sha256')
  hash.update(digestOf(form.userPhoto))
  hash.update(digestOf(form.celebrityPhoto))
  const { askBeforeRepeat: _, ...wishes } = form.fields
  hash.update(JSON.stringify(wishes, Object.keys(wishes).toSorted()))
  if (form.secondStar !== undefined) {
    const { photo, presetId = null, starFaceIndex = null } = form.secondStar
    hash.update(digestOf(photo))
    hash.update(JSON.stringify([presetId, starFaceIndex]))
  }
  if (form.background !== undefined) {
    hash.update('background')
    hash.update(digestOf(form.background))
  }
  return hash.digest()
}
