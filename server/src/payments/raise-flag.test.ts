import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeOrder } from '../testing/make-order.ts'
import type { TestOrder } from '../testing/make-order.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { raiseFlag, resolveFlag, resolveOwedFlags, resolvePaidFlags } from './order-records.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(2)
})
afterAll(() => db[Symbol.asyncDispose]())

const now = new Date('2026-11-20T12:00:00Z')
const after = (ms: number) => new Date(now.getTime() + ms)

/** An order with a flag about credits that its buyer owes. */
async function makeFlagged() {
  const order = await makeOrder(db.database, { now })
  const about = { provider: 'nowpayments', paymentId: order.paymentId, orderId: order.id } as const
  await raiseFlag(db.database, { ...about, kind: 'credits_owed', note: 'a test', now })
  return order
}
const flagOf = ({ id }: TestOrder) =>
  db.database
    .selectFrom('order_flags')
    .select(['id', 'resolved_at', 'resolution'])
    .where('order_id', '=', id)
    .executeTakeFirstOrThrow()

test('a flag is resolved by its id, once, and no other', async () => {
  const [one, other] = [await makeFlagged(), await makeFlagged()]
  const { id: flagId } = await flagOf(one)
  const resolve = (resolution: string) => resolveFlag(db.database, { flagId, resolution, now })
  expect([await resolve('seen'), await resolve('again')]).toEqual([true, false])
  expect(await flagOf(one)).toMatchObject({ resolved_at: now, resolution: 'seen' })
  expect(await flagOf(other)).toMatchObject({ resolved_at: null })
})

test('flags about credits owed go when nothing is owed, and what was resolved stays as it was', async () => {
  const [one, owing, resolved] = [await makeFlagged(), await makeFlagged(), await makeFlagged()]
  await db.pool.query('update credit_accounts set owed = 5 where user_id = $1', [owing.userId])
  const { id: flagId } = await flagOf(resolved)
  await resolveFlag(db.database, { flagId, resolution: 'seen', now })
  await resolveOwedFlags(db.database, { now: after(1) })
  expect(await flagOf(one)).toMatchObject({ resolved_at: after(1) })
  expect(await flagOf(owing)).toMatchObject({ resolved_at: null })
  expect(await flagOf(resolved)).toMatchObject({ resolved_at: now, resolution: 'seen' })
})

test('crediting settles flags of money that lacked, of the payments that it was credited for', async () => {
  const { database } = db
  const order = await makeOrder(database)
  const flag = (paymentId: string, kind: Parameters<typeof raiseFlag>[1]['kind']) =>
    raiseFlag(database, {
      provider: 'nowpayments',
      paymentId,
      orderId: order.id,
      kind,
      note: kind,
      now,
    })
  await flag(order.paymentId, 'underpaid')
  await flag('another', 'underpaid')
  await flag(order.paymentId, 'second_payment')
  // The same about the same payment is flagged once.
  await flag('another', 'underpaid')
  expect(await order.openFlags()).toEqual(['second_payment', 'underpaid', 'underpaid'])
  const settled = { orderId: order.id, resolution: 'Credited.', now }
  await resolvePaidFlags(database, { ...settled, paymentIds: [order.paymentId] })
  expect(await order.openFlags()).toEqual(['second_payment', 'underpaid'])
  await resolvePaidFlags(database, { ...settled, paymentIds: undefined })
  expect(await order.openFlags()).toEqual(['second_payment'])
})
