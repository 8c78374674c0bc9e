import { sql } from 'kysely'
import type { Queryable } from '../db/database.ts'
import type { HoldState } from '../db/tables.ts'

/**
 * Gives a hold's credits back to its account. Answers true when this call did it; false when the
 * hold was already settled, which changes nothing. Throws when the hold doesn't exist.
 */
export async function releaseHold(
  database: Queryable,
  options: { holdId: string; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{ before: HoldState; released: boolean }>`
    with hold as (
      select id, state from credit_holds where id = ${options.holdId} for update
    ),
    released as (
      update credit_holds
      set state = 'released', settled_at = ${options.now}
      from hold
      where credit_holds.id = hold.id and hold.state = 'held'
      returning account_id, amount
    ),
    credited as (
      update credit_accounts
      set balance = balance + released.amount
      from released
      where credit_accounts.id = released.account_id
      returning credit_accounts.id
    )
    select hold.state as before, exists (select from credited) as released from hold
  `.execute(database)
  const row = rows[0]
  if (row === undefined) throw new Error(`hold ${options.holdId} does not exist`)
  if (!row.released && row.before === 'held') {
    throw new Error(`hold ${options.holdId} was held but not released`)
  }
  return row.released
}
