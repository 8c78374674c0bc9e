import type { GenerationAnswer } from '@starside/contract/generation.ts'
import { sql } from 'kysely'
import { isUuid } from '../platform/db/uuid.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { findRow } from '../platform/db/rows.ts'
import { inTransaction } from '../platform/db/database.ts'
import type { Transaction } from '../platform/db/database.ts'
import type { SelfieParts } from './parts.ts'
import { presentGeneration } from './present-generation.ts'
import { deleteObjects } from './delete-generation.ts'
import type { GenerationRow, OwnGenerationId } from './queries.ts'

/** The signed-in person and the path's id, perhaps not theirs. Throws `generation_unknown`. */
export function ownGenerationOf(call: {
  user: { userId: string }
  params: { generationId: string }
}): OwnGenerationId {
  const { generationId } = call.params
  if (!isUuid(generationId)) throw new AppError('generation_unknown')
  return { generationId, userId: call.user.userId }
}

/** Changes one's own generation that the path names, and answers how it stands then. */
export async function changeOwnGeneration(
  parts: SelfieParts,
  call: Parameters<typeof ownGenerationOf>[0],
  change: (own: OwnGenerationId) => Promise<void>,
): Promise<GenerationAnswer> {
  const own = ownGenerationOf(call)
  await change(own)
  return answerOwnGeneration(parts, own)
}

/** One's own generation as it stands. Throws `generation_unknown` for anybody else's. */
export async function answerOwnGeneration(
  parts: SelfieParts,
  own: OwnGenerationId,
): Promise<GenerationAnswer> {
  const row = await parts.findOwnGeneration(own)
  if (row === undefined) throw new AppError('generation_unknown')
  return { success: true, generation: presentGeneration(parts, row) }
}

/** Locks one's own finished picture: changes come one by one. Throws `generation_unknown`. */
export async function lockOwnGeneration(
  transaction: Transaction,
  { generationId, userId }: OwnGenerationId,
): Promise<GenerationRow> {
  const match = sql`
    id = ${generationId} and user_id = ${userId} and state = 'done' and deleted_at is null`
  const row = await findRow(transaction, 'generations', sql`${match} for update`)
  if (row === undefined) throw new AppError('generation_unknown')
  return row
}

/**
 * Writes the rows of objects that were just stored, with one's own finished picture locked. Where that
 * fails the objects are deleted. Throws `generation_unknown` and what `write` throws.
 */
export async function writeStored(
  parts: Pick<SelfieParts, 'database' | 'store'>,
  own: OwnGenerationId,
  objectKeys: readonly string[],
  write: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  try {
    await inTransaction(parts.database, async (transaction) => {
      await lockOwnGeneration(transaction, own)
      await write(transaction)
    })
  } catch (error) {
    // What can't be deleted now the sweep deletes.
    await deleteObjects(parts, objectKeys).catch(() => {})
    throw error
  }
}
