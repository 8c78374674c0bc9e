import { sql } from 'kysely'
import type { Queryable } from '../db/database.ts'
import { settleHold } from './settle-hold.ts'

/**
 * Gives a hold's credits back to its account. Answers true when this call did it; false when the
 * hold was already settled, which changes nothing. Throws when the hold doesn't exist.
 */
export async function releaseHold(
  database: Queryable,
  { holdId, now }: { holdId: string; now: Date },
): Promise<boolean> {
  const effect = sql`
    update credit_accounts
    set balance = balance + settled.amount
    from settled
    where credit_accounts.id = settled.account_id
    returning credit_accounts.id`
  return (await settleHold(database, { holdId, now, state: 'released', effect })) === 'held'
}
