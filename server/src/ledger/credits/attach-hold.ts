import { sql } from 'kysely'
import type { Queryable, Transaction } from '../../platform/db/database.ts'

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
      -- Another one is taken instead of a hold that is being claimed; a named one is waited for.
      for update of hold ${options.holdId === undefined ? sql`skip locked` : sql``}
    )
    returning id
  `.execute(transaction)
  return rows[0]?.id
}

/** Whether `attachOpenHold` would find one without a name. */
export async function hasOpenHold(
  database: Queryable,
  { userId, amount, now }: { userId: string; amount: number; now: Date },
): Promise<boolean> {
  const row = await database
    .selectFrom('credit_holds as hold')
    .innerJoin('credit_accounts as account', 'account.id', 'hold.account_id')
    .select('hold.id')
    .where('account.user_id', '=', userId)
    .where('hold.state', '=', 'held')
    .where('hold.attached_to', 'is', null)
    .where('hold.amount', '=', amount)
    .where('hold.expires_at', '>', now)
    .where('account.owed', '=', 0)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Counts a request that prepares what this hold shall pay for, until `endPreparing`; false, and
 * nothing is counted, where `attachOpenHold` would not find it.
 */
export async function beginPreparing(
  database: Queryable,
  options: { userId: string; holdId: string; amount: number; now: Date },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update credit_holds as hold
    set preparing_count = hold.preparing_count + 1
    from credit_accounts as account
    where hold.id = ${options.holdId}
      and account.id = hold.account_id
      and account.user_id = ${options.userId}
      and hold.state = 'held'
      and hold.attached_to is null
      and hold.amount = ${options.amount}
      and hold.expires_at > ${options.now}
      and account.owed = 0
    returning hold.id
  `.execute(database)
  return rows.length > 0
}

/** Ends what `beginPreparing` has begun; of a hold that is closed by now nothing is counted any more. */
export async function endPreparing(database: Queryable, holdId: string): Promise<void> {
  await database
    .updateTable('credit_holds')
    .set((row) => ({ preparing_count: row('preparing_count', '-', 1) }))
    .where('id', '=', holdId)
    .where('state', '=', 'held')
    .where('preparing_count', '>', 0)
    .execute()
}
