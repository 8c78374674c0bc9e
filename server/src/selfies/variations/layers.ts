import { sql } from 'kysely'
import type { SelfieParts } from '../parts.ts'
import { isPremiumSelfie } from '../../ledger/credits/account.ts'
import { findRow } from '../../platform/db/rows.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { unseal } from '../../platform/secrets/seal.ts'
import type { OwnGenerationId } from '../queries.ts'

export type OpenedLayers = Awaited<ReturnType<typeof openLayers>>

/**
 * The layers of one's own picture, for the engine. Throws `generation_unknown` for another's
 * or a deleted one, and `layers_expired` when they aren't kept or can't be decrypted.
 */
export async function openLayers(
  { database, store, clock }: Pick<SelfieParts, 'clock' | 'database' | 'store'>,
  { generationId, userId }: OwnGenerationId,
) {
  const row = await database
    .selectFrom('generations')
    .innerJoin('credit_accounts', 'credit_accounts.user_id', 'generations.user_id')
    .leftJoin('generation_layers', 'generation_layers.generation_id', 'generations.id')
    .select('generations.resolution')
    .select(sql<boolean>`${sql.raw(isPremiumSelfie)}`.as('is_premium'))
    .select(['object_key', 'encryption_key', 'expires_at', 'more_made_at'])
    .where('generations.id', '=', generationId)
    .where('generations.user_id', '=', userId)
    .where('generations.state', '=', 'done')
    .where('generations.deleted_at', 'is', null)
    .executeTakeFirstOrThrow(() => new AppError('generation_unknown'))
  const { object_key: objectKey, encryption_key: key, expires_at: expiresAt } = row
  if (objectKey === null || key === null || expiresAt === null || expiresAt <= clock()) {
    throw new AppError('layers_expired')
  }
  const stored = await store.get(objectKey)
  const layers = stored && unseal(Buffer.from(stored), { key, subject: generationId })
  if (layers === undefined) throw new AppError('layers_expired')
  return {
    layers,
    expiresAt,
    resolution: row.resolution,
    /** Whether the owner sees pictures without the brand mark. */
    isPremium: row.is_premium,
    wereMoreMade: row.more_made_at !== null,
  }
}

type Parts = Pick<SelfieParts, 'clock' | 'database' | 'store'>

/** Deletes layers of one's own picture, if there are any. Throws `generation_unknown`. */
export async function deleteOwnLayers(
  { database, store }: Pick<Parts, 'database' | 'store'>,
  { generationId, userId }: OwnGenerationId,
): Promise<void> {
  const own = { id: generationId, user_id: userId, deleted_at: null }
  const generation = await findRow(database, 'generations', own)
  if (generation === undefined) throw new AppError('generation_unknown')
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
  const { rows } = await sql<{ object_key: string }>`
    delete from generation_layers where generation_id in (
      select generation_id from generation_layers where expires_at <= ${clock()} limit ${batchSize})
    returning object_key`.execute(database)
  await Promise.all(rows.map((row) => store.delete(row.object_key)))
  return rows.length
}
