import { sql } from 'kysely'
import type { Queryable, Transaction } from '../../platform/db/database.ts'
import { findRows, insertRow } from '../../platform/db/rows.ts'

export interface CreditAccount {
  accountId: string
  /** Whole credits that may be spent: what is held is already gone from it. */
  balance: number
  /** Credits of refunded purchases that could not be taken back yet: above zero only at a balance of zero. */
  owed: number
  /** Credits ever bought. */
  boughtTotal: number
  isPremium: boolean
}

/** SQL column: premium once credits were ever bought, or a guest of an event without brand mark. */
const isPremium = sql<boolean>`bought_total > 0 or (is_unmarked and unmarked_until is null)`.as(
  'isPremium',
)

/** SQL: the same for one selfie of the account; what was made as a guest stays as it was. */
export const isPremiumSelfie = `credit_accounts.bought_total > 0 or (credit_accounts.is_unmarked
  and generations.created_at <= coalesce(credit_accounts.unmarked_until, 'infinity'))`

/** What moves credits by one entry of the books. */
export interface Booking {
  userId: string
  /** Whole credits. */
  amount: number
  /** Shown in the user's credit history. */
  description: string
  /** Unique in the books: `signup:<user>`, `order:<order>`, … */
  reference: string
  now: Date
}

/** Opens the account of a new user, with a balance of zero. */
export async function openAccount(
  transaction: Transaction,
  userId: string,
  { isUnmarked = false } = {},
): Promise<string> {
  const account = { kind: 'user', user_id: userId, balance: 0, is_unmarked: isUnmarked } as const
  const { id } = await insertRow(transaction, 'credit_accounts', account)
  return id
}

/** The account of a user. Every user has one: a missing one is a bug. */
export async function readAccount(database: Queryable, userId: string): Promise<CreditAccount> {
  const { balance, ...account } = await database
    .selectFrom('credit_accounts')
    .select(['id as accountId', 'balance', 'owed', 'bought_total as boughtTotal', isPremium])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (balance === null) throw new Error(`account ${account.accountId} of a user has no balance`)
  return { ...account, balance }
}

/** Locks the account, in a statement of its own: the next sees what was committed meanwhile. */
export async function lockAccount(transaction: Queryable, userId: string): Promise<void> {
  await findRows(transaction, 'credit_accounts', sql`user_id = ${userId} for no key update`)
}
