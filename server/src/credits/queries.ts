import type { CreditReason } from '@starside/contract/credits.ts'
import { sql } from 'kysely'
import type { Queryable } from '../db/database.ts'
import type { Cursor } from '../http/cursor.ts'

export interface CreditHistoryRow {
  id: string
  reason: CreditReason
  amount: number
  description: string
  at: Date
}

/**
 * The user's books as a person reads them, newest first: every entry, every open hold ('held'),
 * and every hold whose credits came back ('refunded', which moved nothing in the end).
 */
export async function readCreditHistory(
  database: Queryable,
  options: { userId: string; after: Cursor | undefined; limit: number },
): Promise<CreditHistoryRow[]> {
  const { userId, after, limit } = options
  const { rows } = await sql<CreditHistoryRow>`
    with account as (select id from credit_accounts where user_id = ${userId}),
    lines as (
      select 'e' || entry.id as id, entry.reason, entry.amount, entry.description,
        entry.created_at as at
      from ledger_entries as entry join account on account.id = entry.credit_account_id
      union all
      select 'e' || entry.id, entry.reason, -entry.amount, entry.description, entry.created_at
      from ledger_entries as entry join account on account.id = entry.debit_account_id
      union all
      select 'h' || hold.id, case when hold.state = 'held' then 'held' else 'refunded' end,
        case when hold.state = 'held' then -hold.amount else 0 end, hold.description,
        coalesce(hold.settled_at, hold.created_at)
      from credit_holds as hold join account on account.id = hold.account_id
      where hold.state <> 'captured'
    )
    select id, reason, amount, description, at
    from lines
    where ${after === undefined} or (at, id) < (${after?.at ?? null}, ${after?.id ?? null})
    order by at desc, id desc
    limit ${limit}
  `.execute(database)
  return rows
}
