import type { SelfieParts } from './parts.ts'
import type { Database, Transaction } from '../platform/db/database.ts'
import { deleteObjects, findObjectKeys, withoutKeys } from './delete-objects.ts'
import { findGeneration, objectKeyColumns } from './queries.ts'
import type { GenerationRow } from './queries.ts'

/** A finished picture by its id, also one that its owner has deleted; undefined for all others. */
export async function findRemovable(
  database: Database,
  generationId: string,
): Promise<GenerationRow | undefined> {
  const row = await findGeneration(database, generationId)
  return row?.state === 'done' ? row : undefined
}

/**
 * Takes a picture away for good, without the owner's half minute to bring it back: its public link
 * and its addresses answer 404 from the commit on. Its objects are deleted by the function that is
 * answered, to be called after the commit; what that leaves behind, the sweep finds as an orphan.
 */
export async function removeGeneration(
  transaction: Transaction,
  row: GenerationRow,
  parts: Pick<SelfieParts, 'store'> & { now: Date },
): Promise<() => Promise<void>> {
  const keys = await findObjectKeys(transaction, row)
  await transaction.deleteFrom('variations').where('generation_id', '=', row.id).execute()
  await transaction.deleteFrom('generation_layers').where('generation_id', '=', row.id).execute()
  await transaction
    .updateTable('generations')
    .set({
      deleted_at: row.deleted_at ?? parts.now,
      share_id: null,
      ...withoutKeys(objectKeyColumns),
    })
    .where('id', '=', row.id)
    .where('state', '=', 'done')
    .execute()
  return () => deleteObjects(parts, keys)
}
