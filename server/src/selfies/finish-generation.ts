import type { ErrorCode } from '@starside/contract/errors.ts'
import type { Selfie } from '@starside/engine/engine-calls.ts'
import type { Transaction } from '../platform/db/database.ts'
import { inTransaction } from '../platform/db/database.ts'
import { updateRows } from '../platform/db/rows.ts'
import { AppError } from '../platform/errors/app-error.ts'
import type { SelfieParts } from './parts.ts'
import { captureHold, releaseHold } from '../ledger/credits/close-hold.ts'
import { moveAttempt } from './providers/attempts.ts'
import { insertSheet } from './variations/store-sheet.ts'
import type { StoredSheet } from './variations/store-sheet.ts'

type Parts = Pick<SelfieParts, 'database' | 'clock' | 'notifications'>

/**
 * Stores the result and captures the credit in one transaction. Answers 'done', 'already_finished'
 * when another attempt was first, or 'hold_gone' when the hold had expired, which changes nothing.
 */
export async function completeGeneration(
  parts: Parts,
  generationId: string,
  result: {
    stored: StoredSheet
    selfie: Selfie
    layersExpireAt: Date
    /** The attempt that it came of, which succeeds with it. */
    attempt?: { id: string; prompt_version: string } | undefined
  },
): Promise<'done' | 'already_finished' | 'hold_gone'> {
  const { stored, selfie, attempt, layersExpireAt } = result
  const now = parts.clock()
  try {
    const isMine = await inTransaction(parts.database, async (transaction) => {
      const [finished] = await updateRows(transaction, 'generations', {
        match: { id: generationId, state: 'running' },
        set: {
          state: 'done',
          stage: 'done',
          ...stored.picture,
          provider: selfie.provider,
          model: selfie.model,
          prompt_version: attempt?.prompt_version ?? null,
          finished_at: now,
        },
      })
      if (finished === undefined) return false
      const before = await captureHold(transaction, { holdId: finished.hold_id, now })
      // Undoes the transaction.
      if (before !== 'held' && before !== 'captured') throw new AppError('hold_returned')
      await insertSheet(transaction, generationId, { ...stored, now, layersExpireAt })
      if (attempt !== undefined) {
        await moveAttempt(transaction, 'complete', attempt.id)
          .set({ finished_at: now, output_key: null, further_output_keys: [] })
          .execute()
      }
      return true
    })
    if (!isMine) return 'already_finished'
  } catch (error) {
    if (error instanceof AppError && error.code === 'hold_returned') return 'hold_gone'
    throw error
  }
  await parts.notifications.publish(generationTopic(generationId))
  return 'done'
}

/** Ends a generation without a picture and gives the credit back, together; may run twice. */
export async function failGeneration(
  parts: Parts,
  generationId: string,
  code: ErrorCode,
): Promise<void> {
  const now = parts.clock()
  await inTransaction(parts.database, (transaction) =>
    failInTransaction(transaction, generationId, { code, now }),
  )
  await parts.notifications.publish(generationTopic(generationId))
}

/** The same within a transaction of the caller, who then publishes `generationTopic`. */
export async function failInTransaction(
  transaction: Transaction,
  generationId: string,
  { code, now }: { code: ErrorCode; now: Date },
): Promise<void> {
  const [failed] = await updateRows(transaction, 'generations', {
    match: { id: generationId, state: 'running' },
    set: { state: 'failed', error_code: code, finished_at: now },
  })
  if (failed !== undefined) await releaseHold(transaction, { holdId: failed.hold_id, now })
}

/** The notifications topic on which a generation's changes are reported. */
export function generationTopic(generationId: string): string {
  return `generation:${generationId}`
}
