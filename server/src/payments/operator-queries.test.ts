import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeOrder } from '../testing/make-order.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { listOpenFlags, listOrders, readOrderFile } from './operator-queries.ts'
import { raiseFlag, resolveFlag } from './order-records.ts'
import { refundByOperator } from './settle-by-word.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(4)
})
afterAll(() => db[Symbol.asyncDispose]())

const start = Date.parse('2026-11-20T12:00:00Z')
const at = (minute: number) => new Date(start + minute * 60_000)
const orderOf = async (minute: number, email: string) => {
  const order = await makeOrder(db.database, { now: at(minute) })
  await db.pool.query('update users set email = $2 where id = $1', [order.userId, email])
  return order
}
const list = async (more: Partial<Parameters<typeof listOrders>[1]>) =>
  (await listOrders(db.database, { onlyFlagged: false, limit: 50, ...more })).map(({ id }) => id)
const flag = (orderId: string | null, minute: number, paymentId: string) =>
  raiseFlag(db.database, {
    provider: 'nowpayments',
    paymentId,
    orderId,
    kind: 'overpaid',
    note: `of minute ${minute}`,
    now: at(minute),
  })

test('orders are listed newest first, in pages, of one buyer or status, or those with open flags', async () => {
  const [first, second, third] = [
    await orderOf(1, 'ada@a.example'),
    await orderOf(2, 'ada@a.example.org'),
    await orderOf(3, 'bob@a.example'),
  ]
  const ofUs = new Set([first.id, second.id, third.id])
  expect((await list({})).filter((id) => ofUs.has(id))).toEqual([third.id, second.id, first.id])
  expect(await list({ limit: 1 })).toEqual((await list({})).slice(0, 1))
  expect(await list({ limit: 1, offset: 1 })).toEqual((await list({})).slice(1, 2))
  expect(await list({ email: 'ada@a.example' })).toEqual([first.id])
  await second.settle()
  expect(await list({ status: 'completed' })).toEqual([second.id])
  await flag(first.id, 4, '1')
  await flag(third.id, 4, '2')
  const { rows } = await db.pool.query<{ id: string }>(
    'select id::text from order_flags where order_id = $1',
    [third.id],
  )
  const resolved = { flagId: rows[0]?.id ?? '', resolution: 'seen', now: at(5) }
  expect([
    await resolveFlag(db.database, resolved),
    await resolveFlag(db.database, resolved),
  ]).toEqual([true, false])
  expect(await list({ onlyFlagged: true })).toEqual([first.id])
  expect(await listOrders(db.database, { onlyFlagged: true, limit: 5 })).toMatchObject([
    { email: 'ada@a.example', flags: ['overpaid'] },
  ])
  // A buyer who is gone leaves the order in the list.
  await db.pool.query('update orders set user_id = null where id = $1', [first.id])
  expect(await listOrders(db.database, { onlyFlagged: true, limit: 5 })).toMatchObject([
    { id: first.id, email: null },
  ])
})

test('open flags are told oldest first, also those of no order', async () => {
  await db.pool.query(
    `update order_flags set resolved_at = now(), resolution = 'seen' where resolved_at is null`,
  )
  for (const minute of [9, 7, 8]) await flag(null, minute, `7${minute}`)
  const flags = await listOpenFlags(db.database, 2)
  expect(flags.map(({ note }) => note)).toEqual(['of minute 7', 'of minute 8'])
})

test('the file of an order has its payments, its history in its order, and both of its entries', async () => {
  const order = await orderOf(20, 'carla@a.example')
  await order.settle({ state: 'waiting', paidAmount: 0 }, at(21))
  await order.settle({}, at(22))
  await refundByOperator(db.database, { orderId: order.id, reason: 'a test', now: at(23) })
  const file = await readOrderFile(db.database, order.id)
  expect(file).toMatchObject({
    order: { id: order.id, email: 'carla@a.example', underpayment: null },
    payments: [{ payment_id: order.paymentId }],
    events: [{ event: 'waiting' }, { event: 'finished' }, { event: 'refunded by operator' }],
    entries: [{ reason: 'purchase' }, { reference: `refund:${order.id}` }],
  })
  expect(await readOrderFile(db.database, 'order_0_nobody')).toBeUndefined()
})
