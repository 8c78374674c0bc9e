import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../platform/db/database.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { auditBooks } from './audit.ts'
import { closeLedger, readLedgerTotals } from './ledger-totals.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(24)
  // Sums are of any entries; those between accounts of the system alone leave every balance as it is.
  await db.pool.query(
    'alter table ledger_entries disable trigger ledger_entries_accounts_fit_reason',
  )
})
afterAll(() => db[Symbol.asyncDispose]())
// As before the first closing, whatever a test left behind.
beforeEach(async () => {
  await db.pool.query(`
    update ledger_totals set entries = 0, amount = 0;
    update ledger_closing set closed_to = 0, marked_to = 0, marked_writers = '{}';
  `)
  await close()
  await close()
})

const close = () => closeLedger(db.database, new AbortController().signal)
const closedTo = async () => {
  const { rows } = await sql<{ to: number }>`
    select closed_to::integer as to from ledger_closing
  `.execute(db.database)
  return rows[0]?.to
}

/** The totals by the ledger itself and by the closed sums, of the same moment. */
function readBoth(database: Database = db.database) {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      const { rows } = await sql<{ reason: string; entries: number; amount: number }>`
        select reason, count(*)::integer as entries, sum(amount)::integer as amount
        from ledger_entries group by reason order by reason
      `.execute(transaction)
      const totals = await readLedgerTotals(transaction)
      return { byLedger: rows, bySums: totals.filter(({ entries }) => entries > 0) }
    })
}

/** A transaction that has written one entry and is left open. */
async function beginEntry(amount: number, reason = 'usage') {
  const client = await db.pool.connect()
  await client.query('begin')
  const { rows } = await client.query<{ id: string }>(
    `insert into ledger_entries (reference, reason, debit_account_id, credit_account_id, amount)
     select gen_random_uuid()::text, $1, source.id, target.id, $2
     from credit_accounts as source, credit_accounts as target
     where source.name = 'signup' and target.name = 'usage'
     returning id`,
    [reason, amount],
  )
  let isOpen = true
  const end = async (how: 'commit' | 'rollback') => {
    if (!isOpen) return
    isOpen = false
    await client.query(how)
    client.release()
  }
  return { id: Number(rows[0]?.id), end, [Symbol.asyncDispose]: () => end('rollback') }
}

const addEntry = async (amount: number, reason?: string) => {
  const entry = await beginEntry(amount, reason)
  await entry.end('commit')
  return entry.id
}

test('an entry with an early number that commits late is neither lost nor counted twice', async () => {
  await addEntry(1)
  const { byLedger: first } = await readBoth()
  await using early = await beginEntry(10)
  const late = await addEntry(100)
  expect(late).toBeGreaterThan(early.id)
  const before = await closedTo()
  // Marked while the early one is open: nothing behind the earlier end may be closed.
  await close()
  await close()
  await close()
  expect(await closedTo()).toBe(before)
  const during = await readBoth()
  expect(during.bySums).toEqual(during.byLedger)

  await early.end('commit')
  await close()
  expect(await closedTo()).toBe(late)
  const after = await readBoth()
  expect(after.bySums).toEqual(after.byLedger)
  const usage = first.find(({ reason }) => reason === 'usage')
  expect(after.bySums.find(({ reason }) => reason === 'usage')).toEqual({
    reason: 'usage',
    entries: (usage?.entries ?? 0) + 2,
    amount: (usage?.amount ?? 0) + 110,
  })
})

test('an entry that is rolled back holds nothing up once it has ended', async () => {
  await using undone = await beginEntry(1_000)
  const last = await addEntry(1)
  await close()
  await close()
  await undone.end('rollback')
  await close()
  expect(await closedTo()).toBe(last)
  const { bySums, byLedger } = await readBoth()
  expect(bySums).toEqual(byLedger)
})

test('a transaction that has the table but no number yet is waited for', async () => {
  const client = await db.pool.connect()
  let held: number | undefined
  try {
    await client.query('begin')
    // What an insert does first; its number comes after.
    await client.query('lock table ledger_entries in row exclusive mode')
    await addEntry(5)
    await close()
    held = await closedTo()
    await close()
    expect(await closedTo()).toBe(held)
  } finally {
    await client.query('commit')
    client.release()
  }
  await close()
  expect(await closedTo()).toBeGreaterThan(held ?? 0)
})

test('the sums are exact at every moment, whatever commits, rolls back and closes beside them', async () => {
  const stop = new AbortController()
  const reasons = ['signup', 'purchase', 'usage']
  const writer = async (seed: number) => {
    for (let n = 0; !stop.signal.aborted; n += 1) {
      const entry = await beginEntry(1 + ((seed * 31 + n * 17) % 50), reasons[(seed + n) % 3])
      await delay((seed * 7 + n * 13) % 12)
      await entry.end((seed + n) % 5 === 0 ? 'rollback' : 'commit')
    }
  }
  const closer = async () => {
    while (!stop.signal.aborted) await close()
  }
  const began = (await closedTo()) ?? 0
  const work = [...Array.from({ length: 8 }, (_, seed) => writer(seed)), closer(), closer()]
  try {
    // Until so much was closed meanwhile that the sums were put to the test.
    for (let n = 0; n < 150 || ((await closedTo()) ?? 0) <= began + 20; n += 1) {
      const { bySums, byLedger } = await readBoth()
      expect(bySums).toEqual(byLedger)
    }
  } finally {
    stop.abort()
    await Promise.all(work)
  }
  await close()
  await close()
  const { bySums, byLedger } = await readBoth()
  expect(bySums).toEqual(byLedger)
  expect((await auditBooks(db.database)).findings).toEqual([])
})

test('a call that is stopped closes nothing', async () => {
  const last = await addEntry(1)
  await close()
  await closeLedger(db.database, AbortSignal.abort())
  expect(await closedTo()).toBeLessThan(last)
  await close()
  expect(await closedTo()).toBe(last)
})

test('the audit tells a closed sum that the entries do not bear out', async () => {
  await addEntry(1)
  await db.pool.query(`update ledger_totals set amount = amount + 1 where reason = 'usage'`)
  const told = [expect.stringMatching(/^The closed sum of usage is \d+ credits/)]
  expect((await auditBooks(db.database)).findings).toEqual(told)
  await db.pool.query(`
    update ledger_totals set amount = amount - 1, entries = entries + 1 where reason = 'usage'
  `)
  expect((await auditBooks(db.database)).findings).toEqual(told)
  await db.pool.query(`update ledger_totals set entries = entries - 1 where reason = 'usage'`)
  expect((await auditBooks(db.database)).findings).toEqual([])
})

test('a reading touches only the entries behind the closed end', async () => {
  await sql`
    insert into ledger_entries (reference, reason, debit_account_id, credit_account_id, amount)
    select gen_random_uuid()::text, 'usage', source.id, target.id, 1
    from generate_series(1, 20000) as n, credit_accounts as source, credit_accounts as target
    where source.name = 'signup' and target.name = 'usage'
  `.execute(db.database)
  await close()
  await close()
  await sql`vacuum analyze ledger_entries`.execute(db.database)
  await addEntry(3)
  const touched = await db.database
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (transaction) => {
      // What this connection has read so far.
      const count = async () => {
        const { rows } = await sql<{ count: number }>`
          select (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as count
          from pg_stat_xact_user_tables where relname = 'ledger_entries'
        `.execute(transaction)
        return rows[0]?.count ?? 0
      }
      const before = await count()
      await readLedgerTotals(transaction)
      return (await count()) - before
    })
  // The planner looks at the end of the index too.
  expect(touched).toBeLessThanOrEqual(3)
})
