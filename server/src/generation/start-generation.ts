import { createHash } from 'node:crypto'
import {
  customCelebrity,
  generationPriceCredits,
  generationReason,
} from '@starside/contract/limits.ts'
import type { NormalisedPhoto } from '@starside/engine/image-provider.ts'
import type { SignedInUser } from '../auth/session.ts'
import type { Context } from '../context.ts'
import { readAccount } from '../credits/account.ts'
import { attachOpenHold, findOpenHold } from '../credits/attach-hold.ts'
import { placeHold } from '../credits/hold.ts'
import { releaseOwnHold } from '../credits/release-own-hold.ts'
import { inTransaction } from '../db/database.ts'
import type { Transaction } from '../db/database.ts'
import { violatedConstraint } from '../db/postgres-errors.ts'
import { AppError } from '../errors/app-error.ts'
import { inputKey } from './input-key.ts'
import { judgePrompt } from './judge-pictures.ts'
import type { PhotoRole } from './judge-pictures.ts'
import { prepareForSelfie } from './prepare-photos.ts'
import { slotsTopic } from './providers/attempt-job.ts'
import { beginStep, stepHoldEnd } from './providers/begin-step.ts'
import { findByIdempotencyKey, hasRunningGeneration } from './queries.ts'
import type { GenerateForm } from './receive-form.ts'

type Parts = Pick<
  Context,
  | 'clock'
  | 'database'
  | 'engine'
  | 'images'
  | 'jobs'
  | 'moderation'
  | 'notifications'
  | 'presets'
  | 'store'
>

/** The wording of the consent that the form asks for; a new wording gets a new version. */
const consentVersion = '2026-11'

export interface GenerationRequest {
  user: SignedInUser
  form: GenerateForm
  idempotencyKey: string | undefined
  /** What `consume-credits` answered; without it the newest open hold is taken, or a new one placed. */
  holdId: string | undefined
  signal: AbortSignal
}

/**
 * Takes a selfie on: checks everything, then writes the generation, its hold and its job in one
 * transaction. The hold is the one that the caller names, else its newest open one, else a new one.
 * A repeated request (the same Idempotency-Key) answers the generation that the first one started.
 */
export async function startGeneration(
  parts: Parts,
  request: GenerationRequest,
): Promise<{ generationId: string }> {
  const digest = digestRequest(request.form)
  const earlier = await findRepeated(parts, request, digest)
  if (earlier !== undefined) return { generationId: earlier }
  try {
    return await startNew(parts, request, digest)
  } catch (error) {
    // Whatever stopped this one, it may have been its own twin that came first.
    const twin = await findRepeated(parts, request, digest)
    if (twin !== undefined) return { generationId: twin }
    if (violatedConstraint(error) === 'generations_one_running_per_user') {
      throw new AppError('generation_running', { cause: error })
    }
    throw error
  }
}

async function startNew(parts: Parts, request: GenerationRequest, digest: Buffer) {
  const { user, form } = request
  const preset = findPreset(parts.presets, form)
  if (preset === undefined && form.fields.consent !== 'true') throw new AppError('consent_required')
  await judgePrompt(parts, form.fields.prompt, user.userId)
  if (await hasRunningGeneration(parts.database, user.userId)) {
    throw new AppError('generation_running')
  }
  await assertCanPay(parts, user.userId, request.holdId)
  const photos = await preparePhotos(parts, request)
  const generationId = crypto.randomUUID()
  const keys = await storeInputs(parts, generationId, photos)
  try {
    await inTransaction(parts.database, (transaction) =>
      insertGeneration(parts, transaction, {
        request,
        digest,
        generationId,
        keys,
        hashes: { user: photos.user.hash, star: photos.star.hash },
        preset,
      }),
    )
  } catch (error) {
    await Promise.all(keys.all.map((key) => parts.store.delete(key)))
    throw error
  }
  if (parts.images.hostedCount > 0) await parts.notifications.publish(slotsTopic)
  return { generationId }
}

function findPreset(presets: Context['presets'], form: GenerateForm) {
  const { presetId } = form.fields
  if (presetId === undefined) return undefined
  const preset = presets.find(presetId)
  if (preset === undefined) throw new AppError('preset_unknown')
  return preset
}

/** Refuses early, before the photos are looked at; the hold itself decides. */
async function assertCanPay(
  parts: Parts,
  userId: string,
  holdId: string | undefined,
): Promise<void> {
  const amount = generationPriceCredits
  const open = await findOpenHold(parts.database, {
    userId,
    holdId,
    amount,
    now: parts.clock(),
  })
  if (open !== undefined) return
  if (holdId !== undefined) throw new AppError('hold_returned')
  const { balance } = await readAccount(parts.database, userId)
  if (balance < amount) throw new AppError('insufficient_credits')
}

/** The photos, with the perceptual hashes of uploads; a preset has none, as it is nobody's upload. */
async function preparePhotos(parts: Parts, request: GenerationRequest) {
  const { form, signal, user } = request
  const { presetId, userFaceIndex, starFaceIndex } = form.fields
  const prepare = (bytes: Uint8Array, faceIndex: number | undefined, role: PhotoRole) =>
    prepareForSelfie(parts, { bytes, faceIndex }, { role, userId: user.userId, signal })
  const own = await prepare(form.userPhoto, userFaceIndex, 'user')
  if (presetId !== undefined) {
    return { user: own, star: { photo: await parts.presets.readPhoto(presetId), hash: null } }
  }
  if (form.celebrityPhoto === undefined) throw new AppError('photos_required')
  return { user: own, star: await prepare(form.celebrityPhoto, starFaceIndex, 'star') }
}

async function storeInputs(
  parts: Parts,
  generationId: string,
  photos: Record<PhotoRole, { photo: NormalisedPhoto }>,
) {
  const put = async (role: PhotoRole) => {
    const { photo } = photos[role]
    const key = inputKey(generationId, role, photo)
    await parts.store.put(key, photo.bytes, photo.mediaType)
    return key
  }
  const user = await put('user')
  const star = await put('star')
  return { user, star, all: [user, star] }
}

async function insertGeneration(
  parts: Parts,
  transaction: Transaction,
  generation: {
    request: GenerationRequest
    digest: Buffer
    generationId: string
    keys: { user: string; star: string }
    hashes: { user: string; star: string | null }
    preset: { id: string; name: string } | undefined
  },
): Promise<void> {
  const { request, generationId, keys, preset } = generation
  const { fields } = request.form
  const { userId } = request.user
  const now = parts.clock()
  const celebrity = preset?.name ?? customCelebrity
  const holdId = await obtainHold(transaction, {
    userId,
    holdId: request.holdId,
    generationId,
    celebrity,
    now,
    expiresAt: stepHoldEnd(parts, 0),
  })
  const { boughtTotal } = await readAccount(transaction, userId)
  const isPremium = boughtTotal > 0
  await transaction
    .insertInto('generations')
    .values({
      id: generationId,
      user_id: userId,
      hold_id: holdId,
      idempotency_key: request.idempotencyKey ?? null,
      request_digest: generation.digest,
      celebrity,
      preset_id: preset?.id ?? null,
      scene: fields.scene ?? null,
      aspect: fields.aspect ?? '4:5',
      resolution: isPremium ? 'high' : 'standard',
      prompt: fields.prompt ?? null,
      user_face_index: fields.userFaceIndex ?? null,
      star_face_index: fields.starFaceIndex ?? null,
      consent_at: fields.consent === 'true' ? now : null,
      consent_version: fields.consent === 'true' ? consentVersion : null,
      user_photo_hash: generation.hashes.user,
      star_photo_hash: generation.hashes.star,
      user_photo_key: keys.user,
      star_photo_key: keys.star,
      created_at: now,
    })
    .execute()
  const owner = { generationId, userId, isPremium }
  const isBegun = await beginStep(parts, transaction, owner, 0)
  if (!isBegun) throw new Error('the chain of providers is empty')
}

async function obtainHold(
  transaction: Transaction,
  options: {
    userId: string
    holdId: string | undefined
    generationId: string
    celebrity: string
    now: Date
    expiresAt: Date
  },
): Promise<string> {
  const { generationId, celebrity, now, expiresAt } = options
  const attachedTo = `generation:${generationId}`
  const amount = generationPriceCredits
  const open = await attachOpenHold(transaction, { ...options, amount, attachedTo })
  if (open !== undefined) return open
  if (options.holdId !== undefined) throw new AppError('hold_returned')
  const placed = await placeHold(transaction, {
    userId: options.userId,
    amount,
    description: generationReason(celebrity),
    celebrity,
    reference: attachedTo,
    attachedTo,
    now,
    lifetimeMs: expiresAt.getTime() - now.getTime(),
  })
  if (placed.outcome === 'insufficient_credits') throw new AppError('insufficient_credits')
  if (placed.outcome === 'reference_conflict') throw new Error(`${attachedTo} was held before`)
  return placed.holdId
}

/** The generation of an earlier request with the same key; throws when its content differs. */
async function findRepeated(
  parts: Parts,
  request: GenerationRequest,
  digest: Buffer,
): Promise<string | undefined> {
  if (request.idempotencyKey === undefined) return undefined
  const earlier = await findByIdempotencyKey(parts.database, {
    userId: request.user.userId,
    idempotencyKey: request.idempotencyKey,
  })
  if (earlier === undefined) return undefined
  if (!earlier.request_digest.equals(digest)) throw new AppError('idempotency_conflict')
  return earlier.id
}

/**
 * Gives back the credit that consume-credits had set aside for a generation that was refused: the
 * named hold, and only that one, or without a name the newest open one. Without such a hold, and
 * when a generation has claimed it, nothing happens.
 */
export async function giveBackOpenHold(
  parts: Parts,
  userId: string,
  named: string | undefined,
): Promise<void> {
  const { database, clock } = parts
  const amount = generationPriceCredits
  const guess = { userId, holdId: undefined, amount, now: clock() }
  const holdId = named ?? (await findOpenHold(database, guess))
  if (holdId !== undefined) await releaseOwnHold(database, { userId, holdId, now: clock() })
}

function digestRequest(form: GenerateForm): Buffer {
  const hash = createHash('sha256')
  hash.update(createHash('sha256').update(form.userPhoto).digest())
  hash.update(
    createHash('sha256')
      .update(form.celebrityPhoto ?? '')
      .digest(),
  )
  hash.update(JSON.stringify(form.fields, Object.keys(form.fields).toSorted()))
  return hash.digest()
}
