import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'

/**
 * Proves the books: they sum to zero; each balance less what is owed is credited - debited - held; bought totals
 * equal purchases; captured holds, and no others, have one entry each; closed sums are those of their entries.
 * @returns figures of the books, and what doesn't add up, a sentence each; none in sound books
 */
export function auditBooks(database: Queryable) {
  return inAudit(database, async (books) => {
    const totals = await readTotals(books)
    const findings = [
      ...(totals.sum === 0 ? [] : [`The books sum to ${totals.sum} instead of 0.`]),
      ...(await findInBooks(books, wrongBooks)),
    ]
    return { ...totals, findings }
  })
}

/** Reads all at one moment, with memory and time for joining ten million entries at once. */
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

/** What doesn't add up, by a statement that selects a `finding` for each: a sentence. */
export async function findInBooks(
  database: Queryable,
  statement: RawBuilder<{ finding: string }>,
): Promise<string[]> {
  const { rows } = await inAudit(database, (books) => statement.execute(books))
  return rows.map(({ finding }) => finding)
}

async function readTotals(database: Queryable) {
  const { rows } = await sql<{
    entries: number
    userAccounts: number
    heldCredits: number
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
      (select coalesce(sum(amount), 0)::integer from credit_holds where state = 'held') as "heldCredits",
      (select coalesce(sum(amount), 0)::integer from moves
        join credit_accounts on credit_accounts.id = moves.account_id) as "sum"
  `.execute(database)
  return rows[0]!
}

const wrongBooks = sql<{ finding: string }>`
  with moves as (
    select credit_account_id as account_id, amount from ledger_entries
    union all
    select debit_account_id, -amount from ledger_entries
    union all
    select account_id, -amount from credit_holds where state = 'held'
  ),
  sums as (select account_id, sum(amount) as expected from moves group by account_id),
  bought as (
    select credit_account_id as account_id, sum(amount) as expected
    from ledger_entries where reason = 'purchase' group by credit_account_id
  ),
  closed as (
    select reason, count(*) as entries, sum(amount) as amount
    from ledger_entries
    where id <= (select closed_to from ledger_closing)
    group by reason
  )
  (
    select 'Account ' || account.id || ' has a balance of ' || account.balance || ' and owes '
      || account.owed || ', its entries and holds say ' || coalesce(sums.expected, 0) || '.' as finding
    from credit_accounts as account left join sums on sums.account_id = account.id
    where account.kind <> 'system'
      and (account.balance - account.owed <> coalesce(sums.expected, 0)
        or (account.balance > 0 and account.owed > 0))
    order by account.id
    limit 100
  )
  union all
  (
    select 'Account ' || account.id || ' says ' || account.bought_total
      || ' credits were bought, its purchases say ' || coalesce(bought.expected, 0) || '.'
    from credit_accounts as account left join bought on bought.account_id = account.id
    where account.kind <> 'system' and account.bought_total <> coalesce(bought.expected, 0)
    order by account.id
    limit 100
  )
  union all
  (
    select 'Hold ' || hold.id || ' is ' || hold.state || ', its ledger entry does not fit.'
    from credit_holds as hold
    left join ledger_entries as entry on entry.reference = 'hold:' || hold.id
    where (hold.state = 'captured') <> (entry.id is not null)
      or (entry.id is not null and (entry.amount <> hold.amount
        or entry.debit_account_id <> hold.account_id))
    limit 100
  )
  union all
  (
    select 'The closed sum of ' || total.reason || ' is ' || total.amount
      || ' credits, its entries say ' || coalesce(closed.amount, 0) || '.'
    from ledger_totals as total left join closed using (reason)
    where total.amount <> coalesce(closed.amount, 0)
      or total.entries <> coalesce(closed.entries, 0)
    order by total.reason
  )
`
