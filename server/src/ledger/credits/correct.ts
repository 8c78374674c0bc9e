import { sql } from 'kysely'
import { inTransaction } from '../../platform/db/database.ts'
import type { Queryable, Transaction } from '../../platform/db/database.ts'
import { lockAccount } from './account.ts'
import type { Booking } from './account.ts'
import { assertPositive } from './grant.ts'

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
 * Corrects a balance by one more entry; takes only as far as it goes (`moved`). A reference acts once.
 * @param request.amount not zero; negative takes credits away
 */
export async function correctBalance(
  database: Queryable,
  request: Booking,
): Promise<CorrectionResult> {
  return database.isTransaction
    ? correct(database, request)
    : inTransaction(database, (transaction) => correct(transaction, request))
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

export interface TakeBackResult {
  /** What was there to take, in the balance or held. */
  taken: number
  /** The rest of `amount`: it is paid by whatever comes back or is granted later. */
  owed: number
  repeated: boolean
}

/**
 * Takes a refunded payment's credits back by one entry; where the balance lacks, unclaimed open holds are
 * released, and the rest stays owed. The same reference again changes nothing.
 */
export async function takeBackCredits(
  transaction: Transaction,
  { userId, amount, description, reference, now }: Booking,
): Promise<TakeBackResult> {
  assertPositive('taking back', amount)
  // With the account locked no hold can be placed any more, and the next statement sees all that were.
  await lockAccount(transaction, userId)
  // Holds that somebody is closing or attaching are passed over, because their holder may be waiting
  // for the account: they are captured, or come back and pay what is owed.
  const { rows } = await sql<{ owedBefore: number; owedAfter: number | null }>`
    with account as (
      select id, balance, owed from credit_accounts where user_id = ${userId}
    ),
    entry as (
      insert into ledger_entries
        (reference, reason, debit_account_id, credit_account_id, amount, description, created_at)
      select ${reference}, 'correction', account.id, system.id, ${amount}, ${description}, ${now}
      from account, credit_accounts as system
      where system.name = 'correction'
      on conflict on constraint ledger_entries_reference_unique do nothing
      returning debit_account_id
    ),
    unclaimed as (
      select hold.id
      from credit_holds as hold
      join account on account.id = hold.account_id and account.balance < ${amount}
      join entry on entry.debit_account_id = account.id
      where hold.state = 'held' and hold.attached_to is null
      for update of hold skip locked
    ),
    released as (
      update credit_holds set state = 'released', settled_at = ${now}
      from unclaimed
      where credit_holds.id = unclaimed.id
      returning credit_holds.amount
    ),
    debited as (
      -- pay_owed_first settles the two against each other.
      update credit_accounts
      set balance = balance + (select coalesce(sum(amount), 0) from released)::integer,
        owed = owed + ${amount}
      from entry
      where credit_accounts.id = entry.debit_account_id
      returning credit_accounts.owed
    )
    select account.owed as "owedBefore", (select owed from debited) as "owedAfter" from account
  `.execute(transaction)
  const row = rows[0]
  if (row === undefined) throw new Error(`user ${userId} has no credit account`)
  if (row.owedAfter === null) return { taken: 0, owed: 0, repeated: true }
  const owed = Math.max(0, row.owedAfter - row.owedBefore)
  return { taken: amount - owed, owed, repeated: false }
}
