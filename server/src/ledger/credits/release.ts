import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { closeHold } from './close-hold.ts'

/**
 * Gives a hold's credits back to its account. Answers true when this call did it; false when the
 * hold was already closed, which changes nothing. Throws when the hold doesn't exist.
 */
export async function releaseHold(
  database: Queryable,
  { holdId, now }: { holdId: string; now: Date },
): Promise<boolean> {
  const effect = sql`
    update credit_accounts
    set balance = balance + closed.amount
    from closed
    where credit_accounts.id = closed.account_id
    returning credit_accounts.id`
  return (await closeHold(database, { holdId, now, state: 'released', effect })) === 'held'
}
