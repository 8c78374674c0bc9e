import type { Queryable } from '../db/database.ts'
import { selectOwned } from './queries.ts'
import type { OwnedGenerationRow } from './queries.ts'

/** A finished picture by the id of its public link; undefined once that was revoked. */
export function findSharedPicture(
  database: Queryable,
  shareId: string,
): Promise<OwnedGenerationRow | undefined> {
  return selectOwned(database)
    .where('generations.share_id', '=', shareId)
    .where('generations.state', '=', 'done')
    .where('users.status', '=', 'active')
    .where('generations.deleted_at', 'is', null)
    .executeTakeFirst()
}
