import { sql } from 'kysely'
import type { Queryable } from '../db/database.ts'
import type { HoldState } from '../db/tables.ts'

export type CaptureResult =
  | { outcome: 'captured'; repeated: boolean }
  /** The credits had already gone back. */
  | { outcome: 'not_held'; state: Exclude<HoldState, 'held' | 'captured'> }

/**
 * Makes a hold final: flips its state and appends the entry that moves the credits from the user
 * to usage. The balance fell at the hold, so the account isn't touched. Repeating it changes
 * nothing. Throws when the hold doesn't exist.
 */
export async function captureHold(
  database: Queryable,
  options: { holdId: string; now: Date },
): Promise<CaptureResult> {
  const { rows } = await sql<{ before: HoldState; captured: boolean }>`
    with hold as (
      select id, state from credit_holds where id = ${options.holdId} for update
    ),
    captured as (
      update credit_holds
      set state = 'captured', settled_at = ${options.now}
      from hold
      where credit_holds.id = hold.id and hold.state = 'held'
      returning credit_holds.id, account_id, amount, description
    ),
    entry as (
      insert into ledger_entries
        (reference, reason, debit_account_id, credit_account_id, amount, description, created_at)
      select 'hold:' || captured.id, 'usage', captured.account_id, usage.id, captured.amount,
        captured.description, ${options.now}
      from captured, credit_accounts as usage
      where usage.name = 'usage'
      returning id
    )
    select hold.state as before, exists (select from entry) as captured from hold
  `.execute(database)
  const row = rows[0]
  if (row === undefined) throw new Error(`hold ${options.holdId} does not exist`)
  if (row.captured) return { outcome: 'captured', repeated: false }
  if (row.before === 'captured') return { outcome: 'captured', repeated: true }
  if (row.before === 'held') throw new Error(`hold ${options.holdId} was held but not captured`)
  return { outcome: 'not_held', state: row.before }
}
