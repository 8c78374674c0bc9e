import type { Queryable } from '../platform/db/database.ts'
import { selectVisible } from './queries.ts'
import type { OwnedGenerationRow } from './queries.ts'

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
