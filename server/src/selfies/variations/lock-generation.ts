import type { Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { OwnGenerationId } from '../own-generation.ts'

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
