import { inTransaction } from '../../platform/db/database.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { deleteObjects } from '../delete-objects.ts'
import type { OwnGenerationId } from '../own-generation.ts'
import type { SelfieParts } from '../parts.ts'

/**
 * Locks one's own finished picture until the transaction ends, so that its variations change one after
 * the other and none is written to a picture that is being deleted. Throws `generation_unknown`.
 * @returns the key of the picture that it is shown as
 */
export async function lockOwnGeneration(
  transaction: Transaction,
  { generationId, userId }: OwnGenerationId,
): Promise<{ clean_key: string | null }> {
  const row = await transaction
    .selectFrom('generations')
    .select('clean_key')
    .where('id', '=', generationId)
    .where('user_id', '=', userId)
    .where('state', '=', 'done')
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
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
    await deleteObjects(parts, objectKeys)
    throw error
  }
}
