import { createHash, hash as hashOnce } from 'node:crypto'
import { greyHintsOf, usualLook, type GreyHint } from '@starside/contract/arrangement-limits.ts'
import { customCelebrity, joinCelebrities } from '@starside/contract/limits.ts'
import type { WishedLook } from '@starside/contract/arrangement-limits.ts'
import type { SignedInUser } from '../accounts/auth/session.ts'
import { readAccount } from '../ledger/credits/account.ts'
import type { SelfieParts } from './parts.ts'
import { inTransaction } from '../platform/db/database.ts'
import type { Transaction } from '../platform/db/database.ts'
import { findRow, insertRow } from '../platform/db/rows.ts'
import { violatedConstraint } from '../platform/db/postgres-errors.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { assertCanPay, obtainHold } from './generation-hold.ts'
import { assertBodiesForStory, preparePhotos } from './prepare-photos.ts'
import { beginStep, stepHoldEnd } from './providers/begin-step.ts'
import { slotsTopic } from './providers/attempts.ts'
import { hasRunningGeneration } from './queries.ts'
import type { GenerateForm } from './receive-form.ts'

/** The wording of the consent that the form asks for; a new wording gets a new version. */
const consentVersion = '2026-11'

/** A person's wish for a selfie, as the form and the request's headers have it. */
export interface GenerationRequest {
  user: SignedInUser
  form: GenerateForm
  idempotencyKey: string | undefined
  /** What `consume-credits` answered; without it the newest open hold is taken, or a new one placed. */
  holdId: string | undefined
  /** Whether that hold was open when the request came. */
  isHoldOpen: boolean
  signal: AbortSignal
}

/**
 * Accepts a selfie: checks everything, then writes generation, hold (named, else newest open, else new) and
 * job in one transaction. The same Idempotency-Key answers the generation that the first request started.
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
  await parts.moderation.judgePrompt(fields.prompt, user.userId)
  if (await hasRunningGeneration(parts.database, user.userId)) {
    throw new AppError('generation_running')
  }
  await assertCanPay(parts, { ...request, userId: user.userId })
  if (fields.askBeforeRepeat === 'true') await assertNotMade(parts, user.userId, digest)
  const generationId = crypto.randomUUID()
  const photos = await preparePhotos(parts, request, generationId)
  if (fields.aspect === '9:16') await assertBodiesForStory(parts, photos, request.signal)
  const isElsewhere = form.background !== undefined || (fields.scene ?? 'own') !== 'own'
  const { hints } = photos.user.inspection
  const greyHints = fields.look ? [] : greyHintsOf(hints, isElsewhere)
  const look = greyHints.length > 0 ? 'black-and-white' : (fields.look ?? usualLook)
  const stars = { preset, secondPreset }
  const generation = { request, digest, generationId, photos, ...stars, look, greyHints }
  const inputs = Object.values(photos).filter((input) => input !== undefined)
  try {
    for (const { key, photo } of inputs) await parts.store.put(key, photo.bytes, photo.mediaType)
    await inTransaction(parts.database, (transaction) =>
      insertGeneration(parts, transaction, generation),
    )
  } catch (error) {
    await Promise.allSettled(inputs.map(({ key }) => parts.store.delete(key)))
    throw error
  }
  if (parts.images.hostedCount > 0) await parts.notifications.publish(slotsTopic)
  return { generationId }
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

/** What `insertGeneration` writes beside the request. */
interface NewGeneration {
  request: GenerationRequest
  digest: Buffer
  generationId: string
  photos: Awaited<ReturnType<typeof preparePhotos>>
  preset: ReturnType<typeof findPreset>
  secondPreset: ReturnType<typeof findPreset>
  /** How the whole picture is developed. */
  look: WishedLook
  greyHints: GreyHint[]
}

/** Writes a generation with its hold, and begins with the first provider of the chain. */
async function insertGeneration(
  parts: Pick<SelfieParts, 'clock' | 'images' | 'jobs'>,
  transaction: Transaction,
  generation: NewGeneration,
): Promise<void> {
  const { request, generationId, preset, secondPreset } = generation
  const { user, star, secondStar, background } = generation.photos
  const { fields } = request.form
  const { userId } = request.user
  const now = parts.clock()
  const first = preset?.name ?? customCelebrity
  const starNames = secondStar === undefined ? null : [first, secondPreset?.name ?? customCelebrity]
  const celebrity = joinCelebrities(starNames ?? [first])
  const holdId = await obtainHold(transaction, {
    userId,
    holdId: request.holdId,
    generationId,
    celebrity,
    now,
    expiresAt: stepHoldEnd(parts, 0),
  })
  const { isPremium } = await readAccount(transaction, userId)
  await insertRow(transaction, 'generations', {
    id: generationId,
    user_id: userId,
    hold_id: holdId,
    idempotency_key: request.idempotencyKey ?? null,
    request_digest: generation.digest,
    celebrity,
    preset_id: preset?.id ?? null,
    scene: fields.scene ?? null,
    aspect: fields.aspect ?? '4:5',
    look: generation.look,
    is_grey_advised: generation.greyHints.length > 0,
    grey_hints: generation.greyHints,
    resolution: isPremium ? 'high' : 'standard',
    prompt: fields.prompt ?? null,
    user_face_index: user.faceIndexes?.[0] ?? null,
    user_face_indexes:
      user.faceIndexes && user.faceIndexes.length > 1 ? [...user.faceIndexes] : null,
    star_face_index: star.faceIndexes?.[0] ?? null,
    second_preset_id: secondPreset?.id ?? null,
    second_star_face_index: secondStar?.faceIndexes?.[0] ?? null,
    second_star_photo_key: secondStar?.key ?? null,
    second_star_photo_hash: secondStar?.hash ?? null,
    has_background_photo: background !== undefined,
    background_photo_key: background?.key ?? null,
    background_photo_hash: background?.hash ?? null,
    star_names: starNames,
    consent_at: fields.consent === 'true' ? now : null,
    consent_version: fields.consent === 'true' ? consentVersion : null,
    user_photo_hash: user.hash,
    star_photo_hash: star.hash,
    user_photo_key: user.key,
    star_photo_key: star.key,
    created_at: now,
  })
  const owner = { generationId, userId, isPremium }
  const isBegun = await beginStep(parts, transaction, owner, { position: 0, repetition: 0 })
  // Every provider of the chain waits for a picture filter: the log and first steps say so.
  if (!isBegun) throw new AppError('generation_failed')
}
