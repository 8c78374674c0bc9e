import { sql } from 'kysely'
import type { Transaction } from '../../platform/db/database.ts'
import { findRow, findRows, insertRow } from '../../platform/db/rows.ts'
import type { Booking } from './account.ts'
import { assertPositive } from './grant.ts'

export interface MoveRequest extends Pick<Booking, 'description' | 'now' | 'reference'> {
  /** Account that the credits leave; of one with a balance, no more than it has. */
  fromAccountId: string
  toAccountId: string
  /** Whole credits at most; undefined: all that is there. */
  amount?: number
}

/** Opens the account of an event's budget, with a balance of zero. */
export async function openEventAccount(transaction: Transaction): Promise<string> {
  const { id } = await insertRow(transaction, 'credit_accounts', { kind: 'event', balance: 0 })
  return id
}

/** The system account that budgets of events are filled from, and flow back to. */
export async function readEventsAccount(transaction: Transaction): Promise<string> {
  const account = await findRow(transaction, 'credit_accounts', { name: 'events' })
  return account!.id
}

/**
 * Moves credits between a budget and a guest or the system account by one `event` entry: all, or with
 * `takesLess` what is there. `credit_accounts_balance_not_negative` stands behind the condition.
 * @returns what this call moved: 0 where there was too little, nothing, or the reference was there
 */
export async function moveEventCredits(
  transaction: Transaction,
  request: MoveRequest & { takesLess?: boolean },
): Promise<number> {
  const { fromAccountId, toAccountId, amount } = request
  if (amount !== undefined) assertPositive('a move', amount)
  // A statement of its own: the next one sees what was committed while this one waited. A guest's is
  // locked before their budget's, which is older: a hold that was moved meanwhile is closed so too.
  const accounts = await findRows(
    transaction,
    'credit_accounts',
    sql`id in (${fromAccountId}, ${toAccountId}) and kind <> 'system' order by id desc for no key update`,
  )
  const there = accounts.find(({ id }) => id === fromAccountId)?.balance ?? amount ?? 0
  const asked = amount ?? there
  const moved = there >= asked ? asked : request.takesLess === true ? there : 0
  if (moved === 0) return 0
  const { rows } = await sql`
    with entry as (
      insert into ledger_entries
        (reference, reason, debit_account_id, credit_account_id, amount, description, created_at)
      values (${request.reference}, 'event', ${fromAccountId}, ${toAccountId}, ${moved},
        ${request.description}, ${request.now})
      on conflict on constraint ledger_entries_reference_unique do nothing
      returning id
    )
    update credit_accounts
    set balance = balance + case when id = ${toAccountId} then ${moved}::integer else ${-moved}::integer end
    where id in (${fromAccountId}, ${toAccountId}) and kind <> 'system' and exists (select from entry)
    returning id
  `.execute(transaction)
  return rows.length === 0 ? 0 : moved
}

/**
 * Makes a guest's open holds, whose selfie is under way, those of the budget: what they give back is its own. Both
 * accounts are locked already.
 */
export async function moveEventHolds(
  transaction: Transaction,
  { fromAccountId, toAccountId, description, reference, now }: Omit<MoveRequest, 'amount'>,
): Promise<void> {
  await sql`
    with moved as (
      update credit_holds set account_id = ${toAccountId}
      where account_id = ${fromAccountId} and state = 'held'
      returning amount
    )
    insert into ledger_entries
      (reference, reason, debit_account_id, credit_account_id, amount, description, created_at)
    select ${reference}, 'event', ${fromAccountId}, ${toAccountId}, sum(amount), ${description},
      ${now}::timestamptz
    from moved having count(*) > 0
  `.execute(transaction)
}
