import { sql } from 'kysely'
import type { Queryable, Transaction } from '../db/database.ts'

/**
 * Claims the user's newest open hold of exactly `amount` that nothing has claimed yet, for
 * `attachedTo`, and gives it a new expiry. Answers its id, or undefined when there is none.
 * Concurrent callers get different holds.
 */
export async function attachOpenHold(
  transaction: Transaction,
  options: { userId: string; amount: number; attachedTo: string; now: Date; expiresAt: Date },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    update credit_holds
    set attached_to = ${options.attachedTo}, expires_at = ${options.expiresAt}
    where id = (
      select hold.id
      from credit_holds as hold
      join credit_accounts as account on account.id = hold.account_id
      where account.user_id = ${options.userId}
        and hold.state = 'held'
        and hold.attached_to is null
        and hold.amount = ${options.amount}
        and hold.expires_at > ${options.now}
        -- What is set aside pays what is owed.
        and account.owed = 0
      order by hold.created_at desc
      limit 1
      for update of hold skip locked
    )
    returning id
  `.execute(transaction)
  return rows[0]?.id
}

/**
 * The user's newest open hold that nothing has claimed: the one a refused generation gives back.
 * Undefined when there is none.
 */
export async function findOpenHold(
  database: Queryable,
  options: { userId: string; amount: number },
): Promise<string | undefined> {
  const row = await database
    .selectFrom('credit_holds as hold')
    .innerJoin('credit_accounts as account', 'account.id', 'hold.account_id')
    .select('hold.id')
    .where('account.user_id', '=', options.userId)
    .where('hold.state', '=', 'held')
    .where('hold.attached_to', 'is', null)
    .where('hold.amount', '=', options.amount)
    .orderBy('hold.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}
