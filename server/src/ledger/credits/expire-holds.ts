import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'

/**
 * Gives back the credits of open holds whose time is over, at most `limit` of them, and answers
 * how many it closed. Holds and accounts that another caller is at are passed over until the next
 * run, so that it waits for nobody and several nodes may run it at once.
 */
export async function expireHolds(
  database: Queryable,
  options: { now: Date; limit: number },
): Promise<number> {
  const { rows } = await sql<{ expired: number }>`
    with due as (
      select hold.id
      from credit_holds as hold
      join credit_accounts as account on account.id = hold.account_id
      where hold.state = 'held' and hold.expires_at <= ${options.now}
      order by hold.account_id, hold.id
      limit ${options.limit}
      for no key update of account skip locked
      for update of hold skip locked
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
