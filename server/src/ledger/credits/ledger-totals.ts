import { sql } from 'kysely'
import { inTransaction } from '../../platform/db/database.ts'
import type { Database, Queryable } from '../../platform/db/database.ts'
import { findRow } from '../../platform/db/rows.ts'
import type { LedgerEntriesTable } from '../../platform/db/tables.d.ts'

/** So many entries are summed in well under a second. */
const entriesInStep = 1_000_000

/**
 * What each reason moved since the beginning, entries and credits: closed sums and, live, the entries behind.
 * Takes a repeatable-read transaction, as both must be of the same moment.
 */
export async function readLedgerTotals(transaction: Queryable) {
  const { closed_to: closedTo } = await readClosing(transaction)
  // The end is a value of its own, so that the planner sees how few entries lie behind it.
  const { rows } = await sql<{
    reason: LedgerEntriesTable['reason']
    entries: string
    amount: string
  }>`
    with live as (
      select reason, count(*) as entries, sum(amount) as amount
      from ledger_entries where id > ${closedTo} group by reason
    )
    select reason, ledger_totals.entries + coalesce(live.entries, 0) as entries,
      ledger_totals.amount + coalesce(live.amount, 0) as amount
    from ledger_totals left join live using (reason)
    order by reason
  `.execute(transaction)
  return rows.map(({ reason, entries, amount }) => ({
    reason,
    entries: Number(entries),
    amount: Number(amount),
  }))
}

/**
 * Moves the end of the closed sums on. Entry numbers are given before their transactions commit: an end is
 * marked with the transactions that are writing then, and closed by a later call that finds none of them.
 * May run twice and on several nodes at once.
 */
export async function closeLedger(database: Database, signal: AbortSignal): Promise<void> {
  const closing = await readClosing(database)
  const writers = await readWriters(database)
  if (writers.some((name) => closing.marked_writers.includes(name))) return
  while (!signal.aborted && (await closeStep(database, closing.marked_to))) {
    // Step by step, so that no statement runs long on books that were never closed.
  }
  await markEnd(database)
}

/** The one row of its table. */
async function readClosing(database: Queryable, lock = sql``) {
  return (await findRow(database, 'ledger_closing', sql`true ${lock}`))!
}

/** The transactions that have begun to write entries, as PostgreSQL names them. */
async function readWriters(database: Queryable): Promise<string[]> {
  // An insert takes this lock before it is given a number, and keeps it to the transaction's end.
  const { rows } = await sql<{ writer: string }>`
    select distinct virtualtransaction as writer from pg_locks
    where locktype = 'relation' and mode = 'RowExclusiveLock'
      and relation = 'ledger_entries'::regclass
      and database = (select oid from pg_database where datname = current_database())
  `.execute(database)
  return rows.map(({ writer }) => writer)
}

/** Adds some entries to the closed sums; false when the mark, or another's newer one, is reached. */
function closeStep(database: Database, markedTo: string): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const closing = await readClosing(transaction, sql`for update`)
    const from = BigInt(closing.closed_to)
    // Another node may have closed to this mark and set the next one, which isn't proven here.
    if (closing.marked_to !== markedTo || from >= BigInt(markedTo)) return false
    const step = from + BigInt(entriesInStep)
    const to = step < BigInt(markedTo) ? String(step) : markedTo
    await sql`
      update ledger_totals
      set entries = ledger_totals.entries + added.entries,
        amount = ledger_totals.amount + added.amount
      from (
        select reason, count(*) as entries, sum(amount) as amount
        from ledger_entries where id > ${closing.closed_to} and id <= ${to} group by reason
      ) as added
      where ledger_totals.reason = added.reason
    `.execute(transaction)
    await transaction.updateTable('ledger_closing').set({ closed_to: to }).execute()
    return true
  })
}

/** Marks the newest number that was given, once the mark before it is closed. */
async function markEnd(database: Database): Promise<void> {
  const { rows } = await sql<{ last: string }>`
    select case when is_called then last_value else 0 end as last from ledger_entries_id_seq
  `.execute(database)
  const last = rows[0]?.last ?? '0'
  // Read after the number: whoever was given one up to it is among them, or has ended.
  const writers = await readWriters(database)
  await sql`
    update ledger_closing set marked_to = ${last}, marked_writers = ${writers}::text[]
    where closed_to = marked_to and marked_to < ${last}
  `.execute(database)
}
