import type { ErrorCode } from '@starside/contract/errors.ts'
import { hostedErrorRules } from '../../vendors/hosted-error.ts'
import type { HostedErrorKind } from '../../vendors/hosted-error.ts'
import { cardName } from '../../vendors/models/model-description.ts'
import type { SelfieParts } from '../parts.ts'
import { inTransaction } from '../../platform/db/database.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { deleteInputs } from '../delete-objects.ts'
import { failInTransaction, generationTopic } from '../finish-generation.ts'
import type { GenerationRow } from '../queries.ts'
import { slotsTopic } from './attempt-job.ts'
import { findAttempt, outputKeysOf } from './attempt-queries.ts'
import type { AttemptRow } from './attempt-queries.ts'
import { moveAttempt } from './attempt-states.ts'
import { extendHold } from '../../ledger/credits/extend-hold.ts'
import { beginStep, stepHoldEnd } from './begin-step.ts'
import { recordFailure } from './circuit.ts'

/** What the user is told of each kind, when no further provider is asked. */
export const codeByKind: Readonly<Record<HostedErrorKind, ErrorCode>> = {
  policy_refused: 'provider_refused',
  bad_input: 'provider_bad_input',
  provider_busy: 'provider_busy',
  provider_down: 'provider_down',
  timeout: 'provider_timeout',
  likeness_lost: 'likeness_lost',
  unknown: 'generation_failed',
}

export interface AttemptFailure {
  kind: HostedErrorKind
  /** For the operator. */
  detail: string
  /** False when the vendor surely charges nothing. */
  maybeCharged: boolean
  /** True when the provider was passed over without being asked: that always fails over. */
  isSkipped?: boolean
  /** True when the vendor itself told how it ended. */
  isAnswered?: boolean
}

/**
 * Ends an attempt without a picture, and in the same transaction either hands the generation to
 * the next provider or ends it and gives the credit back. An attempt that has ended is left alone, so
 * this may run twice. Answers whether this call did it.
 */
export async function failAttempt(
  parts: SelfieParts,
  attemptId: string,
  failure: AttemptFailure,
): Promise<boolean> {
  const known = await findAttempt(parts.database, attemptId)
  if (known === undefined) return false
  const outcome = await inTransaction(parts.database, (transaction) =>
    failLocked(parts, transaction, known, failure),
  )
  if (outcome === undefined) return false
  const { generation, next } = outcome
  const { kind, detail } = failure
  parts.log.warn(
    { attemptId, provider: cardName(known), kind, detail, next },
    'an image request failed',
  )
  // Objects that nobody needs any more; what is missed here the sweep finds.
  await Promise.all(outputKeysOf(known).map((key) => parts.store.delete(key)))
  if (next === 'nobody') await deleteInputs(parts, generation)
  await parts.notifications.publish(slotsTopic)
  await parts.notifications.publish(generationTopic(known.generation_id))
  return true
}

async function failLocked(
  parts: SelfieParts,
  transaction: Transaction,
  known: AttemptRow,
  failure: AttemptFailure,
): Promise<{ generation: GenerationRow; next: 'provider' | 'nobody' } | undefined> {
  const now = parts.clock()
  // The generation is locked first, as by everybody who ends one.
  const generation = await transaction
    .selectFrom('generations')
    .selectAll()
    .where('id', '=', known.generation_id)
    .forUpdate()
    .executeTakeFirst()
  if (generation === undefined) return undefined
  if (!(await markFailed(transaction, known.id, failure, now))) return undefined
  const { settings } = parts.images
  if (hostedErrorRules[failure.kind].opensCircuit && failure.isSkipped !== true) {
    const error = { kind: failure.kind, message: failure.detail }
    await recordFailure(transaction, { provider: cardName(known), error, settings, now })
  }
  if (generation.state !== 'running') return { generation, next: 'nobody' }
  const isRepeated =
    failure.kind === 'likeness_lost' && known.repetition < settings.likenessRepeatsMax
  if (isRepeated || failure.isSkipped === true || settings.failsOverOn.includes(failure.kind)) {
    const place = isRepeated
      ? { position: known.chain_position, repetition: known.repetition + 1 }
      : { position: known.chain_position + 1, repetition: 0 }
    const expiresAt = stepHoldEnd(parts, place.position)
    await extendHold(transaction, { holdId: generation.hold_id, expiresAt })
    const owner = {
      generationId: generation.id,
      userId: generation.user_id,
      isPremium: generation.resolution === 'high',
    }
    if (await beginStep(parts, transaction, owner, place)) return { generation, next: 'provider' }
  }
  await failInTransaction(transaction, generation.id, { code: codeByKind[failure.kind], now })
  return { generation, next: 'nobody' }
}

async function markFailed(
  transaction: Transaction,
  attemptId: string,
  failure: AttemptFailure,
  now: Date,
): Promise<boolean> {
  const failed = await moveAttempt(transaction, 'fail', attemptId)
    .set({
      error_kind: failure.kind,
      error_detail: failure.detail.slice(0, 300),
      finished_at: now,
      output_key: null,
      further_output_keys: [],
      ...(failure.maybeCharged ? {} : { cost_micro_usd: 0 }),
      ...(failure.isAnswered === true ? { answered_at: now } : {}),
    })
    .returning('id')
    .executeTakeFirst()
  return failed !== undefined
}
