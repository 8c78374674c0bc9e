import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'

/**
 * Proves the books: they sum to zero, every cached balance less what is owed is credited - debited -
 * held, every * bought total equals its purchases, every captured hold has its one entry and no other has one, and
 * the closed sums of the ledger are those of its entries.
 * @returns figures of the books, and what doesn't add up, a sentence each; none in sound books
 */
export function auditBooks(database: Queryable) {
  return inAudit(database, async (books) => {
    const totals = await readTotals(books)
    const findings = [
      ...(totals.sum === 0 ? [] : [`The books sum to ${totals.sum} instead of 0.`]),
      ...(await findWrongBalances(books)),
      ...(await findWrongBoughtTotals(books)),
      ...(await findHoldsWithoutEntry(books)),
      ...(await findWrongClosedSums(books)),
    ]
    return { ...totals, findings }
  })
}

/**
 * Reads everything at one moment, with room and time for whole tables: at ten million entries, looking
 * up each one's hold would take ten times as long as joining all.
 */
export function inAudit<Result>(
  database: Queryable,
  act: (books: Queryable) => Promise<Result>,
): Promise<Result> {
  if (database.isTransaction) return act(database)
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      await sql`set local statement_timeout = '10min'`.execute(transaction)
      await sql`set local work_mem = '256MB'`.execute(transaction)
      await sql`set local enable_nestloop = off`.execute(transaction)
      return act(transaction)
    })
}

async function readTotals(database: Queryable) {
  const { rows } = await sql<{
    entries: number
    userAccounts: number
    openHolds: number
    /** Over all accounts, of credited minus debited; zero in sound books. */
    sum: number
  }>`
    with moves as (
      select credit_account_id as account_id, amount from ledger_entries
      union all
      select debit_account_id, -amount from ledger_entries
    )
    select
      (select count(*)::integer from ledger_entries) as "entries",
      (select count(*)::integer from credit_accounts where kind = 'user') as "userAccounts",
      (select count(*)::integer from credit_holds where state = 'held') as "openHolds",
      (select coalesce(sum(amount), 0)::integer from moves
        join credit_accounts on credit_accounts.id = moves.account_id) as "sum"
  `.execute(database)
  const row = rows[0]
  if (row === undefined) throw new Error('the audit got no totals')
  return row
}

async function findWrongBalances(database: Queryable): Promise<string[]> {
  const { rows } = await sql<{ id: string; balance: number; owed: number; expected: number }>`
    with moves as (
      select credit_account_id as account_id, amount from ledger_entries
      union all
      select debit_account_id, -amount from ledger_entries
      union all
      select account_id, -amount from credit_holds where state = 'held'
    ),
    sums as (select account_id, sum(amount) as expected from moves group by account_id)
    select account.id, account.balance, account.owed,
      coalesce(sums.expected, 0)::float8 as expected
    from credit_accounts as account left join sums on sums.account_id = account.id
    where account.kind <> 'system'
      and (account.balance - account.owed <> coalesce(sums.expected, 0)
        or (account.balance > 0 and account.owed > 0))
    order by account.id
    limit 100
  `.execute(database)
  return rows.map(
    ({ id, balance, owed, expected }) =>
      `Account ${id} has a balance of ${balance} and owes ${owed}, its entries and holds say ${expected}.`,
  )
}

async function findWrongBoughtTotals(database: Queryable): Promise<string[]> {
  const { rows } = await sql<{ id: string; bought: number; expected: number }>`
    select account.id, account.bought_total as bought,
      coalesce(sum(entry.amount), 0)::float8 as expected
    from credit_accounts as account
    left join ledger_entries as entry
      on entry.credit_account_id = account.id and entry.reason = 'purchase'
    where account.kind <> 'system'
    group by account.id
    having account.bought_total <> coalesce(sum(entry.amount), 0)
    order by account.id
    limit 100
  `.execute(database)
  return rows.map(
    ({ id, bought, expected }) =>
      `Account ${id} says ${bought} credits were bought, its purchases say ${expected}.`,
  )
}

async function findHoldsWithoutEntry(database: Queryable): Promise<string[]> {
  const { rows } = await sql<{ id: string; state: string }>`
    select hold.id, hold.state
    from credit_holds as hold
    left join ledger_entries as entry on entry.reference = 'hold:' || hold.id
    where (hold.state = 'captured') <> (entry.id is not null)
      or (entry.id is not null and (entry.amount <> hold.amount
        or entry.debit_account_id <> hold.account_id))
    limit 100
  `.execute(database)
  return rows.map(({ id, state }) => `Hold ${id} is ${state}, its ledger entry does not fit.`)
}

async function findWrongClosedSums(database: Queryable): Promise<string[]> {
  const { rows } = await sql<{ reason: string; closed: string; expected: string }>`
    with entry as (
      select reason, count(*) as entries, sum(amount) as amount
      from ledger_entries
      where id <= (select closed_to from ledger_closing)
      group by reason
    )
    select total.reason, total.amount as closed, coalesce(entry.amount, 0) as expected
    from ledger_totals as total left join entry using (reason)
    where total.amount <> coalesce(entry.amount, 0)
      or total.entries <> coalesce(entry.entries, 0)
    order by total.reason
  `.execute(database)
  return rows.map(
    ({ reason, closed, expected }) =>
      `The closed sum of ${reason} is ${closed} credits, its entries say ${expected}.`,
  )
}
