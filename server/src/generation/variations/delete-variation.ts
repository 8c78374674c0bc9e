import type { Context } from '../../context.ts'
import { inTransaction } from '../../db/database.ts'
import { AppError } from '../../errors/app-error.ts'
import { deleteObjects } from '../delete-objects.ts'
import type { OwnGenerationId } from '../own-generation.ts'
import { findOwnVariation } from './choose-variation.ts'
import { lockOwnGeneration } from './lock-generation.ts'
import { variationKeys } from './variation-queries.ts'

/**
 * Deletes a variation for good. Throws `generation_unknown`, `variation_unknown`, and
 * `variation_chosen` for the one that the generation is shown as.
 */
export async function deleteVariation(
  parts: Pick<Context, 'database' | 'store'>,
  own: OwnGenerationId,
  variationId: string,
): Promise<void> {
  const keys = await inTransaction(parts.database, async (transaction) => {
    const { clean_key: shownKey } = await lockOwnGeneration(transaction, own)
    const variation = await findOwnVariation({ database: transaction }, own, variationId)
    if (variation.clean_key !== null && variation.clean_key === shownKey) {
      throw new AppError('variation_chosen')
    }
    await transaction.deleteFrom('variations').where('id', '=', variationId).execute()
    return variationKeys(variation)
  })
  await deleteObjects(parts, keys)
}
