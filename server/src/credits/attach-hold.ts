import { sql } from 'kysely'
import type { Queryable, Transaction } from '../db/database.ts'

/**
 * Claims an open hold of exactly `amount` that nothing has claimed yet, for `attachedTo`, and gives
 * it a new expiry: the one of `holdId`, or without it the user's newest. Answers its id, or undefined
 * when there is none. Concurrent callers get different holds.
 */
export async function attachOpenHold(
  transaction: Transaction,
  options: {
    userId: string
    holdId: string | undefined
    amount: number
    attachedTo: string
    /** Whom the selfie is with: what the one who placed the hold said is not relied on. */
    celebrity: string
    now: Date
    expiresAt: Date
  },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    update credit_holds
    set attached_to = ${options.attachedTo}, expires_at = ${options.expiresAt},
      celebrity = ${options.celebrity}
    where id = (
      select hold.id
      from credit_holds as hold
      join credit_accounts as account on account.id = hold.account_id
      where account.user_id = ${options.userId}
        and (${options.holdId ?? null}::uuid is null or hold.id = ${options.holdId ?? null})
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
 * The hold that `attachOpenHold` would find: of `holdId`, or the user's newest. Undefined when there
 * is none.
 */
export async function findOpenHold(
  database: Queryable,
  options: { userId: string; holdId: string | undefined; amount: number; now: Date },
): Promise<string | undefined> {
  const { holdId } = options
  const row = await database
    .selectFrom('credit_holds as hold')
    .innerJoin('credit_accounts as account', 'account.id', 'hold.account_id')
    .select('hold.id')
    .where('account.user_id', '=', options.userId)
    .where('hold.state', '=', 'held')
    .where('hold.attached_to', 'is', null)
    .where('hold.amount', '=', options.amount)
    .where('hold.expires_at', '>', options.now)
    .where('account.owed', '=', 0)
    .$if(holdId !== undefined, (query) => query.where('hold.id', '=', holdId ?? ''))
    .orderBy('hold.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}
