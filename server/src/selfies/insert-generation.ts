import type { WishedLook } from '@starside/contract/arrangement-limits.ts'
import { customCelebrity, joinCelebrities } from '@starside/contract/limits.ts'
import type { SignedInUser } from '../accounts/auth/session.ts'
import type { SelfieParts } from './parts.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { readAccount } from '../ledger/credits/account.ts'
import { insertRow } from '../platform/db/rows.ts'
import type { Transaction } from '../platform/db/database.ts'
import { obtainHold } from './generation-hold.ts'
import { beginStep, stepHoldEnd } from './providers/begin-step.ts'
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

interface StoredPhoto {
  key: string
  /** Null for a preset's. */
  hash: string | null
  /** Who of it is meant; undefined: the main face. */
  faceIndexes: readonly number[] | undefined
}

/** What `insertGeneration` writes beside the request. */
interface NewGeneration {
  request: GenerationRequest
  digest: Buffer
  generationId: string
  photos: {
    user: StoredPhoto
    star: StoredPhoto
    secondStar: StoredPhoto | undefined
    background: StoredPhoto | undefined
  }
  preset: { id: string; name: string } | undefined
  secondPreset: { id: string; name: string } | undefined
  /** How the whole picture is developed. */
  look: WishedLook
  isGreyAdvised: boolean
}

/** Writes a generation with its hold, and begins with the first provider of the chain. */
export async function insertGeneration(
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
    is_grey_advised: generation.isGreyAdvised,
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
