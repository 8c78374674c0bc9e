import type { SelfieParts } from '../parts.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { Queryable } from '../../platform/db/database.ts'
import { selectVisible, updateOwn } from '../queries.ts'
import type { OwnedGenerationRow, OwnGenerationId } from '../queries.ts'

/** Opens one's own finished picture's one link, of 128 random bits. Throws `generation_unknown`. */
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

/** A finished picture by the id of its public link; undefined once that was revoked. */
export async function findSharedPicture(
  database: Queryable,
  shareId: string,
): Promise<OwnedGenerationRow | undefined> {
  // 128 bits in base64url; nothing else was ever given out.
  if (!/^[\w-]{22}$/.test(shareId)) return undefined
  return await selectVisible(database)
    .where('generations.share_id', '=', shareId)
    .executeTakeFirst()
}
