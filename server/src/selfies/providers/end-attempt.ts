import { sql } from 'kysely'
import { hostedErrorRules } from '../../vendors/hosted-error.ts'
import type { HostedErrorKind } from '../../vendors/hosted-error.ts'
import { cardName } from '../../vendors/models/model-description.ts'
import type { SelfieParts } from '../parts.ts'
import { inTransaction } from '../../platform/db/database.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { findRow, updateRows } from '../../platform/db/rows.ts'
import { deleteInputs } from '../delete-generation.ts'
import { failInTransaction, generationTopic } from '../finish-generation.ts'
import type { GenerationRow } from '../queries.ts'
import { slotsTopic, outputKeysOf, moveAttempt, attemptQueue } from './attempts.ts'
import type { AttemptRow } from './attempts.ts'
import { extendHold } from '../../ledger/credits/attach-hold.ts'
import { beginStep, stepHoldEnd } from './begin-step.ts'
import { recordFailure, recordSuccess } from './circuit.ts'
import assert from 'node:assert'
import type { RequestResult } from '../../vendors/hosted-provider.ts'
import { picturesAtOnceMax } from './image-settings.ts'

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
 * Ends an attempt without a picture, and in the same transaction hands the generation on or
 * ends it and gives the credit back. May run twice; answers whether this call did it.
 */
export async function failAttempt(
  parts: SelfieParts,
  attemptId: string,
  failure: AttemptFailure,
): Promise<boolean> {
  const known = await findRow(parts.database, 'generation_attempts', { id: attemptId })
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
  const locked = sql`id = ${known.generation_id} for update`
  const generation = await findRow(transaction, 'generations', locked)
  if (generation === undefined) return undefined
  const failed = await moveAttempt(transaction, 'fail', known.id)
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
  if (failed === undefined) return undefined
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
  await failInTransaction(transaction, generation.id, {
    code: hostedErrorRules[failure.kind].code,
    now,
  })
  return { generation, next: 'nobody' }
}

/**
 * Records a vendor's answer on a request's end, of webhook or polling; only the first counts,
 * on all nodes. A picture is fetched by a job of the same transaction. True for the first.
 */
export async function recordAnswer(
  parts: SelfieParts,
  attemptId: string,
  answer: RequestResult,
): Promise<boolean> {
  const isFirst =
    answer.state === 'pictures'
      ? await takePictures(parts, attemptId, answer.urls)
      : // What the vendor itself ends without a picture isn't charged.
        await failAttempt(parts, attemptId, {
          kind: answer.error.kind,
          detail: answer.error.message,
          maybeCharged: false,
          isAnswered: true,
        })
  if (!isFirst) await noteLateAnswer(parts, attemptId)
  else if (answer.state === 'pictures') await parts.notifications.publish(slotsTopic)
  return isFirst
}

function takePictures(parts: SelfieParts, attemptId: string, urls: readonly string[]) {
  const [url, ...furtherUrls] = urls.slice(0, picturesAtOnceMax)
  assert(url !== undefined, 'an answer with pictures has none')
  const now = parts.clock()
  return inTransaction(parts.database, async (transaction) => {
    const answered = await moveAttempt(transaction, 'answer', attemptId)
      .set({
        output_url: url,
        further_output_urls: furtherUrls,
        answered_at: now,
        next_look_at: now,
      })
      .returning(['id', 'provider', 'model'])
      .executeTakeFirst()
    if (answered === undefined) return false
    await recordSuccess(transaction, { provider: cardName(answered), now })
    await parts.jobs.enqueue(transaction, attemptQueue.name, { attemptId })
    return true
  })
}

/** A request that we had given up is no longer counted as unfinished work of its user. */
export async function noteLateAnswer(parts: SelfieParts, attemptId: string): Promise<void> {
  await updateRows(parts.database, 'generation_attempts', {
    match: { id: attemptId, state: 'failed', answered_at: null },
    set: { answered_at: parts.clock() },
  })
}
