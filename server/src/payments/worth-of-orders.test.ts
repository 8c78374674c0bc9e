import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeOrder } from '../testing/make-order.ts'
import type { TestOrder } from '../testing/make-order.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { creditWorth, settleByOperator } from './settle-by-word.ts'
import type { PaymentFacts, PaymentState } from './provider.ts'
import { findOwnOrder } from './queries.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(4)
})
afterAll(() => db[Symbol.asyncDispose]())

const now = new Date('2026-11-20T12:00:00Z')
const credit = ({ id }: Pick<TestOrder, 'id'>, userId?: string) =>
  creditWorth(db.database, {
    orderId: id,
    userId,
    reason: 'a test',
    now,
    enqueueReceipt: async () => {},
  })
const partial = (percent: number) =>
  ({ state: 'partial', payAmount: 100, paidAmount: percent }) as const

/** An order with payments of its own, each of which has brought a part of the price. */
async function orderWith(...payments: Partial<PaymentFacts>[]) {
  const order = await makeOrder(db.database, { now })
  const settle = (index: number, facts: Partial<PaymentFacts>) =>
    order.settle({ paymentId: `${order.paymentId}${index}`, ...facts }, now)
  for (const [index, facts] of payments.entries()) await settle(index, facts)
  const shown = async () =>
    (await findOwnOrder(db.database, { user_id: order.userId, id: order.id }))?.underpayment ?? null
  return { ...order, settle, shown, worth: async () => (await shown())?.worthCredits ?? 0 }
}

const bought = async ({ userId }: Pick<TestOrder, 'userId'>) =>
  (
    await db.pool.query<{ bought: number }>(
      'select bought_total as bought from credit_accounts where user_id = $1',
      [userId],
    )
  ).rows[0]?.bought

async function creditingPayment({ id }: Pick<TestOrder, 'id'>) {
  const rows = await db.database
    .selectFrom('payments')
    .select('payment_id')
    .where('order_id', '=', id)
    .where('credited', '=', true)
    .execute()
  return rows.map(({ payment_id }) => payment_id)
}

async function flagsOf({ id, paymentId }: Pick<TestOrder, 'id' | 'paymentId'>) {
  const rows = await db.database
    .selectFrom('order_flags')
    .select(['payment_id', 'kind', 'resolution'])
    .where('order_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map((row) => [row.payment_id?.slice(paymentId.length), row.kind, row.resolution])
}

describe('the worth of an underpaid order', () => {
  test('is of payments that have an amount alone', async () => {
    const order = await orderWith({ ...partial(0), payAmount: 0 }, partial(40))
    expect(await order.worth()).toBe(40)
  })

  test('is its own, and once credited it is not late', async () => {
    const [one, other] = [await orderWith(partial(40)), await orderWith(partial(70))]
    expect(await other.worth()).toBe(70)
    expect(await credit(one)).toEqual({ outcome: 'credited', credits: 40 })
    expect(await one.read()).toMatchObject({ credits_granted: 40, paid_late: false })
    expect(await one.shown()).toBeNull()
    expect(await other.read()).toMatchObject({ credited_at: null })
  })

  test('is that of all its payments, in whichever order they came', async () => {
    const orders = [
      await orderWith(partial(89), partial(1)),
      await orderWith(partial(1), partial(89)),
    ]
    for (const [index, order] of orders.entries()) {
      expect(await order.shown()).toMatchObject({
        worthCredits: 90,
        missing: { amount: '11', currency: 'btc' },
      })
      expect(await credit(order, order.userId)).toEqual({ outcome: 'credited', credits: 90 })
      expect(await creditingPayment(order)).toEqual([`${order.paymentId}${index}`])
    }
  })

  test('has no part of a payment whose money went back, or never came for good', async () => {
    const ends: Partial<PaymentFacts>[] = [
      ...(['refunded', 'failed', 'expired', 'disputed', 'unknown'] as const).map((state) => ({
        state,
        paidAmount: 89,
      })),
      ...(['waiting', 'processing', 'expired'] as const).map((state) => ({ state, paidAmount: 0 })),
      { state: 'processing', paidAmount: 89 },
      { state: 'partial', paidAmount: 89, settledAmount: 0 },
      { state: 'partial', paidAmount: 0 },
      { state: 'partial', paidAmount: null },
      { state: 'partial', paidAmount: 89, price: { minorUnits: 999, currency: 'usd' } },
      { state: 'partial', paidAmount: 89, parentPaymentId: '7' },
    ]
    for (const end of ends) {
      for (const goesFirst of [true, false]) {
        const payments = goesFirst ? [partial(89), partial(1)] : [partial(1), partial(89)]
        const order = await orderWith(...payments)
        await order.settle(goesFirst ? 0 : 1, { payAmount: 100, ...end })
        expect([end, await order.worth()]).toEqual([end, 1])
        expect(await credit(order)).toEqual({ outcome: 'credited', credits: 1 })
        expect(await creditingPayment(order)).toEqual([`${order.paymentId}${goesFirst ? 1 : 0}`])
      }
    }
  })

  test('is nothing once every payment went back, in any order', async () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 2],
    ]) {
      const three = await orderWith(partial(20), partial(30), partial(40))
      for (const [done, index] of order.entries()) {
        await three.settle(index, { ...partial(0), state: 'refunded' })
        const left = [20, 30, 40].filter(
          (_percent, other) => !order.slice(0, done + 1).includes(other),
        )
        expect(await three.worth()).toBe(left.reduce((sum, percent) => sum + percent, 0))
      }
      expect(await credit(three)).toMatchObject({ outcome: 'refused' })
      expect(await three.read()).toMatchObject({ status: 'failed' })
    }
  })

  test('is only what is confirmed, and what is shown as missing is what has not come', async () => {
    const order = await orderWith({ ...partial(90), settledAmount: 30 })
    expect(await order.shown()).toMatchObject({ worthCredits: 30, missing: { amount: '10' } })
    await order.settle(0, { ...partial(90), settledAmount: 0 })
    expect(await order.shown()).toMatchObject({ worthCredits: 0, paymentIds: [] })
    expect(await credit(order)).toMatchObject({ outcome: 'refused' })
    expect(await bought(order)).toBe(0)
  })

  test('is all of its credits where several payments add up to its price', async () => {
    const order = await orderWith(partial(60), partial(55))
    expect(await credit(order)).toEqual({ outcome: 'credited', credits: 100 })
    expect(await order.read()).toMatchObject({ status: 'completed', credits_granted: 100 })
    for (const index of [0, 1]) await order.settle(index, partial(index === 0 ? 60 : 55))
    expect(await order.openFlags()).toEqual(['overpaid', 'second_payment'])
    await order.settle(1, { ...partial(0), state: 'refunded' })
    expect(await order.openFlags()).toEqual(['overpaid', 'refunded_after_credit', 'second_payment'])
  })

  test('is refused to others, and without a buyer', async () => {
    const [one, other] = [await orderWith(partial(40)), await orderWith(partial(40))]
    const refused = (start: string) => ({
      outcome: 'refused',
      reason: expect.stringMatching(`^${start}`),
    })
    expect(await credit(one, other.userId)).toEqual(refused('There is no such order'))
    await db.pool.query('update orders set user_id = null where id = $1', [one.id])
    expect(await credit(one)).toEqual(refused('This order has no part'))
    expect(await creditingPayment(one)).toEqual([])
  })

  test('is credited once, whoever asks at the same moment', async () => {
    const order = await orderWith(partial(40), partial(30))
    const outcomes = await Promise.all([
      credit(order, order.userId),
      credit(order),
      credit(order, order.userId),
      order.settle(0, { ...partial(0), state: 'refunded' }),
    ])
    const credited = outcomes.filter((one) => typeof one === 'object' && one.outcome === 'credited')
    expect(credited).toHaveLength(1)
    expect([30, 70]).toContain(await bought(order))
    const { reversed_at: reversedAt, credits_granted: granted } = await order.read()
    // What was returned after the crediting took the credits along.
    expect([granted, reversedAt !== null]).toEqual(granted === 70 ? [70, true] : [30, false])
  })

  test('is refused by the database where the payments don’t bring it', async () => {
    const order = await orderWith(partial(40), partial(30))
    await order.settle(1, { ...partial(30), settledAmount: 20 })
    const grant = (credits: number) =>
      db.pool.query(
        `update orders set status = 'completed', credited_at = now(), credits_granted = $2
         where id = $1`,
        [order.id, credits],
      )
    await expect(grant(61)).rejects.toMatchObject({ constraint: 'orders_granted_within_payments' })
    await grant(60)
    const unpaid = await makeOrder(db.database)
    await expect(
      db.pool.query(
        `update orders set status = 'completed', credited_at = now(), credits_granted = 1
         where id = $1`,
        [unpaid.id],
      ),
    ).rejects.toMatchObject({ constraint: 'orders_granted_within_payments' })
  })
})

describe('the flags of an order that was credited in part', () => {
  test('say what was credited, of the payments that brought it alone', async () => {
    const order = await orderWith(partial(40), partial(30), { ...partial(9), state: 'failed' })
    await order.settle(1, { ...partial(0), state: 'refunded' })
    await credit(order)
    expect(await flagsOf(order)).toEqual([
      ['0', 'underpaid', '40 of 100 credits were granted for what came.'],
      ['1', 'underpaid', null],
      ['2', 'failed_with_money', null],
    ])
  })

  test('never say that it was paid in full on an operator’s word', async () => {
    const order = await orderWith(partial(40))
    await settleByOperator(db.database, {
      orderId: order.id,
      reason: 'cash',
      now,
      enqueueReceipt: async () => {},
    })
    expect(await flagsOf(order)).toEqual([['0', 'underpaid', 'An operator credited the order.']])
  })

  test('say that it was paid in full where it was', async () => {
    const order = await orderWith(partial(40), partial(20))
    await order.settle(0, {})
    expect(await flagsOf(order)).toEqual([
      ['0', 'underpaid', 'The order was paid in full.'],
      ['1', 'underpaid', null],
    ])
  })
})

test.each<[PaymentState, boolean, string[]]>([
  ['waiting', false, []],
  ['processing', false, []],
  ['failed', false, ['failed_after_credit']],
  ['expired', false, ['failed_after_credit']],
  ['disputed', false, ['disputed']],
  ['refunded', true, ['refunded_after_credit']],
])(
  'an order that was credited in part whose payment is then %s',
  async (state, isReversed, kinds) => {
    const order = await orderWith(partial(50))
    await credit(order)
    await order.settle(0, { ...partial(0), state })
    expect([(await order.read()).reversed_at !== null, await order.openFlags()]).toEqual([
      isReversed,
      kinds,
    ])
  },
)

test('money that comes after an order was credited in part grants nothing and is told', async () => {
  const order = await orderWith(partial(50))
  await credit(order)
  await order.settle(1, {})
  await order.settle(2, partial(20))
  expect([await bought(order), await order.openFlags()]).toEqual([
    50,
    ['second_payment', 'second_payment'],
  ])
  await order.settle(0, { ...partial(0), state: 'refunded' })
  expect(await order.openFlags()).toEqual([
    'refunded_after_credit',
    'second_payment',
    'second_payment',
  ])
})
