import { sql } from 'kysely'
import type { Queryable } from '../db/database.ts'

/**
 * Gives back the credits of open holds whose time is over, at most `limit` of them, and answers
 * how many it closed. Rows that another caller is closing are passed over, so several nodes may
 * run it at once.
 */
export async function expireHolds(
  database: Queryable,
  options: { now: Date; limit: number },
): Promise<number> {
  const { rows } = await sql<{ expired: number }>`
    with due as (
      select id
      from credit_holds
      where state = 'held' and expires_at <= ${options.now}
      order by account_id, id
      limit ${options.limit}
      for update skip locked
    ),
    expired as (
      update credit_holds
      set state = 'expired', settled_at = ${options.now}
      from due
      where credit_holds.id = due.id
      returning account_id, amount
    ),
    sums as (
      select account_id, sum(amount)::integer as amount from expired group by account_id
    ),
    credited as (
      update credit_accounts
      set balance = balance + sums.amount
      from sums
      where credit_accounts.id = sums.account_id
      returning credit_accounts.id
    )
    select count(*)::integer as expired from expired
  `.execute(database)
  return rows[0]?.expired ?? 0
}
