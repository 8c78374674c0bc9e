import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import type { HoldState } from '../../platform/db/tables.ts'
import { closeHold } from './close-hold.ts'

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
  { holdId, now }: { holdId: string; now: Date },
): Promise<CaptureResult> {
  const effect = sql`
    insert into ledger_entries
      (reference, reason, debit_account_id, credit_account_id, amount, description, created_at)
    select 'hold:' || closed.id, 'usage', closed.account_id, usage.id, closed.amount,
      closed.description, ${now}
    from closed, credit_accounts as usage
    where usage.name = 'usage'
    returning id`
  const before = await closeHold(database, { holdId, now, state: 'captured', effect })
  if (before === 'held' || before === 'captured') {
    return { outcome: 'captured', repeated: before === 'captured' }
  }
  return { outcome: 'not_held', state: before }
}
