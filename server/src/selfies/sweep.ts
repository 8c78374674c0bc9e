import { deletionUndoMs } from '@starside/contract/limits.ts'
import type { SelfieParts } from './parts.ts'
import { inTransaction } from '../platform/db/database.ts'
import { takeBatches } from '../platform/jobs/take-batches.ts'
import { deleteInputs } from './delete-objects.ts'
import { failGeneration } from './finish-generation.ts'
import { inputKeyColumns } from './queries.ts'
import { removeGeneration } from './remove-generation.ts'
import { sweepObjects } from './sweep-objects.ts'
import { purgeVariations } from './variations/delete-variation.ts'
import { deleteExpiredLayers } from './variations/delete-layers.ts'
import { variationsPrefix } from './variations/store-sheet.ts'

type Parts = Pick<SelfieParts, 'database' | 'store' | 'clock' | 'notifications'>

const likenessKeptMs = 30 * 86_400_000

/** Where objects of generations lie. */
export const sweptPrefixes = ['inputs', 'pictures', variationsPrefix, 'layers']

/**
 * Puts right what a crash may have left: generations whose time is over give their credit back,
 * deleted pictures lose their objects, and photos are never kept longer than their generation.
 * Every step may run twice and on several nodes at once.
 */
export async function sweepGenerations(
  context: Parts,
  signal: AbortSignal,
  batchSize = 200,
): Promise<void> {
  const steps = [failOverdue, purgeDeleted, deleteLeftInputs, deleteExpiredLayers, purgeVariations]
  for (const step of steps) await takeBatches(signal, batchSize, (size) => step(context, size))
  await forgetLikeness(context)
  for (const prefix of sweptPrefixes) await sweepObjects(context, prefix, { signal })
}

async function failOverdue(context: Parts, batchSize: number): Promise<number> {
  const overdue = await context.database
    .selectFrom('generations')
    .innerJoin('credit_holds', 'credit_holds.id', 'generations.hold_id')
    .select('generations.id')
    .where('generations.state', '=', 'running')
    // The hold is extended while a hosted provider works, so its end is the generation's.
    .where('credit_holds.expires_at', '<=', context.clock())
    .limit(batchSize)
    .execute()
  for (const { id } of overdue) await failGeneration(context, id, 'generation_failed')
  return overdue.length
}

/** How alike people were to their photos is kept for the operator, for as long as it may be of use. */
async function forgetLikeness(context: Parts): Promise<void> {
  await context.database
    .updateTable('generation_attempts')
    .set({ likeness: null })
    .where('likeness', 'is not', null)
    .where('created_at', '<', ago(context, likenessKeptMs))
    .execute()
}

async function purgeDeleted(context: Parts, batchSize: number): Promise<number> {
  const rows = await context.database
    .selectFrom('generations')
    .select('id')
    .where('deleted_at', '<', ago(context, deletionUndoMs))
    .where('clean_key', 'is not', null)
    .limit(batchSize)
    .execute()
  const parts = { ...context, now: context.clock() }
  for (const { id } of rows) {
    const deleteFiles = await inTransaction(context.database, async (transaction) => {
      const deleted = await transaction
        .selectFrom('generations')
        .selectAll()
        .where('id', '=', id)
        // It may have been brought back meanwhile.
        .where('deleted_at', 'is not', null)
        .forUpdate()
        .executeTakeFirst()
      return deleted && removeGeneration(transaction, deleted, parts)
    })
    await deleteFiles?.()
  }
  return rows.length
}

async function deleteLeftInputs(context: Parts, batchSize: number): Promise<number> {
  const rows = await context.database
    .selectFrom('generations')
    .select(['id', ...inputKeyColumns])
    .where('state', '!=', 'running')
    .where('user_photo_key', 'is not', null)
    .limit(batchSize)
    .execute()
  for (const row of rows) await deleteInputs(context, row)
  return rows.length
}

function ago(context: Parts, ageMs: number): Date {
  return new Date(context.clock().getTime() - ageMs)
}
