import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { leaseDue } from './lease-due.ts'
import type { DueTable } from './lease-due.ts'

const start = new Date('2026-11-01T12:00:00Z')
const after = (seconds: number) => new Date(start.getTime() + seconds * 1_000)
const leaseMs = 10_000
const queue: DueTable<'payments'> = {
  table: 'payments',
  key: ['provider', 'payment_id'],
  dueAt: 'next_read_at',
  count: 'read_count',
  where: sql<boolean>`payment_id <> '99'`,
}

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(8)
})
afterAll(() => db[Symbol.asyncDispose]())

async function fill(rows: Record<string, number | null>): Promise<void> {
  await sql`delete from payments`.execute(db.database)
  for (const [id, dueAfterSeconds] of Object.entries(rows)) {
    const dueAt = dueAfterSeconds === null ? null : after(dueAfterSeconds)
    await sql`insert into payments (provider, payment_id, state, first_seen_at, next_read_at)
      values ('sandbox', ${id}, 'unread', ${start}, ${dueAt})`.execute(db.database)
  }
}

async function lease(atSeconds: number, limit = 100): Promise<string[]> {
  const rows = await leaseDue(db.database, queue, { now: after(atSeconds), leaseMs, limit })
  return rows.map(({ payment_id }) => payment_id)
}

test('what is due is leased, what waited longest first, and the rest is left', async () => {
  await fill({ 1: 0, 2: -50, 3: -90, 4: 1, 5: null, 99: -99 })
  expect(await lease(0, 2)).toEqual(expect.arrayContaining(['3', '2']))
  expect(await lease(0)).toEqual(['1'])
  expect(await lease(0)).toEqual([])
})

test('a lease that nobody ends gives the row back, and each is counted', async () => {
  await fill({ 1: 0 })
  expect(await lease(0)).toEqual(['1'])
  expect(await lease(9.999)).toEqual([])
  const [again] = await leaseDue(db.database, queue, { now: after(10), leaseMs, limit: 1 })
  expect(again).toMatchObject({ payment_id: '1', read_count: 2, next_read_at: after(20) })
})

test('many nodes at once never lease the same row', async () => {
  await fill(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index + 1}`, -1])))
  const leased = await Promise.all(Array.from({ length: 8 }, () => lease(0, 7)))
  const all = leased.flat()
  expect(new Set(all).size).toBe(all.length)
  const rest = await lease(0)
  expect([...all, ...rest]).toHaveLength(30)
})
