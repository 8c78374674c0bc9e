import { sql } from 'kysely'
import type { Queryable } from '../db/database.ts'

/** What is counted by its state; `credit_holds` only those that came back. */
export type CounterSubject =
  | 'users'
  | 'orders'
  | 'payments'
  | 'credit_holds'
  | 'voucher_redemptions'

export interface Counter {
  /** Of orders and payments; the batch of redemptions; '' for others. */
  provider: string
  state: string
  count: number
}

/** How many rows there are in each state, exactly, without counting them. */
export async function readCounters(database: Queryable, subject: CounterSubject) {
  const { rows } = await sql<Counter>`
    select provider, state, sum(count)::float8 as count
    from (
      select provider, state, count from tallies where subject = ${subject}
      union all
      select provider, state, change from tally_changes where subject = ${subject}
    ) as parts
    group by provider, state
    having sum(count) > 0
    order by provider, state
  `.execute(database)
  return rows
}

/** Adds the changes that were written beside the rows to the counters, so that they don't pile up. */
export async function compactCounters(database: Queryable): Promise<void> {
  await sql`
    with folded as (
      delete from tally_changes returning subject, provider, state, change
    )
    insert into tallies (subject, provider, state, count)
    select subject, provider, state, sum(change) from folded group by subject, provider, state
    order by subject, provider, state
    on conflict on constraint tallies_pkey do update set count = tallies.count + excluded.count
  `.execute(database)
}
