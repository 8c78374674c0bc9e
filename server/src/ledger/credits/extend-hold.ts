import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'

/**
 * Lets an open hold expire no earlier than `expiresAt`; never shortens it. Answers false when the
 * hold is closed already.
 */
export async function extendHold(
  database: Queryable,
  options: { holdId: string; expiresAt: Date },
): Promise<boolean> {
  const extended = await database
    .updateTable('credit_holds')
    .set({ expires_at: sql`greatest(expires_at, ${options.expiresAt})` })
    .where('id', '=', options.holdId)
    .where('state', '=', 'held')
    .returning('id')
    .executeTakeFirst()
  return extended !== undefined
}
