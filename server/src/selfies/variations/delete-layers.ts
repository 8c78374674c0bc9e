import type { SelfieParts } from '../parts.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { OwnGenerationId } from '../own-generation.ts'

type Parts = Pick<SelfieParts, 'clock' | 'database' | 'store'>

/**
 * Deletes the layers of one's own picture at once; where there are none, nothing happens. Throws
 * `generation_unknown`.
 */
export async function deleteOwnLayers(
  { database, store }: Pick<Parts, 'database' | 'store'>,
  { generationId, userId }: OwnGenerationId,
): Promise<void> {
  const own = await database
    .selectFrom('generations')
    .select('id')
    .where('id', '=', generationId)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (own === undefined) throw new AppError('generation_unknown')
  // The key goes first: what is left of the object can't be read any more.
  const deleted = await database
    .deleteFrom('generation_layers')
    .where('generation_id', '=', generationId)
    .returning('object_key')
    .executeTakeFirst()
  if (deleted !== undefined) await store.delete(deleted.object_key)
}

/** Deletes a batch of layers whose time is over: their keys, then their objects; answers how many. */
export async function deleteExpiredLayers(
  { database, store, clock }: Parts,
  batchSize: number,
): Promise<number> {
  const expired = await database
    .deleteFrom('generation_layers')
    .where('generation_id', 'in', ({ selectFrom }) =>
      selectFrom('generation_layers')
        .select('generation_id')
        .where('expires_at', '<=', clock())
        .limit(batchSize),
    )
    .returning('object_key')
    .execute()
  await Promise.all(expired.map((row) => store.delete(row.object_key)))
  return expired.length
}
