import { afterAll, beforeAll, expect, test } from 'vitest'
import { correctBalance } from '../ledger/credits/correct.ts'
import { grantCredits } from '../ledger/credits/grant.ts'
import { finishedPayment } from '../testing/finished-payment.ts'
import { makeOrder } from '../testing/make-order.ts'
import type { TestOrder } from '../testing/make-order.ts'
import { makeUser } from '../testing/make-user.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { auditAtProvider, auditOrders } from './audit-orders.ts'
import { creditWorth, refundByOperator } from './settle-by-word.ts'
import { PaymentProviderError } from './provider.ts'
import type { PaymentFacts, PaymentProvider } from './provider.ts'

const now = new Date('2026-11-20T12:00:00Z')
type TestDatabase = Awaited<ReturnType<typeof openTestDatabase>>

/** For what is asked of providers; what the books are asked for needs a database of its own. */
let shared: TestDatabase
let moments = 0
beforeAll(async () => {
  shared = await openTestDatabase(4)
})
afterAll(() => shared[Symbol.asyncDispose]())

/** Credits an order in the books alone, or in its own row alone. */
const buyInBooks = (db: TestDatabase, userId: string, reference: string, amount = 100) =>
  grantCredits(db.database, {
    userId,
    amount,
    reason: 'purchase',
    description: 'bought',
    reference,
    now,
  })
const creditInOrder = (db: TestDatabase, orderId: string) =>
  db.pool.query(`update orders set status = 'completed', credited_at = now() where id = $1`, [
    orderId,
  ])

async function creditInPart(db: TestDatabase): Promise<TestOrder> {
  const order = await makeOrder(db.database, { now })
  await order.settle({ state: 'partial', payAmount: 10, paidAmount: 4 })
  const outcome = await creditWorth(db.database, {
    orderId: order.id,
    userId: undefined,
    reason: 'a test',
    now,
    enqueueReceipt: async () => {},
  })
  expect(outcome).toEqual({ outcome: 'credited', credits: 40 })
  return order
}

const refund = (db: TestDatabase, orderId: string) =>
  refundByOperator(db.database, { orderId, reason: 'a test', now })

test('orders that are credited, in part or in full, refunded or open agree with the books', async () => {
  await using db = await openTestDatabase(2)
  await makeOrder(db.database)
  await (await makeOrder(db.database)).settle()
  await creditInPart(db)
  for (const order of [await makeOrder(db.database), await creditInPart(db)]) {
    await order.settle()
    await refund(db, order.id)
  }
  const gone = await makeOrder(db.database)
  await gone.settle()
  await db.pool.query('update orders set user_id = null where id = $1', [gone.id])
  await refund(db, gone.id)
  expect(await auditOrders(db.database)).toEqual([])
})

test('each order that doesn’t agree with the books is found', async () => {
  await using db = await openTestDatabase(2)
  const [unbooked, ofOther, tooFew, unmarked] = [
    await makeOrder(db.database),
    await makeOrder(db.database),
    await makeOrder(db.database),
    await makeOrder(db.database),
  ]
  for (const order of [unbooked, ofOther, tooFew]) await creditInOrder(db, order.id)
  await buyInBooks(db, await makeUser(db.database), `order:${ofOther.id}`)
  await buyInBooks(db, tooFew.userId, `order:${tooFew.id}`, 99)
  await buyInBooks(db, unmarked.userId, `order:${unmarked.id}`)
  await buyInBooks(db, unmarked.userId, 'order:nobody')
  const lacks = (id: string) => `Order ${id} is credited, but the books have no such purchase.`
  const stray = (reference: string) => `The purchase ${reference} has no credited order.`
  expect((await auditOrders(db.database)).toSorted()).toEqual(
    [
      ...[unbooked, ofOther, tooFew].map(({ id }) => lacks(id)),
      ...[`order:${unmarked.id}`, 'order:nobody'].map(stray),
    ].toSorted(),
  )
})

test('each refund that doesn’t agree with its order is found', async () => {
  await using db = await openTestDatabase(2)
  const [unbooked, told, unmarked] = [
    await makeOrder(db.database),
    await makeOrder(db.database),
    await makeOrder(db.database),
  ]
  for (const order of [unbooked, told, unmarked]) await order.settle()
  const reverse = (id: string) =>
    db.pool.query('update orders set reversed_at = now() where id = $1', [id])
  for (const { id } of [unbooked, told]) await reverse(id)
  await db.pool.query(
    `insert into order_flags (provider, order_id, kind, note, created_at)
     values ('nowpayments', $1, 'refund_not_covered', 'as before credits were owed', now()),
       ('nowpayments', $2, 'overpaid', 'is no such flag', now())`,
    [told.id, unbooked.id],
  )
  await correctBalance(db.database, {
    userId: unmarked.userId,
    amount: -100,
    description: 'refunded by hand',
    reference: `refund:${unmarked.id}`,
    now,
  })
  expect((await auditOrders(db.database)).toSorted()).toEqual(
    [
      `Order ${unbooked.id} is reversed, but the books have no such refund.`,
      `The entry refund:${unmarked.id} has no reversed order.`,
    ].toSorted(),
  )
})

test('an order that two payments have credited is found', async () => {
  await using db = await openTestDatabase(2)
  const order = await makeOrder(db.database)
  await order.settle()
  await order.settle({ paymentId: '77' })
  // As in a database that was restored without its constraints.
  await db.pool.query('drop index payments_credit_an_order_once')
  await db.pool.query('update payments set credited = true where order_id = $1', [order.id])
  expect(await auditOrders(db.database)).toEqual([`Order ${order.id} was credited by 2 payments.`])
})

/** What the provider tells of the order's payment when it is asked once more. */
async function askProvider(order: TestOrder, told: Partial<PaymentFacts> | Error | undefined) {
  const provider = {
    async fetchPayment() {
      if (told instanceof Error) throw told
      return told && finishedPayment({ paymentId: order.paymentId, orderId: order.id, ...told })
    },
  } as Partial<PaymentProvider> as PaymentProvider
  const { findings } = await auditAtProvider(shared.database, {
    findProvider: (name) => (name === 'nowpayments' ? provider : undefined),
    since: now,
    signal: new AbortController().signal,
  })
  return findings.filter((finding) => finding.startsWith(`Payment ${order.paymentId} `))
}

test('what the provider says of a credited payment has to be what was credited', async () => {
  const order = await makeOrder(shared.database, { now })
  await order.settle()
  const wrong = `Payment ${order.paymentId} credited ${order.id}; the provider says`
  expect(await askProvider(order, {})).toEqual([])
  for (const told of [
    { orderId: 'another' },
    { price: { minorUnits: 999, currency: 'usd' } },
    { price: { minorUnits: 1000, currency: 'eur' } },
    { price: null },
    { state: 'partial' },
    { state: 'refunded' },
    { state: 'failed' },
  ] as const) {
    expect(await askProvider(order, told)).toHaveLength(1)
  }
  expect(await askProvider(order, { state: 'failed', providerStatus: 'gone' })).toEqual([
    `${wrong} gone for ${order.id}.`,
  ])
  expect(await askProvider(order, undefined)).toEqual([`${wrong} nothing.`])
  const refused = new PaymentProviderError('down')
  expect(await askProvider(order, refused)).toEqual([`${wrong} nothing.`])
  await expect(askProvider(order, new TypeError('a bug'))).rejects.toThrow('a bug')
})

test('a payment that credited in part may stay so, and one that was refunded too', async () => {
  const part = await creditInPart(shared)
  expect(await askProvider(part, { state: 'partial' })).toEqual([])
  expect(await askProvider(part, { state: 'failed' })).toHaveLength(1)
  const reversed = await makeOrder(shared.database, { now })
  await reversed.settle()
  await refund(shared, reversed.id)
  expect(await askProvider(reversed, { state: 'refunded' })).toEqual([])
  expect(await askProvider(reversed, { state: 'failed' })).toHaveLength(1)
})

test('only payments that credited since then are asked for', async () => {
  moments += 1
  const since = new Date(Date.parse('2099-01-01') + moments * 1_000)
  const justBefore = new Date(since.getTime() - 1)
  const early = await makeOrder(shared.database, { now: justBefore })
  const late = await makeOrder(shared.database, { now: justBefore })
  const settled = await makeOrder(shared.database, { now: since })
  const open = await makeOrder(shared.database, { now: since })
  await Promise.all([
    early.settle(),
    late.settle({}, since),
    settled.settle(),
    settled.settle({ paymentId: `9${moments}` }),
  ])
  await open.settle({ state: 'waiting', paidAmount: 0 })
  const audited = await auditAtProvider(shared.database, {
    findProvider: () => undefined,
    since,
    signal: new AbortController().signal,
  })
  expect(audited.checked).toBe(2)
  expect(audited.findings.toSorted()).toEqual([
    expect.stringContaining(late.id),
    expect.stringContaining(settled.id),
  ])
})

test('test money that is forgotten is no finding, and what is said otherwise of it is one', async () => {
  moments += 1
  const since = new Date(Date.parse('2099-06-01') + moments * 1_000)
  const order = await makeOrder(shared.database, { now: since, provider: 'sandbox' })
  await order.settle()
  const audit = async (told: Partial<PaymentFacts> | undefined) => {
    const provider = {
      fetchPayment: async () =>
        told && finishedPayment({ paymentId: order.paymentId, orderId: order.id, ...told }),
    } as Partial<PaymentProvider> as PaymentProvider
    const { findings } = await auditAtProvider(shared.database, {
      findProvider: () => provider,
      since,
      signal: new AbortController().signal,
    })
    return findings.length
  }
  expect([await audit(undefined), await audit({}), await audit({ state: 'failed' })]).toEqual([
    0, 0, 1,
  ])
})
