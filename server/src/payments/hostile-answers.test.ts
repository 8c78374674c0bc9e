import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeOrder } from '../testing/make-order.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { roundsOr } from '../testing/rounds-or.ts'
import { readInvoice, readMethods } from './btcpay/read-invoice.ts'
import { readPayment } from './nowpayments/read-payment.ts'
import { readText, readTimeMs } from './read-fields.ts'
import { settlePayment } from './settle-payment.ts'

/*
 * Whatever a provider answers, reading it and settling it works the first time: a value that the
 * database can't keep would fail again at each repetition, for nine days.
 */

const texts = [
  '\u0000',
  'waiting\u0000',
  '\ud800 half a pair',
  '\u202e backwards',
  'x'.repeat(70_000),
  '1e400',
  '-1',
  '9'.repeat(400),
  '2026-11-20T12:00:00Z',
  '-271821-04-20T00:00:00.000Z',
  '+275760-09-13T00:00:00.000Z',
  '__proto__',
] as const
const nasty = fc.oneof(
  fc.constantFrom(...texts),
  fc.constantFrom(0, -0, -5, 1e-13, 1e21, 1e300, Number.MAX_SAFE_INTEGER, 8.64e15, 8.64e15 + 1),
  fc.constantFrom(null, true, [], {}, [null], { toString: 1 }),
  fc.string({ unit: 'binary' }),
  fc.double(),
)

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(2)
})
afterAll(() => db[Symbol.asyncDispose]())

let made = 0
async function order(provider: 'nowpayments' | 'btcpay') {
  made += 1
  const { id } = await makeOrder(db.database, {
    provider,
    now: new Date('2026-11-20T11:55:00Z'),
  })
  return id
}

/** A payment whose share of its order is more than a number can be. */
const beyondNumbers = {
  payment_status: 'partially_paid',
  price_amount: 10,
  price_currency: 'usd',
  pay_currency: 'btc',
  pay_amount: 1e-13,
  actually_paid: 1e300,
  parent_payment_id: null,
  invoice_id: null,
  updated_at: null,
}

test('whatever NOWPayments answers about a payment of ours is settled without a failure', async () => {
  const status = fc.oneof(
    fc.constantFrom('waiting', 'partially_paid', 'finished', 'failed', 'expired', 'refunded'),
    nasty,
  )
  const answer = fc.record({
    payment_status: status,
    price_amount: fc.oneof(fc.constant(10), nasty),
    price_currency: fc.oneof(fc.constant('usd'), nasty),
    pay_currency: nasty,
    pay_amount: fc.oneof(fc.constant(10), nasty),
    actually_paid: fc.oneof(fc.constant(10), nasty),
    parent_payment_id: fc.oneof(fc.constant(null), nasty),
    invoice_id: nasty,
    updated_at: nasty,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { minLength: 1, maxLength: 3 }), async (answers) => {
      const orderId = await order('nowpayments')
      for (const fields of answers) {
        const facts = readPayment({ ...fields, payment_id: made, order_id: orderId })
        if (facts === undefined) throw new Error('the payment has an id')
        await settle('nowpayments', facts)
      }
    }),
    { numRuns: roundsOr(50), examples: [[[beyondNumbers, beyondNumbers]]] },
  )
})

test('whatever BTCPay Server answers about an invoice of ours is settled without a failure', async () => {
  const answer = fc.record({
    status: fc.oneof(fc.constantFrom('New', 'Processing', 'Settled', 'Invalid', 'Expired'), nasty),
    additionalStatus: fc.oneof(fc.constantFrom('None', 'PaidPartial', 'PaidLate', 'Marked'), nasty),
    amount: fc.oneof(fc.constant('10'), nasty),
    currency: fc.oneof(fc.constant('USD'), nasty),
    methods: fc.oneof(
      nasty,
      fc.array(
        fc.record({
          currency: nasty,
          amount: nasty,
          paymentMethodPaid: nasty,
          due: nasty,
          payments: fc.oneof(nasty, fc.array(fc.record({ status: nasty }))),
        }),
      ),
    ),
  })
  await fc.assert(
    fc.asyncProperty(answer, async ({ methods, ...fields }) => {
      const orderId = await order('btcpay')
      const invoice = { ...fields, id: `invoice${made}`, metadata: { orderId } }
      const facts = readInvoice(invoice, readMethods(methods))
      if (facts !== undefined) await settle('btcpay', facts)
    }),
    { numRuns: roundsOr(50) },
  )
})

function settle(
  provider: 'nowpayments' | 'btcpay',
  facts: NonNullable<ReturnType<typeof readPayment>>,
) {
  return settlePayment(db.database, {
    provider,
    facts,
    now: new Date('2026-11-20T12:00:00Z'),
    enqueueReceipt: async () => {},
  })
}

test.each([undefined, null, 7, {}, '../x', 'a b', 'a\u0000', '', 'x'.repeat(101)])(
  'an invoice that calls itself %j is none of BTCPay Server',
  (id) => expect(readInvoice({ id, status: 'New' }, [])).toBeUndefined(),
)

test('a text is kept without what can’t be stored or shown', () => {
  expect(readText('a\u0000b\u001b[31mc')).toBe('ab[31mc')
  expect(readText('\ud800')).toBe('\ufffd')
  expect(readText('\u0000')).toBeNull()
  expect(readText('y'.repeat(1_000))).toHaveLength(200)
})

test('a time is one of ours, or none', () => {
  expect(readTimeMs('2026-11-20T12:00:00Z')).toBe(Date.parse('2026-11-20T12:00:00Z'))
  expect(readTimeMs(1_700_000_000_000)).toBe(1_700_000_000_000)
  for (const nonsense of [0, -1, 8.64e15, Number.NaN, 'yesterday', null]) {
    expect(readTimeMs(nonsense)).toBeNull()
  }
})
