import { describe, expect, test } from 'vitest'
import { finishedPayment } from '../testing/finished-payment.ts'
import { decidePayment } from './decide-payment.ts'
import type { DecidableOrder } from './payment-decision.ts'
import type { PaymentFacts } from './provider.ts'

const createdAt = new Date('2026-11-20T12:00:00Z')
const soon = new Date('2026-11-20T12:05:00Z')
const late = new Date('2026-11-20T12:31:00Z')

const order: DecidableOrder = {
  id: 'order_1_abcdef',
  status: 'pending',
  price: { minorUnits: 1000, currency: 'usd' },
  createdAt,
  isCredited: false,
  isReversed: false,
  hasBuyer: true,
  creditedPaymentId: null,
  otherStates: [],
}

const payment = finishedPayment({
  invoiceId: '7',
  orderId: 'order_1_abcdef',
  payCurrency: 'usdtbsc',
  payAmount: 10,
  paidAmount: 10,
})

function decide(
  orderMore: Partial<DecidableOrder>,
  paymentMore: Partial<PaymentFacts>,
  now = soon,
) {
  return decidePayment({ ...order, ...orderMore }, { ...payment, ...paymentMore }, now)
}

const kinds = (decision: ReturnType<typeof decidePayment>) => decision.flags.map(({ kind }) => kind)

describe('a finished payment', () => {
  test.each(['initiated', 'pending', 'processing', 'failed', 'cancelled', 'expired'] as const)(
    'credits an order that is %s',
    (status) => expect(decide({ status }, {})).toMatchObject({ credits: true, flags: [] }),
  )

  test('is late on an order that had expired or was cancelled, or after the window', () => {
    expect(decide({}, {}).isLate).toBe(false)
    expect(decide({ status: 'expired' }, {}).isLate).toBe(true)
    expect(decide({ status: 'cancelled' }, {}).isLate).toBe(true)
    expect(decide({ status: 'pending' }, {}, late).isLate).toBe(true)
    expect(decide({ status: 'processing' }, {}, late).isLate).toBe(false)
  })

  test('credits nothing when price or currency differ, whatever else it says', () => {
    for (const wrong of [
      { price: { minorUnits: 999, currency: 'usd' } },
      { price: { minorUnits: 1001, currency: 'usd' } },
      { price: { minorUnits: 1000, currency: 'trx' } },
      { price: null },
    ]) {
      const decision = decide({}, wrong)
      expect(decision).toMatchObject({ credits: false, status: null })
      expect(kinds(decision)).toEqual(['price_mismatch'])
    }
  })

  test('credits nothing when it is a further deposit to the same address', () => {
    const decision = decide({}, { parentPaymentId: '9' })
    expect(decision).toMatchObject({ credits: false, status: null })
    expect(kinds(decision)).toEqual(['repeated_deposit'])
  })

  test('credits nothing more when another payment credited the order', () => {
    const decision = decide({ status: 'completed', isCredited: true, creditedPaymentId: '5' }, {})
    expect(decision.credits).toBe(false)
    expect(kinds(decision)).toEqual(['second_payment'])
  })

  test('changes nothing when it credited the order itself', () => {
    const own = { status: 'completed', isCredited: true, creditedPaymentId: '1' } as const
    expect(decide(own, {})).toMatchObject({ credits: false, status: null, flags: [] })
  })

  test('that brought more than the price credits once and is flagged', () => {
    const decision = decide({}, { paidAmount: 12.5 })
    expect(decision.credits).toBe(true)
    expect(kinds(decision)).toEqual(['overpaid'])
  })

  test('a small gap that the provider covers credits; a large one is for the operator', () => {
    expect(decide({}, { paidAmount: 9.8 })).toMatchObject({ credits: true, flags: [] })
    const decision = decide({}, { paidAmount: 4 })
    expect(decision).toMatchObject({ credits: false, status: 'processing' })
    expect(decision.missing).toEqual({ amount: 6, currency: 'usdtbsc' })
  })

  test('of a deleted buyer is flagged', () => {
    const decision = decide({ hasBuyer: false }, {})
    expect(decision.credits).toBe(false)
    expect(kinds(decision)).toEqual(['buyer_deleted'])
  })
})

describe('a partial payment', () => {
  test('shows what is missing without the noise of binary fractions', () => {
    const decision = decide({}, { state: 'partial', payAmount: 0.3, paidAmount: 0.1 })
    expect(decision).toMatchObject({ status: 'processing', credits: false })
    expect(decision.missing).toEqual({ amount: 0.2, currency: 'usdtbsc' })
    expect(kinds(decision)).toEqual(['underpaid'])
  })

  test('misses nothing any more once the rest is on its way', () => {
    const rest = { state: 'processing', payAmount: 0.3, paidAmount: 0.3 } as const
    expect(decide({ status: 'processing' }, rest).missing).toBeNull()
    expect(decide({ status: 'processing' }, { ...rest, paidAmount: 0.2 }).missing).toBeUndefined()
  })

  test('revives an order whose time was up, marked as late', () => {
    expect(decide({ status: 'expired' }, { state: 'partial', paidAmount: 5 })).toMatchObject({
      status: 'processing',
      isLate: true,
    })
  })
})

describe('a payment that ended', () => {
  test.each([
    ['failed', 'failed'],
    ['expired', 'expired'],
    ['refunded', 'failed'],
  ] as const)('as %s leaves the order %s', (state, status) => {
    expect(decide({}, { state, paidAmount: 0 })).toMatchObject({
      status,
      credits: false,
      flags: [],
    })
  })

  test('does not end an order while another coin is under way', () => {
    for (const state of ['failed', 'expired'] as const) {
      const decision = decide({ otherStates: ['processing'] }, { state, paidAmount: 0 })
      expect(decision.status).toBeNull()
    }
  })

  test('does not undo what the buyer or the clock ended', () => {
    for (const status of ['cancelled', 'expired', 'failed'] as const) {
      expect(decide({ status }, { state: 'failed', paidAmount: 0 }).status).toBeNull()
    }
  })

  test('with money on it is for the operator', () => {
    expect(kinds(decide({}, { state: 'failed', paidAmount: 3 }))).toEqual(['failed_with_money'])
    expect(kinds(decide({}, { state: 'expired', paidAmount: 3 }))).toEqual(['expired_with_money'])
  })
})

describe('after the crediting', () => {
  const credited = { status: 'completed', isCredited: true, creditedPaymentId: '1' } as const

  test.each(['waiting', 'processing', 'partial', 'failed', 'expired', 'unknown'] as const)(
    'a late %s changes nothing',
    (state) => {
      const decision = decide(credited, { state, paidAmount: 0 })
      expect(decision).toMatchObject({ status: null, credits: false, reverses: false })
      expect(decision.missing).toBeUndefined()
    },
  )

  test('a refund reverses once', () => {
    expect(decide(credited, { state: 'refunded' })).toMatchObject({ reverses: true })
    expect(decide({ ...credited, isReversed: true }, { state: 'refunded' }).reverses).toBe(false)
  })

  test('the refund of another payment reverses nothing', () => {
    const decision = decide({ ...credited, creditedPaymentId: '5' }, { state: 'refunded' })
    expect(decision.reverses).toBe(false)
  })
})

test('a waiting payment opens an order and lowers none', () => {
  expect(decide({ status: 'initiated' }, { state: 'waiting', paidAmount: 0 }).status).toBe(
    'pending',
  )
  for (const status of ['pending', 'processing', 'expired', 'cancelled'] as const) {
    expect(decide({ status }, { state: 'waiting', paidAmount: 0 }).status).toBeNull()
  }
})

test.each([
  ['before the crediting', {}],
  ['after it', { status: 'completed', isCredited: true, creditedPaymentId: '1' }],
  ['beside another payment', { status: 'completed', isCredited: true, creditedPaymentId: '5' }],
] as const)('a dispute %s moves nothing and is shown to the operator', (_when, state) => {
  const decision = decide(state, { state: 'disputed' })
  expect(decision).toMatchObject({ status: null, credits: false, reverses: false })
  expect(kinds(decision)).toEqual(['disputed'])
})

test('an unknown status changes nothing and is shown to the operator', () => {
  const decision = decide({}, { state: 'unknown', providerStatus: 'levitating' })
  expect(decision).toMatchObject({ status: null, credits: false })
  expect(kinds(decision)).toEqual(['unknown_status'])
})
