import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Queryable } from '../db/database.ts'
import type { HoldState } from '../db/tables.ts'

/**
 * Ends an open hold in one statement: flips its state, and does with its credits what `effect` says,
 * a part of the statement that selects from `closed` (account_id, amount, description, id). A hold
 * that is closed already is left alone. Answers the state before. Throws when the hold doesn't exist.
 */
export async function closeHold(
  database: Queryable,
  options: {
    holdId: string
    now: Date
    state: 'captured' | 'released'
    effect: RawBuilder<unknown>
  },
): Promise<HoldState> {
  const { holdId, now, state, effect } = options
  const { rows } = await sql<{ before: HoldState; isClosed: boolean }>`
    with hold as (
      select id, state from credit_holds where id = ${holdId} for update
    ),
    closed as (
      update credit_holds
      set state = ${state}, settled_at = ${now}
      from hold
      where credit_holds.id = hold.id and hold.state = 'held'
      returning credit_holds.id, account_id, amount, description
    ),
    effect as (${effect})
    select hold.state as before, exists (select from effect) as "isClosed" from hold
  `.execute(database)
  const row = rows[0]
  if (row === undefined) throw new Error(`hold ${holdId} does not exist`)
  if (row.before === 'held' && !row.isClosed)
    throw new Error(`hold ${holdId} is held, not ${state}`)
  return row.before
}
