import type { Transaction } from '../../platform/db/database.ts'

/** Deletes the rows of a generation's variations and layers; their objects are the caller's to delete. */
export async function deleteVariations(
  transaction: Transaction,
  generationId: string,
): Promise<void> {
  await transaction.deleteFrom('variations').where('generation_id', '=', generationId).execute()
  await transaction
    .deleteFrom('generation_layers')
    .where('generation_id', '=', generationId)
    .execute()
}
