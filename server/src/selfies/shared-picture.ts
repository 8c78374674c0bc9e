import type { Queryable } from '../platform/db/database.ts'
import { selectVisible } from './queries.ts'
import type { OwnedGenerationRow } from './queries.ts'

/** A finished picture by the id of its public link; undefined once that was revoked. */
export function findSharedPicture(
  database: Queryable,
  shareId: string,
): Promise<OwnedGenerationRow | undefined> {
  return selectVisible(database).where('generations.share_id', '=', shareId).executeTakeFirst()
}
