import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditBooks } from '../credits/audit.ts'
import { readAccount } from '../credits/account.ts'
import { finishedPayment } from '../testing/finished-payment.ts'
import { makeUser } from '../testing/make-user.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { auditOrders } from './audit-orders.ts'
import type { PaymentFacts } from './provider.ts'
import { insertOrder } from './queries.ts'
import { settlePayment } from './settle-payment.ts'

const now = new Date('2026-11-20T12:05:00Z')

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(4)
})
afterAll(async () => {
  expect((await auditBooks(db.database)).findings).toEqual([])
  expect(await auditOrders(db.database)).toEqual([])
  await db[Symbol.asyncDispose]()
})

let made = 0
async function order(provider: 'nowpayments' | 'btcpay' = 'nowpayments') {
  made += 1
  const id = `order_b_${String(made).padStart(6, '0')}`
  const userId = await makeUser(db.database)
  await insertOrder(db.database, {
    id,
    userId,
    idempotencyKey: undefined,
    packageType: 'basic',
    priceCents: 1000,
    credits: 100,
    provider,
    now: new Date('2026-11-20T12:00:00Z'),
  })
  return { id, userId }
}

const payment = (orderId: string | null, more: Partial<PaymentFacts> = {}) =>
  finishedPayment({ paymentId: String(1000 + made), orderId, ...more })

const settle = (facts: PaymentFacts, provider: 'nowpayments' | 'btcpay' = 'nowpayments') =>
  settlePayment(db.database, { provider, facts, now, enqueueReceipt: async () => {} })
const balance = async (userId: string) => (await readAccount(db.database, userId)).balance
const read = (id: string) =>
  db.database.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const orderOf = async (paymentId: string) =>
  (
    await db.database
      .selectFrom('payments')
      .select('order_id')
      .where('payment_id', '=', paymentId)
      .executeTakeFirstOrThrow()
  ).order_id
async function flags(paymentId: string) {
  const rows = await db.database
    .selectFrom('order_flags')
    .select('kind')
    .where('payment_id', '=', paymentId)
    .orderBy('kind')
    .execute()
  return rows.map(({ kind }) => kind)
}

describe('a payment belongs to one order for good', () => {
  test('it credits no second one that the provider names later, and is flagged', async () => {
    const first = await order()
    const second = await order()
    const facts = payment(first.id)
    expect(await settle(facts)).toBe('credited')
    expect(await settle({ ...facts, orderId: second.id })).toBe('noted')
    expect([await balance(first.userId), await balance(second.userId)]).toEqual([100, 0])
    expect(await read(second.id)).toMatchObject({ status: 'initiated', credited_at: null })
    expect(await orderOf(facts.paymentId)).toBe(first.id)
    expect(await flags(facts.paymentId)).toEqual(['order_mismatch'])
  })

  test('also when it had credited nothing yet', async () => {
    const first = await order()
    const second = await order()
    const facts = payment(first.id, { state: 'waiting', paidAmount: 0 })
    await settle(facts)
    expect(await settle(payment(second.id, { paymentId: facts.paymentId }))).toBe('noted')
    expect([await balance(first.userId), await balance(second.userId)]).toEqual([0, 0])
    expect(await orderOf(facts.paymentId)).toBe(first.id)
    // Named rightly again, it counts.
    expect(await settle(payment(first.id, { paymentId: facts.paymentId }))).toBe('credited')
  })

  test('one that named none at first is given to the first that it names', async () => {
    const { id, userId } = await order()
    const facts = payment(null)
    expect(await settle(facts)).toBe('unknown_order')
    expect(await flags(facts.paymentId)).toEqual(['unknown_order'])
    expect(await settle({ ...facts, orderId: id })).toBe('credited')
    expect(await balance(userId)).toBe(100)
  })

  test('an order of another provider is none of this one', async () => {
    const { id, userId } = await order('btcpay')
    expect(await settle(payment(id), 'nowpayments')).toBe('unknown_order')
    expect(await balance(userId)).toBe(0)
    expect(await read(id)).toMatchObject({ status: 'initiated' })
  })

  test('money for nobody is reported once; a payment without money isn’t', async () => {
    const facts = payment('order_zzz_zzzzzz', { paymentId: '77001' })
    await settle(facts)
    await settle(facts)
    expect(await flags('77001')).toEqual(['unknown_order'])
    await settle(payment('order_zzz_zzzzzz', { paymentId: '77002', state: 'waiting' }))
    await settle(payment('order_zzz_zzzzzz', { paymentId: '77003', state: 'failed' }))
    expect([...(await flags('77002')), ...(await flags('77003'))]).toEqual([])
  })
})

describe('a reading', () => {
  const at = (minute: number) => Date.parse('2026-11-20T12:00:00Z') + minute * 60_000

  test('that is older than what is known changes nothing', async () => {
    const { id } = await order()
    await settle(payment(id, { state: 'processing', updatedAtMs: at(2) }))
    const old = payment(id, { state: 'failed', paidAmount: 0, updatedAtMs: at(1) })
    expect(await settle(old)).toBe('stale')
    expect(await read(id)).toMatchObject({ status: 'processing' })
  })

  test('of the same moment counts: the provider’s clock has whole seconds', async () => {
    const { id, userId } = await order()
    await settle(payment(id, { state: 'processing', updatedAtMs: at(2) }))
    expect(await settle(payment(id, { updatedAtMs: at(2) }))).toBe('credited')
    expect(await balance(userId)).toBe(100)
  })

  test('without a time counts, also after one that had a time', async () => {
    const { id, userId } = await order()
    await settle(payment(id, { state: 'processing', updatedAtMs: at(2) }))
    expect(await settle(payment(id))).toBe('credited')
    expect(await balance(userId)).toBe(100)
  })

  test('from a clock far ahead doesn’t shut out those that follow', async () => {
    const { id, userId } = await order()
    await settle(payment(id, { state: 'waiting', updatedAtMs: Date.parse('2099-01-01') }))
    expect(await settle(payment(id, { updatedAtMs: at(2) }))).toBe('credited')
    expect(await balance(userId)).toBe(100)
  })

  test('read ten times at once credits once', async () => {
    const { id, userId } = await order()
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => settle(payment(id))))
    expect(outcomes.filter((outcome) => outcome === 'credited')).toHaveLength(1)
    expect(await balance(userId)).toBe(100)
  })
})
