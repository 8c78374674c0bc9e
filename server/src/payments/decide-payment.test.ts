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
  credits: 100,
  isCredited: false,
  isReversed: false,
  creditedShare: undefined,
  hasBuyer: true,
  creditedPaymentId: null,
  otherStates: [],
  otherShare: 0,
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
  const { paidAmount } = paymentMore
  const settled = paidAmount === undefined ? {} : { settledAmount: paidAmount }
  const facts = { ...payment, ...settled, ...paymentMore }
  return decidePayment({ ...order, ...orderMore }, facts, now)
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

  test('counts nine tenths as all in coins whose amounts have no exact binary fraction', () => {
    for (const [payAmount, paidAmount] of [
      [0.001, 0.0009],
      [0.0003, 0.00027],
      [0.7, 0.63],
    ] as const) {
      expect(decide({}, { payAmount, paidAmount }).credits, `${paidAmount}`).toBe(true)
    }
    expect(decide({}, { payAmount: 0.001, paidAmount: 0.00089999 }).credits).toBe(false)
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
    expect(decide({}, { paidAmount: 4 })).toMatchObject({ credits: false, status: 'processing' })
  })

  test('of a deleted buyer is flagged', () => {
    const decision = decide({ hasBuyer: false }, {})
    expect(decision.credits).toBe(false)
    expect(kinds(decision)).toEqual(['buyer_deleted'])
  })
})

describe('a partial payment', () => {
  test('credits nothing and is told', () => {
    const decision = decide({}, { state: 'partial', payAmount: 0.3, paidAmount: 0.1 })
    expect(decision).toMatchObject({ status: 'processing', credits: false })
    expect(kinds(decision)).toEqual(['underpaid'])
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

  test('with money that went back is for nobody', () => {
    expect(kinds(decide({}, { state: 'refunded', paidAmount: 3 }))).toEqual([])
  })
})

describe('after the crediting', () => {
  const credited = { status: 'completed', isCredited: true, creditedPaymentId: '1' } as const

  test.each(['waiting', 'processing', 'partial', 'failed', 'expired', 'unknown'] as const)(
    'a late %s changes nothing',
    (state) => {
      const decision = decide(credited, { state, paidAmount: 0 })
      expect(decision).toMatchObject({ status: null, credits: false, reverses: false })
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

describe('a further deposit to an address', () => {
  const further = (more: Partial<PaymentFacts>) =>
    kinds(decide({}, { parentPaymentId: '9', ...more }))

  test('is told when money came or the provider calls it paid', () => {
    expect(further({ state: 'processing', paidAmount: 0.01 })).toEqual(['repeated_deposit'])
    expect(further({ state: 'finished', paidAmount: null })).toEqual(['repeated_deposit'])
    expect(decide({}, { parentPaymentId: '9' }).flags[0]?.note).toContain('of payment 9.')
  })

  test('is nothing while no money came', () => {
    expect(further({ state: 'waiting', paidAmount: 0 })).toEqual([])
    expect(further({ state: 'processing', paidAmount: null })).toEqual([])
    expect(further({ state: 'failed', paidAmount: 0 })).toEqual([])
  })
})

test('money is late from the first moment after the window', () => {
  const end = createdAt.getTime() + 30 * 60_000
  expect(decide({ status: 'initiated' }, {}, new Date(end)).isLate).toBe(false)
  expect(decide({ status: 'initiated' }, {}, new Date(end + 1)).isLate).toBe(true)
  expect(decide({ status: 'pending' }, {}, new Date(end)).isLate).toBe(false)
})

test('a price that differs is put into words', () => {
  const noteOf = (price: PaymentFacts['price']) => decide({}, { price }).flags[0]?.note
  expect(noteOf({ minorUnits: 999, currency: 'eur' })).toBe(
    'The payment is for 999 minor units of eur, the order for 1000 minor units of usd.',
  )
  expect(noteOf(null)).toContain('for no known price,')
})

test.each([
  [{ payCurrency: 'btc', payAmount: 2, paidAmount: 1 }, 'Only 1 of 2 Bitcoin came.'],
  [{ payCurrency: null, payAmount: null, paidAmount: 1 }, 'Only 1 of unknown coins came.'],
  [
    { payCurrency: 'btc', payAmount: 2, paidAmount: null },
    'Only an unknown amount of Bitcoin came.',
  ],
] as const)('what came is put into words: %j', (amounts, note) => {
  expect(decide({}, { state: 'partial', ...amounts }).flags[0]?.note).toBe(note)
})

test.each([
  { payAmount: null, paidAmount: 10 },
  { payAmount: 10, paidAmount: null },
  { payAmount: null, paidAmount: null },
  { payAmount: 0, paidAmount: 10 },
  { payAmount: 10, paidAmount: 0 },
])('a finished payment without its amounts is for the operator: %j', (amounts) => {
  expect(kinds(decide({}, amounts))).toEqual(['amount_unverified'])
  const own = { status: 'completed', isCredited: true, creditedPaymentId: '1' } as const
  expect(kinds(decide(own, amounts))).toEqual(['failed_after_credit'])
})

test('up to half a percent more than the price is rounding', () => {
  expect(kinds(decide({}, { payAmount: 1_000, paidAmount: 1_005 }))).toEqual([])
  expect(kinds(decide({}, { payAmount: 1_000, paidAmount: 1_005.1 }))).toEqual(['overpaid'])
})

describe('a payment that ended beside others', () => {
  const end = (otherStates: DecidableOrder['otherStates'], status = 'pending' as const) =>
    decide({ status, otherStates }, { state: 'failed', paidAmount: 0 }).status

  test('ends the order unless one of them is under way', () => {
    for (const state of ['waiting', 'processing', 'partial'] as const) {
      expect(end(['failed', state])).toBeNull()
    }
    expect(end(['failed', 'expired', 'refunded', 'unknown'])).toBe('failed')
  })

  test('doesn’t end an order for which another one stands with a part of its price', () => {
    const more = { otherStates: ['finished'], otherShare: 0.5 } as const
    expect(decide(more, { state: 'failed', paidAmount: 0 }).status).toBeNull()
  })

  test('ends an order that is open in any way', () => {
    for (const status of ['initiated', 'pending', 'processing'] as const) {
      const decision = decide({ status }, { state: 'expired', paidAmount: 0 })
      expect(decision).toMatchObject({ status: 'expired' })
    }
  })
})

describe('an order that an operator credited', () => {
  const byOperator = { status: 'completed', isCredited: true, creditedPaymentId: null } as const

  test('is left alone by a payment that brings a part, or ends', () => {
    for (const state of ['partial', 'failed', 'expired', 'waiting', 'processing'] as const) {
      expect(decide(byOperator, { state })).toMatchObject({ flags: [], reverses: false })
    }
    expect(decide(byOperator, { paidAmount: 4 }).flags).toEqual([])
    expect(decide(byOperator, { paidAmount: null }).flags).toEqual([])
  })

  test('keeps what it was given for other money when its payment is refunded', () => {
    const decision = decide(byOperator, { state: 'refunded' })
    expect([decision.reverses, kinds(decision)]).toEqual([false, ['refunded_after_credit']])
    expect(kinds(decide({ ...byOperator, isReversed: true }, { state: 'refunded' }))).toEqual([])
  })

  test('is flagged when it is paid in full after all, also once it was refunded', () => {
    for (const more of [{}, { isReversed: true }]) {
      expect(kinds(decide({ ...byOperator, ...more }, {}))).toEqual(['second_payment'])
    }
    expect(kinds(decide(byOperator, { isMarkedPaid: true, paidAmount: null }))).toEqual([
      'second_payment',
    ])
  })
})

describe('an order that was credited in part', () => {
  const partly = {
    status: 'completed',
    isCredited: true,
    creditedPaymentId: '1',
    creditedShare: 0.5,
  } as const
  const brings = (paidAmount: number | null, more: Partial<PaymentFacts> = {}) =>
    kinds(decide(partly, { state: 'partial', payAmount: 1_000, paidAmount, ...more }))

  test.each([
    [0, ['failed_after_credit']],
    [498, ['failed_after_credit']],
    [499.5, []],
    [500, []],
    [509, []],
    [511, ['overpaid']],
    [1_000, ['overpaid']],
    [null, ['failed_after_credit']],
  ])('%s of a thousand, when half was credited: %j', (paidAmount, flags) => {
    expect(brings(paidAmount)).toEqual(flags)
    expect(brings(paidAmount, { state: 'finished' })).toEqual(flags)
  })

  test('bounds the gap by a thousandth below and a percent above', () => {
    const half = { ...partly, creditedShare: 0.5 }
    const flagsOf = (paidAmount: number) =>
      kinds(decide(half, { state: 'partial', payAmount: 1, paidAmount }))
    expect(flagsOf(0.5 - 0.001)).toEqual([])
    expect(flagsOf(0.5 - 0.002)).toEqual(['failed_after_credit'])
    expect(flagsOf(0.5 + 0.01)).toEqual(['overpaid'])
  })

  test('is told how much was credited, and in full where the merchant marked it paid', () => {
    expect(brings(null, { state: 'finished', isMarkedPaid: true })).toEqual(['overpaid'])
    const decision = decide(partly, { state: 'partial', payAmount: 10, paidAmount: 9 })
    expect(decision.flags[0]?.note).toContain('credited for 50 % of its price')
  })

  test('is told when its payment failed after all', () => {
    expect(brings(500, { state: 'failed' })).toEqual(['failed_after_credit'])
    expect(brings(500, { state: 'processing' })).toEqual([])
  })

  test('counts what its payments stand for together', () => {
    const both = { ...partly, creditedShare: 0.9, otherShare: 0.6 }
    const second = (more: Partial<PaymentFacts>) =>
      decide(both, { paymentId: '2', payAmount: 10, paidAmount: 3, state: 'partial', ...more })
    expect(second({}).flags).toEqual([])
    expect(second({ state: 'processing' }).flags).toEqual([])
    expect(kinds(second({ paidAmount: 10 }))).toEqual(['second_payment'])
    expect(kinds(second({ settledAmount: 0 }))).toEqual(['failed_after_credit'])
    for (const state of ['failed', 'expired'] as const) {
      expect(kinds(second({ state }))).toEqual(['failed_after_credit'])
    }
    const returned = second({ state: 'refunded' })
    expect([kinds(returned), returned.reverses]).toEqual([['refunded_after_credit'], false])
    expect(returned.flags[0]?.note).toContain('90 % of its price; its payments now stand for 60 %')
  })

  test('gives its credits back when the payment that credited it is refunded', () => {
    const decision = decide({ ...partly, otherShare: 0.3 }, { state: 'refunded' })
    expect([decision.reverses, kinds(decision)]).toEqual([true, ['refunded_after_credit']])
    expect(decision.flags[0]?.note).toContain('Other payments still stand for 30 %')
    const thirds = decide({ ...partly, otherShare: 2 / 3 }, { state: 'refunded' })
    expect(thirds.flags[0]?.note).toContain('Other payments still stand for 67 %')
  })

  test('is told of money beside it that ended, and not of what rounding to its credits leaves', () => {
    const beside = { ...partly, otherShare: 0.5 }
    const other = (state: 'failed' | 'refunded', paidAmount: number) =>
      kinds(decide(beside, { paymentId: '2', state, paidAmount }))
    expect([other('failed', 1), other('failed', 0), other('refunded', 1)]).toEqual([
      ['second_payment'],
      [],
      [],
    ])
    const ofTen = { ...partly, credits: 10, creditedShare: 0.8 }
    expect(kinds(decide(ofTen, { state: 'partial', payAmount: 100, paidAmount: 89 }))).toEqual([])
  })
})
