import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expireHolds, releaseHold } from '../../ledger/credits/close-hold.ts'
import { placeHold } from '../../ledger/credits/hold.ts'
import { makeUser } from '../../testing/make-user.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { compactCounters, readCounters } from './counters.ts'
import type { CounterSubject } from './counters.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db[Symbol.asyncDispose]())

const columns: Record<CounterSubject, string> = {
  users: `'' as provider, status as state from users`,
  orders: `provider, status as state from orders`,
  payments: `provider, state from payments`,
  credit_holds: `'' as provider, state from credit_holds where state in ('released', 'expired')`,
  voucher_redemptions: `batch_id::text as provider, 'redeemed' as state from voucher_redemptions`,
}

/** Counters and counted rows of the same moment. */
async function expectExact() {
  for (const [subject, from] of Object.entries(columns) as [CounterSubject, string][]) {
    const { kept, counted } = await db.database
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (transaction) => ({
        kept: await readCounters(transaction, subject),
        counted: await sql
          .raw(
            `select provider, state, count(*)::integer as count from (select ${from}) as rows
             group by 1, 2 order by 1, 2`,
          )
          .execute(transaction),
      }))
    expect(kept, subject).toEqual(counted.rows)
  }
}

const makeOrder = (n: number, userId: string) =>
  sql`
    insert into orders (id, user_id, package_type, price_cents, credits, status, provider,
      created_at, updated_at)
    values (${`order_tally${n}_aaaaaa`}, ${userId}, 'basic', 1000, 100, 'initiated', 'sandbox',
      now(), now())
  `.execute(db.database)
const makePayment = (n: number) =>
  sql`
    insert into payments (provider, payment_id, state, first_seen_at)
    values ('nowpayments', ${String(n)}, 'waiting', now())
    on conflict on constraint payments_known_once do update set state = 'finished'
  `.execute(db.database)

test('every change of a state is counted, and one that changes nothing is not', async () => {
  const userId = await makeUser(db.database, 10)
  const gone = await makeUser(db.database, 0)
  await makeOrder(1, userId)
  await makePayment(1)
  await makePayment(1)
  await expectExact()
  await sql`update users set status = 'suspended' where id = ${userId}`.execute(db.database)
  await sql`update users set status = status`.execute(db.database)
  await sql`delete from users where id = ${gone}`.execute(db.database)
  await sql`update orders set status = 'pending', updated_at = now()`.execute(db.database)
  await sql`delete from payments`.execute(db.database)
  await expectExact()
  expect(await readCounters(db.database, 'orders')).toEqual([
    { provider: 'sandbox', state: 'pending', count: 1 },
  ])
  expect(await readCounters(db.database, 'payments')).toEqual([])
})

test('holds that came back are counted by how they did', async () => {
  const userId = await makeUser(db.database, 10)
  const now = new Date()
  const hold = async (reference: string, lifetimeMs: number) => {
    const placed = await placeHold(db.database, {
      userId,
      amount: 1,
      description: 'test',
      reference,
      now,
      lifetimeMs,
    })
    if (placed.outcome !== 'held') throw new Error(placed.outcome)
    return placed.holdId
  }
  await releaseHold(db.database, { holdId: await hold('a', 60_000), now })
  await hold('b', 1)
  await hold('c', 60_000)
  await expireHolds(db.database, { now: new Date(now.getTime() + 1_000), limit: 10 })
  expect(await readCounters(db.database, 'credit_holds')).toEqual([
    { provider: '', state: 'expired', count: 1 },
    { provider: '', state: 'released', count: 1 },
  ])
})

test('counts are exact while changes are written, undone and folded beside them', async () => {
  const userId = await makeUser(db.database, 0)
  const stop = new AbortController()
  const states = ['waiting', 'processing', 'finished']
  const writer = async (seed: number) => {
    for (let n = 0; !stop.signal.aborted; n += 1) {
      const client = await db.pool.connect()
      await client.query('begin')
      await client.query(
        `insert into payments (provider, payment_id, state, first_seen_at)
         values ('sandbox', $1, $2, now())
         on conflict on constraint payments_known_once do update set state = excluded.state`,
        [String(1 + seed * 10 + (n % 7)), states[n % 3]],
      )
      await client.query((seed + n) % 4 === 0 ? 'rollback' : 'commit')
      client.release()
    }
  }
  const folder = async () => {
    while (!stop.signal.aborted) await compactCounters(db.database)
  }
  const work = [...Array.from({ length: 6 }, (_, seed) => writer(seed)), folder(), folder()]
  for (let n = 0; n < 40; n += 1) {
    await makeOrder(100 + n, userId)
    await expectExact()
  }
  stop.abort()
  await Promise.all(work)
  await compactCounters(db.database)
  const { rows } = await db.pool.query(`select from tally_changes`)
  expect(rows).toHaveLength(0)
  await expectExact()
})

test('a recount finds what triggers were kept from counting', async () => {
  await sql`alter table users disable trigger user`.execute(db.database)
  await makeUser(db.database, 0)
  await sql`alter table users enable trigger user`.execute(db.database)
  await sql`select recount_tallies()`.execute(db.database)
  await expectExact()
})
