import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { lockAccount } from './account.ts'
import type { Booking } from './account.ts'

export type CorrectionResult =
  | {
      outcome: 'corrected'
      repeated: boolean
      balance: number
      /** What was really moved: taking stops at a balance of zero. */
      moved: number
    }
  | { outcome: 'nothing_to_take'; balance: number }

/**
 * Mends the books by one more entry. Credits are taken only as far as the balance goes, so that it
 * never falls below zero; `moved` says how far that was. The same reference again changes nothing.
 * @param request.amount not zero; negative takes credits away
 * @param request.description in the operator's words
 */
export async function correctBalance(
  database: Queryable,
  request: Booking,
): Promise<CorrectionResult> {
  return database.isTransaction
    ? correct(database, request)
    : database.transaction().execute((transaction) => correct(transaction, request))
}

async function correct(transaction: Queryable, request: Booking): Promise<CorrectionResult> {
  if (!Number.isInteger(request.amount) || request.amount === 0) {
    throw new RangeError(`a correction takes whole credits other than zero, not ${request.amount}`)
  }
  // What may be taken depends on the balance that others leave.
  await lockAccount(transaction, request.userId)
  const { rows } = await sql<{ balance: number; moved: number | null; repeated: boolean }>`
    with account as (
      select id, balance, greatest(${request.amount}::integer, -balance) as moved
      from credit_accounts
      where user_id = ${request.userId}
    ),
    entry as (
      insert into ledger_entries
        (reference, reason, debit_account_id, credit_account_id, amount, description, created_at)
      select ${request.reference}, 'correction',
        case when account.moved < 0 then account.id else system.id end,
        case when account.moved < 0 then system.id else account.id end,
        abs(account.moved), ${request.description}, ${request.now}
      from account, credit_accounts as system
      where system.name = 'correction' and account.moved <> 0
      on conflict on constraint ledger_entries_reference_unique do nothing
      returning id
    ),
    changed as (
      update credit_accounts
      set balance = credit_accounts.balance + account.moved
      from account, entry
      where credit_accounts.id = account.id
      returning credit_accounts.balance, account.moved
    ),
    earlier as (
      select case when entry.debit_account_id = account.id then -entry.amount
        else entry.amount end as moved
      from ledger_entries as entry, account
      where entry.reference = ${request.reference}
    )
    select balance, moved, false as repeated from changed
    union all
    select account.balance, (select moved from earlier), true
    from account
    where not exists (select from changed)
  `.execute(transaction)
  const row = rows[0]
  if (row === undefined) throw new Error(`user ${request.userId} has no credit account`)
  if (row.moved === null) return { outcome: 'nothing_to_take', balance: row.balance }
  return { outcome: 'corrected', repeated: row.repeated, balance: row.balance, moved: row.moved }
}
