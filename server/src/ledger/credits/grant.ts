import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import type { Booking } from './account.ts'

/** Why credits come to a user, with the system account that they come from. */
const sourceAccounts = {
  signup: 'signup',
  referral: 'referral',
  purchase: 'purchase',
  voucher: 'vouchers',
} as const

/** Takes at least 1 credit. */
export type GrantRequest = Booking & { reason: keyof typeof sourceAccounts }

export type GrantResult =
  | { outcome: 'granted'; repeated: boolean; balance: number }
  /** The reference stands in the books with another user or amount. */
  | { outcome: 'reference_conflict' }

/** Adds credits by an entry, once per reference; a purchase lifts `boughtTotal` and so the tier. */
export async function grantCredits(
  database: Queryable,
  request: GrantRequest,
): Promise<GrantResult> {
  assertPositive('a grant', request.amount)
  const bought = request.reason === 'purchase' ? request.amount : 0
  const { rows } = await sql<{ balance: number; repeated: boolean; same: boolean }>`
    with account as (
      select id, balance from credit_accounts where user_id = ${request.userId}
    ),
    entry as (
      insert into ledger_entries
        (reference, reason, debit_account_id, credit_account_id, amount, description, created_at)
      select ${request.reference}, ${request.reason}, source.id, account.id, ${request.amount},
        ${request.description}, ${request.now}
      from account, credit_accounts as source
      where source.name = ${sourceAccounts[request.reason]}
      on conflict on constraint ledger_entries_reference_unique do nothing
      returning credit_account_id
    ),
    credited as (
      update credit_accounts
      set balance = credit_accounts.balance + ${request.amount},
        bought_total = credit_accounts.bought_total + ${bought}
      from entry
      where credit_accounts.id = entry.credit_account_id
      returning credit_accounts.balance
    )
    select credited.balance, false as repeated, true as same from credited
    union all
    select account.balance, true,
      coalesce(
        (
          select earlier.credit_account_id = account.id and earlier.amount = ${request.amount}
          from ledger_entries as earlier
          where earlier.reference = ${request.reference}
        ),
        true
      )
    from account
    where not exists (select from entry)
  `.execute(database)
  const row = rows[0]
  if (row === undefined) throw new Error(`user ${request.userId} has no credit account`)
  if (!row.same) return { outcome: 'reference_conflict' }
  return { outcome: 'granted', repeated: row.repeated, balance: row.balance }
}

/** @param act such as 'a grant', for the RangeError */
export function assertPositive(act: string, amount: number): void {
  if (!Number.isInteger(amount) || amount < 1) {
    throw new RangeError(`${act} takes a positive whole number of credits, not ${amount}`)
  }
}
