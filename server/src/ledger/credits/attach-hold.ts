import { sql } from 'kysely'
import type { Queryable, Transaction } from '../../platform/db/database.ts'
import type { Booking } from './account.ts'

/** Who claims a hold of which amount. */
type Claim = Pick<Booking, 'amount' | 'now' | 'userId'>

/** Of a hold and its account. What is held pays what is owed, before anything else. */
const isClaimable = ({ userId, amount, now }: Claim) => sql`(
  account.user_id = ${userId} and account.owed = 0 and hold.state = 'held'
  and hold.attached_to is null and hold.amount = ${amount} and hold.expires_at > ${now})`

/**
 * Claims an unclaimed open hold of exactly `amount`: `holdId`, or the user's newest; sets its expiry. Answers
 * its id, undefined when there is none. Concurrent callers get different holds.
 */
export async function attachOpenHold(
  transaction: Transaction,
  options: Claim & {
    holdId: string | undefined
    attachedTo: string
    /** Whom the selfie is with: what the one who placed the hold said is not relied on. */
    celebrity: string
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
      where ${isClaimable(options)}
        and (${options.holdId ?? null}::uuid is null or hold.id = ${options.holdId ?? null})
      order by hold.created_at desc
      limit 1
      -- Another one is taken instead of a hold that is being claimed; a named one is waited for.
      for update of hold ${options.holdId === undefined ? sql`skip locked` : sql``}
    )
    returning id
  `.execute(transaction)
  return rows[0]?.id
}

/** The hold that `attachOpenHold` would take unnamed, idle ones first; undefined without one. */
export async function findOpenHold(database: Queryable, claim: Claim): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select hold.id
    from credit_holds as hold join credit_accounts as account on account.id = hold.account_id
    where ${isClaimable(claim)}
    order by hold.preparing_count, hold.created_at desc
    limit 1
  `.execute(database)
  return rows[0]?.id
}

/** Counts a preparing request until `endPreparing`; false where there is no hold to attach. */
export async function beginPreparing(
  database: Queryable,
  options: Claim & { holdId: string },
): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    update credit_holds as hold
    set preparing_count = hold.preparing_count + 1
    from credit_accounts as account
    where hold.id = ${options.holdId} and account.id = hold.account_id and ${isClaimable(options)}
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

/** Lets an open hold expire at `expiresAt` at the earliest; false when it is closed already. */
export async function extendHold(
  database: Queryable,
  options: { holdId: string; expiresAt: Date },
): Promise<boolean> {
  const extended = await database
    .updateTable('credit_holds')
    .set({ expires_at: sql`greatest(expires_at, ${options.expiresAt})` })
    .where('id', '=', options.holdId)
    .where('state', '=', 'held')
    .returning('id')
    .executeTakeFirst()
  return extended !== undefined
}
