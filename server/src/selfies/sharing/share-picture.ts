import type { SelfieParts } from '../parts.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Queryable } from '../../platform/db/database.ts'
import { selectVisible, updateOwn } from '../queries.ts'
import type { OwnedGenerationRow, OwnGenerationId } from '../queries.ts'
import { renderedOf } from '../variations/choose-variation.ts'
import { findVariation } from '../variations/variation-queries.ts'

/**
 * Lets the one link of one's own picture, of 128 random bits, show the version on show, which the trigger
 * `generations_share_version` notes. Throws `generation_unknown`.
 */
export async function sharePicture(
  { database, randomBytes }: SelfieParts,
  own: OwnGenerationId,
): Promise<void> {
  const shareId = randomBytes(16).toString('base64url')
  await updateOwn(database, own)
    .set(({ fn, ref, val }) => ({ share_id: fn.coalesce(ref('share_id'), val(shareId)) }))
    .where('state', '=', 'done')
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow(() => new AppError('generation_unknown'))
}

/** Voids the public link for good; a later one has another id. */
export async function unsharePicture(
  { database }: Pick<SelfieParts, 'database'>,
  own: OwnGenerationId,
): Promise<void> {
  await updateOwn(database, own).set({ share_id: null }).execute()
}

/** A finished picture as its public link shows it; undefined once that was revoked. */
export async function findSharedPicture(
  database: Queryable,
  shareId: string,
): Promise<OwnedGenerationRow | undefined> {
  // 128 bits in base64url; nothing else was ever given out.
  if (!/^[\w-]{22}$/.test(shareId)) return undefined
  const row = await selectVisible(database)
    .where('generations.share_id', '=', shareId)
    .executeTakeFirst()
  if (!row?.shared_variation_id) return row
  const shared = { generationId: row.id, variationId: row.shared_variation_id }
  const variation = await findVariation(database, shared)
  return variation && { ...row, ...renderedOf(variation) }
}
