import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeOrder } from '../testing/make-order.ts'
import type { TestOrder } from '../testing/make-order.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { creditWorth, worthOf } from './credit-worth.ts'
import type { OrderRow } from './queries.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(4)
})
afterAll(() => db[Symbol.asyncDispose]())

const now = new Date('2026-11-20T12:00:00Z')
const credit = ({ id }: TestOrder, userId?: string) =>
  creditWorth(db.database, {
    orderId: id,
    userId,
    reason: 'a test',
    now,
    enqueueReceipt: async () => {},
  })
const underpaid = { state: 'partial', payAmount: 10, paidAmount: 4 } as const
async function creditingPayment({ id }: TestOrder) {
  const rows = await db.database
    .selectFrom('payments')
    .select('payment_id')
    .where('order_id', '=', id)
    .where('credited', '=', true)
    .execute()
  return rows.map(({ payment_id }) => payment_id)
}

test.each<[Partial<OrderRow>, number]>([
  [{}, 40],
  [{ worth_credits: null }, 0],
  [{ status: 'pending' }, 0],
  [{ status: 'completed' }, 0],
  [{ credited_at: now }, 0],
  [{ missing_amount: null }, 0],
])('an underpaid order with %j is worth %i credits', (more, worth) => {
  const order = { status: 'processing', credited_at: null, missing_amount: '6', worth_credits: 40 }
  expect(worthOf({ ...order, ...more } as OrderRow)).toBe(worth)
})

describe('the worth of an underpaid order', () => {
  test('is its own, and once credited it is not late', async () => {
    const [one, other] = [await makeOrder(db.database), await makeOrder(db.database)]
    await other.settle({ ...underpaid, paidAmount: 7 })
    await one.settle(underpaid)
    expect(await other.read()).toMatchObject({ worth_credits: 70 })
    expect(await credit(one)).toEqual({ outcome: 'credited', credits: 40 })
    expect(await one.read()).toMatchObject({ credits_granted: 40, paid_late: false })
    expect(await other.read()).toMatchObject({ credited_at: null })
  })

  test('is credited by the first deposit that brought the most', async () => {
    const order = await makeOrder(db.database)
    const deposits = [
      { ...underpaid, paymentId: `${order.paymentId}1`, paidAmount: 3 },
      { ...underpaid, paymentId: `${order.paymentId}2` },
      { ...underpaid, paymentId: `${order.paymentId}3`, paidAmount: 6, parentPaymentId: '1' },
      { ...underpaid, paymentId: `${order.paymentId}4`, paidAmount: 5, state: 'failed' },
    ] as const
    for (const deposit of deposits) await order.settle(deposit)
    await order.settle(underpaid)
    await db.pool.query(
      `update payments set paid_amount = 2 where order_id = $1 and payment_id = $2`,
      [order.id, order.paymentId],
    )
    expect(await credit(order)).toMatchObject({ outcome: 'credited' })
    expect(await creditingPayment(order)).toEqual([`${order.paymentId}2`])
  })

  test('is refused to others, without a buyer, and while its payment has no money', async () => {
    const [one, changing] = [await makeOrder(db.database), await makeOrder(db.database)]
    for (const order of [one, changing]) await order.settle(underpaid)
    const refused = (start: string) => ({
      outcome: 'refused',
      reason: expect.stringMatching(`^${start}`),
    })
    expect(await credit(one, changing.userId)).toEqual(refused('There is no such order'))
    await db.pool.query('update payments set paid_amount = 0 where order_id = $1', [changing.id])
    expect(await credit(changing)).toEqual(refused('The payment changes just now'))
    await db.pool.query('update orders set user_id = null where id = $1', [one.id])
    expect(await credit(one)).toEqual(refused('This order has no part'))
    expect(await creditingPayment(one)).toEqual([])
  })
})
