import type { WishedLook } from '@starside/contract/arrangement-limits.ts'
import { customCelebrity, joinCelebrities } from '@starside/contract/limits.ts'
import type { SignedInUser } from '../accounts/auth/session.ts'
import type { SelfieParts } from './parts.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { readAccount } from '../ledger/credits/account.ts'
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

/** What `insertGeneration` writes beside the request. */
interface NewGeneration {
  request: GenerationRequest
  digest: Buffer
  generationId: string
  keys: {
    user: string
    star: string
    secondStar: string | undefined
    background: string | undefined
  }
  hashes: {
    user: string
    star: string | null
    secondStar: string | null
    background: string | null
  }
  /** Who of each photo that is kept is meant; undefined: the main face. */
  faceIndexes: Record<'user' | 'star' | 'secondStar', readonly number[] | undefined>
  preset: { id: string; name: string } | undefined
  secondPreset: { id: string; name: string } | undefined
  /** How the whole picture is developed. */
  look: WishedLook
}

/** Writes a generation with its hold, and begins with the first provider of the chain. */
export async function insertGeneration(
  parts: Pick<SelfieParts, 'clock' | 'images' | 'jobs'>,
  transaction: Transaction,
  generation: NewGeneration,
): Promise<void> {
  const { request, generationId, keys, preset, secondPreset } = generation
  const { fields, secondStar } = request.form
  const { user: userFaceIndexes } = generation.faceIndexes
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
      look: generation.look,
      resolution: isPremium ? 'high' : 'standard',
      prompt: fields.prompt ?? null,
      user_face_index: userFaceIndexes?.[0] ?? null,
      user_face_indexes: (userFaceIndexes?.length ?? 0) > 1 ? [...userFaceIndexes!] : null,
      star_face_index: generation.faceIndexes.star?.[0] ?? null,
      second_preset_id: secondPreset?.id ?? null,
      second_star_face_index: generation.faceIndexes.secondStar?.[0] ?? null,
      second_star_photo_key: keys.secondStar ?? null,
      second_star_photo_hash: generation.hashes.secondStar,
      has_background_photo: keys.background !== undefined,
      background_photo_key: keys.background ?? null,
      background_photo_hash: generation.hashes.background,
      star_names: starNames,
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
  const isBegun = await beginStep(parts, transaction, owner, { position: 0, repetition: 0 })
  // Every provider of the chain waits for a picture filter: the log and first steps say so.
  if (!isBegun) throw new AppError('generation_failed')
}
