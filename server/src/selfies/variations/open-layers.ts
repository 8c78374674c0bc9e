import type { SelfieParts } from '../parts.ts'
import { isPremium } from '../../ledger/credits/account.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { unseal } from '../../platform/secrets/seal.ts'
import type { OwnGenerationId } from '../own-generation.ts'

export type OpenedLayers = Awaited<ReturnType<typeof openLayers>>

/**
 * The layers of one's own picture, to be given to the engine. Throws `generation_unknown` for anybody
 * else's or a deleted picture, and `layers_expired` when they are no longer kept, never were, or can't be
 * decrypted.
 */
export async function openLayers(
  { database, store, clock }: Pick<SelfieParts, 'clock' | 'database' | 'store'>,
  { generationId, userId }: OwnGenerationId,
) {
  const row = await database
    .selectFrom('generations')
    .innerJoin('credit_accounts', 'credit_accounts.user_id', 'generations.user_id')
    .leftJoin('generation_layers', 'generation_layers.generation_id', 'generations.id')
    .select(['generations.resolution', isPremium])
    .select(['object_key', 'encryption_key', 'expires_at', 'more_made_at'])
    .where('generations.id', '=', generationId)
    .where('generations.user_id', '=', userId)
    .where('generations.state', '=', 'done')
    .where('generations.deleted_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw new AppError('generation_unknown')
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
