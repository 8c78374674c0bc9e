import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readAccount } from '../ledger/credits/account.ts'
import { readCreditHistory } from '../ledger/credits/queries.ts'
import { auditBooks } from '../ledger/credits/audit.ts'
import { finishedPayment } from '../testing/finished-payment.ts'
import { makeUser } from '../testing/make-user.ts'
import { openShopper } from '../testing/open-shopper.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { roundsOr } from '../testing/rounds-or.ts'
import { auditOrders } from './audit-orders.ts'
import { creditWorth, refundByOperator } from './settle-by-word.ts'
import { listOrders, readOrderFile } from './operator-queries.ts'
import type { PaymentFacts } from './provider.ts'
import { presentPastOrder } from './present-order.ts'
import { insertOrder, listOwnOrders } from './queries.ts'
import { settlePayment } from './settle-payment.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ worker: false })
})
afterAll(async () => {
  expect((await auditBooks(app.context.database)).findings).toEqual([])
  expect(await auditOrders(app.context.database)).toEqual([])
  await app[Symbol.asyncDispose]()
})

const now = new Date()
const enqueueReceipt = async () => {}
let made = 0

async function makeOrder(credits: number, priceCents: number) {
  const { database } = app.context
  made += 1
  const id = `order_w_${String(made).padStart(6, '0')}`
  const userId = await makeUser(database)
  await insertOrder(database, {
    id,
    user_id: userId,
    package_type: 'basic',
    price_cents: priceCents,
    credits,
    provider: 'nowpayments',
    created_at: now,
  })
  const settle = (more: Partial<PaymentFacts>, at = now) =>
    settlePayment(database, {
      provider: 'nowpayments',
      now: at,
      enqueueReceipt,
      facts: finishedPayment({
        paymentId: `w${id}`,
        orderId: id,
        price: { minorUnits: priceCents, currency: 'usd' },
        updatedAtMs: now.getTime() + (updates += 1),
        ...more,
      }),
    })
  const credit = () =>
    creditWorth(database, { orderId: id, userId, reason: 'a test', now, enqueueReceipt })
  const bought = async () => (await readAccount(database, userId)).boughtTotal
  return { id, userId, settle, credit, bought }
}
let updates = 0

test('an underpaid order is credited with its money’s worth in whole credits, rounded down, once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.integer({ min: 1, max: 899 }),
      fc.integer({ min: 1, max: 4 }),
      async (credits, millis, perMille, tries) => {
        // Exact decimals, as providers report amounts: a share of a thousandth of the amount each.
        const payAmount = Number((millis / 1_000).toFixed(3))
        const paidAmount = Number(((millis * perMille) / 1_000_000).toFixed(6))
        const order = await makeOrder(credits, 1000)
        await order.settle({ state: 'partial', payAmount, paidAmount })
        const outcomes = await Promise.all(Array.from({ length: tries }, order.credit))
        const worth = Math.min(credits - 1, Math.floor((credits * perMille) / 1_000))
        const credited = outcomes.filter(({ outcome }) => outcome === 'credited')
        expect(credited).toEqual(worth === 0 ? [] : [{ outcome: 'credited', credits: worth }])
        expect(await order.bought()).toBe(worth)
      },
    ),
    { numRuns: roundsOr(30) },
  )
})

test('an order tells its buyer what came for it, and when its money went back', async () => {
  const { database } = app.context
  const order = await makeOrder(100, 1000)
  const read = async () => {
    const [row] = await listOwnOrders(database, { userId: order.userId, limit: 1 })
    const { payments, refundedAt } = presentPastOrder(row!, order.userId)
    const told = payments.map((one) => ({ ...one, arrivedAt: new Date(one.arrivedAt) }))
    return { payments: told, isRefunded: refundedAt !== null }
  }
  expect(await read()).toEqual({ payments: [], isRefunded: false })
  const coin = { payAmount: 10, payCurrency: 'usdcmatic' }
  await order.settle({ ...coin, paymentId: 'w1', state: 'waiting', paidAmount: 0 })
  const cameAt = new Date(now.getTime() + 60_000)
  await order.settle({ ...coin, paymentId: 'w1', state: 'partial', paidAmount: 6.5 }, cameAt)
  await order.credit()
  const came = { paymentId: 'w1', amount: '6.5', currency: 'USDC (Polygon)', arrivedAt: cameAt }
  expect(await read()).toEqual({ payments: [came], isRefunded: false })
  const books = await readCreditHistory(database, {
    userId: order.userId,
    after: undefined,
    limit: 1,
  })
  expect(books[0]).toMatchObject({ reason: 'purchase', order: { orderId: order.id, amount: 6.5 } })
  const file = await readOrderFile(database, order.id)
  const partly = expect.objectContaining({ event: 'credited in part', payment_id: 'w1' })
  expect(file?.events, 'its history names the payment').toContainEqual(partly)
  await refundByOperator(database, { orderId: order.id, reason: 'a test', now })
  expect((await read()).isRefunded).toBe(true)
})

test('whichever comes first, the rest of the money or the decision, it is credited once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), async (decidesFirst) => {
      const order = await makeOrder(100, 1000)
      await order.settle({ state: 'partial', payAmount: 10, paidAmount: 6 })
      const rest = () => order.settle({ state: 'finished', payAmount: 10, paidAmount: 10 })
      await Promise.all(decidesFirst ? [order.credit(), rest()] : [rest(), order.credit()])
      const bought = await order.bought()
      expect([60, 100]).toContain(bought)
      const { rows } = await app.context.pool.query<{ kind: string }>(
        'select kind from order_flags where order_id = $1 and resolved_at is null',
        [order.id],
      )
      // Money that came after the decision is an operator's to look at.
      expect(rows.map(({ kind }) => kind)).toEqual(bought === 60 ? ['overpaid'] : [])
    }),
    { numRuns: roundsOr(20) },
  )
})

test('an order that a part was taken of tells its buyer and operators what came, not its price', async () => {
  const { database } = app.context
  const order = await makeOrder(100, 1000)
  await order.settle({ state: 'partial', payAmount: 10, paidAmount: 6.25 })
  const read = async () => {
    const [own] = await listOwnOrders(database, { userId: order.userId, limit: 1 })
    const listed = await listOrders(database, { onlyFlagged: false, limit: 1_000 })
    const file = await readOrderFile(database, order.id)
    const { amount, receivedAmount, credits } = presentPastOrder(own!, order.userId)
    const ofOperator = [listed.find(({ id }) => id === order.id), file?.order]
    return { amount, receivedAmount, credits, cents: ofOperator.map((row) => row?.received_cents) }
  }
  const asked = { amount: 10, receivedAmount: null, credits: 100, cents: [null, null] }
  expect(await read()).toEqual(asked)
  await order.credit()
  const came = { amount: 10, receivedAmount: 6.25, credits: 62, cents: [625, 625] }
  expect(await read()).toEqual(came)
  await order.settle({ state: 'refunded', payAmount: 10, paidAmount: 6.25 })
  expect(await read(), 'also once it went back').toEqual(came)
})

test('an order that several payments paid in full came to its price', async () => {
  const order = await makeOrder(100, 1000)
  await order.settle({ paymentId: 'p1', state: 'partial', payAmount: 10, paidAmount: 6 })
  await order.settle({ paymentId: 'p2', state: 'partial', payAmount: 10, paidAmount: 4 })
  await order.credit()
  const [own] = await listOwnOrders(app.context.database, { userId: order.userId, limit: 1 })
  expect(own).toMatchObject({ status: 'completed', received_cents: null })
})

test('a refund takes back what was granted, not what was ordered', async () => {
  const order = await makeOrder(100, 1000)
  await order.settle({ state: 'partial', payAmount: 10, paidAmount: 6 })
  await order.credit()
  const refund = { orderId: order.id, reason: 'a test', now }
  expect(await refundByOperator(app.context.database, refund)).toMatchObject({
    credits: 60,
    owed: 0,
  })
})

test('nothing is credited for money of another price, or for an order that is none', async () => {
  const { database } = app.context
  const order = await makeOrder(100, 1000)
  await order.settle({
    state: 'partial',
    payAmount: 1,
    paidAmount: 0.9,
    price: { minorUnits: 100, currency: 'usd' },
  })
  expect(await order.credit()).toMatchObject({ outcome: 'refused' })
  const options = { reason: 'a test', now, enqueueReceipt, userId: undefined }
  expect(await creditWorth(database, { ...options, orderId: 'order_1_nobody' })).toMatchObject({
    outcome: 'refused',
  })
  const stranger = await makeUser(database)
  const own = await makeOrder(100, 1000)
  await own.settle({ state: 'partial', payAmount: 10, paidAmount: 6 })
  expect(
    await creditWorth(database, { ...options, userId: stranger, orderId: own.id }),
  ).toMatchObject({ outcome: 'refused' })
  expect([await order.bought(), await own.bought()]).toEqual([0, 0])
})

test('the database refuses more than the order, a second crediting, and a change of it', async () => {
  const order = await makeOrder(100, 1000)
  await order.settle({ state: 'partial', payAmount: 10, paidAmount: 6 })
  const set = (what: string) =>
    app.context.pool.query(`update orders set ${what} where id = $1`, [order.id])
  for (const granted of [0, 50, 101]) {
    await expect(set(`credits_granted = ${granted}`)).rejects.toMatchObject({
      constraint: 'orders_granted_within_order',
    })
  }
  await order.credit()
  await expect(set('credits_granted = 70')).rejects.toMatchObject({
    constraint: 'orders_credited_once',
  })
})

test('the buyer is told what it is worth and takes it; others can’t, and nobody twice', async () => {
  const purchase = await openShopper(app).order('basic')
  await purchase.act('underpay', { share: 0.257 })
  expect((await purchase.status()).underpaid?.worthCredits).toBe(25)
  const take = (token: string) =>
    app.call('/api/orders/credit-worth', { token, json: { orderId: purchase.orderId } })
  const { token: stranger } = await app.register()
  expect((await take(stranger)).body.code).toBe('order_unknown')
  const taken = await take(purchase.token)
  expect(taken.body.data).toMatchObject({
    status: 'completed',
    credits: 25,
    receivedAmount: 2.57,
    underpaid: null,
  })
  expect(await purchase.status()).toMatchObject({ credits: 25, receivedAmount: 2.57 })
  expect((await take(purchase.token)).body.code).toBe('order_not_underpaid')
  expect(await purchase.credits()).toEqual({ balance: 26, bought: 25 })
  await purchase.act('pay-rest')
  expect(await purchase.credits()).toEqual({ balance: 26, bought: 25 })
})
