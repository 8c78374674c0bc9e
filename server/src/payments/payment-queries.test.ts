import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../testing/open-test-database.ts'
import {
  claimDuePayments,
  finishReading,
  makePaymentDue,
  markPaymentMissing,
} from './payment-queries.ts'

const start = new Date('2026-11-20T12:00:00Z')
const after = (seconds: number) => new Date(start.getTime() + seconds * 1_000)
const leaseMs = 45_000

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(4)
})
afterAll(() => db[Symbol.asyncDispose]())

let made = 0
const newKey = () => ({ provider: 'nowpayments', payment_id: String((made += 1)) }) as const
type Key = ReturnType<typeof newKey>

const notice = (key: Key, seconds: number, isCallback = true) =>
  makePaymentDue(db.database, { ...key, at: after(seconds), now: after(seconds), isCallback })
const claim = (only: Key | undefined, seconds: number, limit = 10) =>
  claimDuePayments(db.database, { only, now: after(seconds), leaseMs, limit })
const read = ({ payment_id }: Key) =>
  db.database
    .selectFrom('payments')
    .select(['next_read_at', 'last_read_at', 'callback_count', 'read_count'])
    .where('payment_id', '=', payment_id)
    .executeTakeFirstOrThrow()

test('a payment is read by one reader, until its lease is over', async () => {
  const key = newKey()
  await notice(key, 0)
  const claims = await Promise.all([claim(key, 1), claim(key, 1), claim(key, 1)])
  expect(claims.flat()).toHaveLength(1)
  expect(await claim(key, 45)).toEqual([])
  expect(await claim(key, 46)).toHaveLength(1)
})

test('a callback that comes during a reading makes another reading due at once', async () => {
  const key = newKey()
  await notice(key, 0)
  const [claimed] = await claim(key, 1)
  if (claimed === undefined) throw new Error('it was due')
  await notice(key, 2)
  const done = { nextReadAt: after(3_600), now: after(3), isRead: true }
  expect(await finishReading(db.database, claimed, done)).toBe(true)
  expect(await read(key)).toMatchObject({ next_read_at: after(3), callback_count: 2 })
  expect(await claim(key, 3)).toHaveLength(1)
})

test('without one the next reading comes when it was set', async () => {
  const key = newKey()
  await notice(key, 0)
  const [claimed] = await claim(key, 1)
  if (claimed === undefined) throw new Error('it was due')
  const done = { nextReadAt: after(3_600), now: after(3), isRead: true }
  expect(await finishReading(db.database, claimed, done)).toBe(false)
  expect(await read(key)).toMatchObject({ next_read_at: after(3_600), last_read_at: after(3) })
  expect(await claim(key, 3_599)).toEqual([])
})

test('a reading that failed doesn’t count as read', async () => {
  const key = newKey()
  await notice(key, 0)
  const [claimed] = await claim(key, 1)
  if (claimed === undefined) throw new Error('it was due')
  await finishReading(db.database, claimed, { nextReadAt: null, now: after(3), isRead: false })
  expect(await read(key)).toMatchObject({ next_read_at: null, last_read_at: null })
})

test('a callback brings a reading forward and never puts one off', async () => {
  const key = newKey()
  await notice(key, 0)
  const [claimed] = await claim(key, 1)
  if (claimed === undefined) throw new Error('it was due')
  await finishReading(db.database, claimed, { nextReadAt: after(60), now: after(3), isRead: true })
  await notice(key, 90)
  expect((await read(key)).next_read_at).toEqual(after(60))
  await notice(key, 30)
  expect((await read(key)).next_read_at).toEqual(after(30))
})

test('callbacks are counted and begin the series of readings anew, what buyers look at doesn’t', async () => {
  const key = newKey()
  await notice(key, 0)
  await claim(undefined, 1)
  await notice(key, 2, false)
  await claim(key, 2)
  expect(await read(key)).toMatchObject({ callback_count: 1, read_count: 1 })
  await notice(key, 3)
  expect(await read(key)).toMatchObject({ callback_count: 2, read_count: 0 })
})

test('the longest due are taken first, so many as asked for, and nothing that isn’t due', async () => {
  await db.database.updateTable('payments').set({ next_read_at: null }).execute()
  const [late, early, notYet] = [newKey(), newKey(), newKey()]
  await notice(late, 20)
  await notice(early, 10)
  await notice(notYet, 100)
  const first = await claim(undefined, 50, 1)
  expect(first.map(({ payment_id }) => payment_id)).toEqual([early.payment_id])
  const rest = await claim(undefined, 50)
  expect(rest.map(({ payment_id }) => payment_id)).toEqual([late.payment_id])
})

test('a payment that its provider does not know is missing, and no other one', async () => {
  const [key, other] = [newKey(), newKey()]
  const ofAnother = { provider: 'btcpay', payment_id: key.payment_id } as const
  for (const each of [key, other, ofAnother]) {
    const due = { ...each, at: start, now: start, isCallback: false }
    await makePaymentDue(db.database, due)
  }
  await markPaymentMissing(db.database, key)
  const rows = await db.database
    .selectFrom('payments')
    .select(['provider', 'payment_id', 'state'])
    .where('payment_id', 'in', [key.payment_id, other.payment_id])
    .orderBy('payment_id')
    .orderBy('provider', 'desc')
    .execute()
  expect(rows.map(({ state }) => state)).toEqual(['missing', 'unread', 'unread'])
})
