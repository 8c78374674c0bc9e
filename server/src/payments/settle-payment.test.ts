import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditBooks } from '../ledger/credits/audit.ts'
import { readAccount } from '../ledger/credits/account.ts'
import { finishedPayment } from '../testing/finished-payment.ts'
import { makeOrder } from '../testing/make-order.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { auditOrders } from './audit-orders.ts'
import type { PaymentFacts } from './provider.ts'
import { findOwnOrder } from './queries.ts'
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
  return makeOrder(db.database, { provider, now: new Date('2026-11-20T12:00:00Z') })
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

describe('a refund that names no order of ours', () => {
  test.each([null, '', 'order_zzz_zzzzzz', 'nonsense'])(
    'takes back the credits of the order that its payment credited: %j',
    async (orderId) => {
      const { id, userId } = await order()
      await settle(payment(id))
      expect(await settle(payment(orderId, { state: 'refunded' }))).toBe('reversed')
      expect(await balance(userId)).toBe(0)
      expect(await flags(String(1000 + made))).toEqual(['refunded_after_credit'])
    },
  )

  test('is flagged where it tells another price, or none', async () => {
    for (const price of [null, { minorUnits: 0, currency: 'usd' }]) {
      const { id, userId } = await order()
      await settle(payment(id))
      await settle(payment(null, { state: 'refunded', price }))
      expect(await balance(userId)).toBe(100)
      expect(await flags(String(1000 + made))).toEqual(['price_mismatch'])
    }
  })

  test('is none of this provider’s where another one has a payment of the same id', async () => {
    const { id, userId } = await order()
    await settle(payment(id))
    expect(await settle(payment(null, { state: 'refunded' }), 'btcpay')).toBe('unknown_order')
    expect(await balance(userId)).toBe(100)
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

describe('an order under way', () => {
  const underpaid = async (orderId: string, userId: string) =>
    (await findOwnOrder(db.database, { id: orderId, user_id: userId }))?.underpayment ?? null

  test('is told what is missing, what it is worth, and that nothing is any more', async () => {
    const { id, userId } = await order()
    await settle(
      payment(id, { state: 'partial', payAmount: 10, paidAmount: 4, payCurrency: 'ltc' }),
    )
    expect(await read(id)).toMatchObject({
      status: 'processing',
      paid_late: false,
      updated_at: now,
    })
    expect(await underpaid(id, userId)).toMatchObject({
      missing: { amount: '6', currency: 'ltc' },
      worthCredits: 40,
    })
    await settle(payment(id, { state: 'processing', payAmount: 10, paidAmount: 10 }))
    expect(await underpaid(id, userId)).toBeNull()
  })

  test('is told what is missing without the noise of binary fractions', async () => {
    const { id, userId } = await order()
    await settle(payment(id, { state: 'partial', payAmount: 0.3, paidAmount: 0.1 }))
    expect((await underpaid(id, userId))?.missing?.amount).toBe('0.2')
    await settle(payment(id, { state: 'partial', payAmount: 130, paidAmount: 10 }))
    expect((await underpaid(id, userId))?.missing?.amount).toBe('120')
  })

  test.each([
    { payAmount: null, paidAmount: 4 },
    { payAmount: 10, paidAmount: null },
    { payAmount: 10, paidAmount: 10 },
    { payCurrency: null, payAmount: 10, paidAmount: 4 },
  ])('isn’t told what is missing where that isn’t known: %j', async (amounts) => {
    const { id, userId } = await order()
    await settle(payment(id, { state: 'partial', ...amounts }))
    expect((await underpaid(id, userId))?.missing ?? null).toBeNull()
  })

  test('is left as it was by a reading that changes nothing', async () => {
    const { id } = await order()
    await db.pool.query(`update orders set status = 'pending' where id = $1`, [id])
    const before = await read(id)
    await settle(payment(id, { state: 'waiting', paidAmount: 0 }))
    expect(await read(id)).toEqual(before)
  })

  test('of which the time was up is marked as late, though its state stays', async () => {
    const { id } = await order()
    await db.pool.query(`update orders set status = 'expired' where id = $1`, [id])
    await settle(payment(id, { state: 'processing', paidAmount: 1 }))
    expect(await read(id)).toMatchObject({ status: 'processing', paid_late: true })
  })

  test('has each reading in its history, with what came', async () => {
    const { id } = await order()
    const events = async () =>
      (
        await db.database
          .selectFrom('payment_events')
          .select(['event', 'detail'])
          .where('order_id', '=', id)
          .orderBy('id')
          .execute()
      ).map(({ event, detail }) => `${event}: ${detail}`)
    await settle(
      payment(id, { state: 'waiting', payAmount: null, paidAmount: null, payCurrency: null }),
    )
    await settle(payment(id, { state: 'processing', payAmount: 10, paidAmount: 4 }))
    expect(await events()).toEqual([
      'waiting: finished, ? of ? ',
      'processing: finished, 4 of 10 Bitcoin',
    ])
  })

  test('is ended by a payment only when no other first deposit of it is under way', async () => {
    const ends = async (other: Partial<PaymentFacts>) => {
      const { id } = await order()
      await settle(payment(id, { paymentId: `8${made}`, paidAmount: 0, ...other }))
      await settle(payment(id, { state: 'failed', paidAmount: 0 }))
      return (await read(id)).status
    }
    expect(await ends({ state: 'processing' })).toBe('processing')
    expect(await ends({ state: 'failed' })).toBe('failed')
    expect(await ends({ state: 'processing', parentPaymentId: '7' })).toBe('failed')
  })

  test('is not kept open by payments of which nothing was read', async () => {
    const { id } = await order()
    for (const state of ['unread', 'missing']) {
      await db.pool.query(
        `insert into payments (provider, payment_id, order_id, state, first_seen_at)
         values ('nowpayments', $1, $2, $3, now())`,
        [`${state}${made}`, id, state],
      )
    }
    await settle(payment(id, { state: 'failed', paidAmount: 0 }))
    expect(await read(id)).toMatchObject({ status: 'failed' })
  })

  test('that was refunded is not refunded again', async () => {
    const { id, userId } = await order()
    await settle(payment(id))
    expect(await settle(payment(id, { state: 'refunded' }))).toBe('reversed')
    expect(await settle(payment(id, { state: 'refunded' }))).toBe('noted')
    expect(await balance(userId)).toBe(0)
  })
})

test('what a payment is told apart by stands in the flag', async () => {
  const [first, second] = [await order(), await order()]
  const noteOf = async (paymentId: string) =>
    (
      await db.database
        .selectFrom('order_flags')
        .select(['note', 'order_id'])
        .where('payment_id', '=', paymentId)
        .execute()
    ).map(({ note, order_id: id }) => [id, note])
  const facts = payment(first.id, { paymentId: `66${made}`, state: 'partial', paidAmount: 0.1 })
  await settle({ ...facts, orderId: null })
  expect(await noteOf(facts.paymentId)).toEqual([
    [null, `A payment came for 'no order', which is none of ours.`],
  ])
  const known = payment(first.id, { paymentId: `67${made}`, state: 'waiting' })
  await settle(known)
  await settle({ ...known, orderId: second.id })
  expect(await noteOf(known.paymentId)).toEqual([
    [second.id, `The payment belonged to ${first.id} before.`],
  ])
})

test('a time a day ahead of ours is believed, one further isn’t', async () => {
  const { id } = await order()
  const changedAt = async () =>
    (
      await db.database
        .selectFrom('payments')
        .select('provider_updated_at')
        .where('order_id', '=', id)
        .executeTakeFirstOrThrow()
    ).provider_updated_at
  const day = 24 * 60 * 60_000
  await settle(payment(id, { state: 'waiting', updatedAtMs: now.getTime() + day }))
  expect(await changedAt()).toBeNull()
  await settle(payment(id, { state: 'waiting', updatedAtMs: now.getTime() + day - 1 }))
  expect(await changedAt()).toEqual(new Date(now.getTime() + day - 1))
})
