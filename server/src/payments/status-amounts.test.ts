import { describe, expect, test } from 'vitest'
import { readInvoice, readMethods } from './btcpay/read-invoice.ts'
import { decidePayment } from './decide-payment.ts'
import type { DecidableOrder } from './payment-decision.ts'
import { readPayment } from './nowpayments/read-payment.ts'
import type { PaymentFacts } from './provider.ts'

/*
 * Every status of each provider with every amount, as the provider spells them: what becomes of an
 * open order, and of one that this very payment credited. A cell names the order's new status, the
 * flags, 'credit' and 'reverse'; '-' is nothing at all.
 */

const now = new Date('2026-11-20T12:05:00Z')
const open: DecidableOrder = {
  id: 'order_1_abcdef',
  status: 'pending',
  price: { minorUnits: 1000, currency: 'usd' },
  createdAt: new Date('2026-11-20T12:00:00Z'),
  credits: 100,
  isCredited: false,
  isReversed: false,
  creditedShare: undefined,
  hasBuyer: true,
  creditedPaymentId: null,
  otherStates: [],
  otherShare: 0,
}

function decide(facts: PaymentFacts | undefined, more: Partial<DecidableOrder>): string {
  if (facts === undefined) return 'unreadable'
  const decision = decidePayment({ ...open, ...more }, facts, now)
  const words = [
    decision.credits ? 'credit' : '',
    decision.reverses ? 'reverse' : '',
    decision.status ?? '',
    ...decision.flags.map(({ kind }) => kind),
  ]
  return words.filter((word) => word !== '').join(' ') || '-'
}

/** Before the crediting, after it by this payment, after it by another, and after a refund. */
function decideAll(facts: PaymentFacts | undefined) {
  const credited = { status: 'completed', isCredited: true } as const
  const id = facts?.paymentId ?? null
  return [
    decide(facts, {}),
    decide(facts, { ...credited, creditedPaymentId: id }),
    decide(facts, { ...credited, creditedPaymentId: 'another' }),
    decide(facts, { ...credited, creditedPaymentId: id, isReversed: true }),
  ]
}

describe('NOWPayments', () => {
  const asked = 10
  const none = [undefined, null, 0, '0', -5, 'NaN', '']
  const little = [0.01, 5, '8.9', 8.999_999]
  const enough = [9, '9', 9.000_001, 10, '10.00', 10.0499]
  const more = [10.0501, 15, '1e3']
  const some = [...little, ...enough, ...more]
  const any = [...none, ...some]

  const table: [status: unknown, amounts: unknown[], ...cells: string[]][] = [
    ['waiting', any, '-', '-', '-', '-'],
    ['confirming', any, 'processing', '-', '-', '-'],
    ['confirmed', any, 'processing', '-', '-', '-'],
    ['sending', any, 'processing', '-', '-', '-'],
    ['partially_paid', any, 'processing underpaid', 'failed_after_credit', 'second_payment', '-'],
    [
      'finished',
      none,
      'processing amount_unverified',
      'failed_after_credit',
      'second_payment',
      '-',
    ],
    ['finished', little, 'processing underpaid', 'failed_after_credit', 'second_payment', '-'],
    ['finished', enough, 'credit', '-', 'second_payment', '-'],
    ['finished', more, 'credit overpaid', 'overpaid', 'second_payment', '-'],
    ['failed', none, 'failed', 'failed_after_credit', '-', '-'],
    ['failed', some, 'failed failed_with_money', 'failed_after_credit', 'second_payment', '-'],
    ['cancelled', none, 'failed', 'failed_after_credit', '-', '-'],
    ['cancelled', some, 'failed failed_with_money', 'failed_after_credit', 'second_payment', '-'],
    ['expired', none, 'expired', 'failed_after_credit', '-', '-'],
    ['expired', some, 'expired expired_with_money', 'failed_after_credit', 'second_payment', '-'],
    ['refunded', any, 'failed', 'reverse refunded_after_credit', '-', '-'],
    ...['charged_back', 'FINISHED', '', null, undefined, 7].map(
      (status): (typeof table)[number] => [
        status,
        any,
        'unknown_status',
        'unknown_status',
        'unknown_status',
        'unknown_status',
      ],
    ),
  ]

  test.each(table)('%s with %j', (status, amounts, ...cells) => {
    for (const paid of amounts) {
      const facts = readPayment({
        payment_id: 5,
        order_id: open.id,
        payment_status: status,
        price_amount: 10,
        price_currency: 'usd',
        pay_currency: 'usdtbsc',
        pay_amount: asked,
        actually_paid: paid,
      })
      expect(decideAll(facts), `actually_paid ${String(paid)}`).toEqual(cells)
    }
  })

  test.each([undefined, null, 0, -1, 'NaN'])(
    'finished is not believed when what was asked for is %s',
    (payAmount) => {
      const facts = readPayment({
        payment_id: 5,
        payment_status: 'finished',
        price_amount: 10,
        price_currency: 'usd',
        pay_amount: payAmount,
        actually_paid: 10,
      })
      expect(decide(facts, {})).toBe('processing amount_unverified')
    },
  )
})

describe('BTCPay Server', () => {
  const methods = {
    nothing: [],
    'no deposit': [
      { currency: 'BTC', amount: '10', paymentMethodPaid: '0', due: '10', payments: [] },
    ],
    'a third': [method('3', '7')],
    'too little by the smallest part': [method('8.99999999', '1.00000001')],
    'nine tenths': [method('9', '1')],
    all: [method('10', '0')],
    'all, unconfirmed': [method('10', '0', 'Processing')],
    more: [method('12', '-2')],
    'less than nothing': [method('-5', '15')],
  }
  type Amount = keyof typeof methods
  const names = Object.keys(methods) as Amount[]
  const empty: Amount[] = ['nothing', 'no deposit', 'less than nothing']
  const little: Amount[] = ['a third', 'too little by the smallest part']
  const enough: Amount[] = ['nine tenths', 'all', 'all, unconfirmed']

  function method(paid: string, due: string, status = 'Settled') {
    const payments = [{ value: paid, status }]
    return { currency: 'BTC', amount: '10', paymentMethodPaid: paid, due, payments }
  }

  const table: [status: string, more: string, amounts: Amount[], ...cells: string[]][] = [
    ['New', 'None', names, '-', '-', '-', '-'],
    [
      'New',
      'PaidPartial',
      names,
      'processing underpaid',
      'failed_after_credit',
      'second_payment',
      '-',
    ],
    ['Processing', 'None', names, 'processing', '-', '-', '-'],
    ['Processing', 'PaidOver', names, 'processing', '-', '-', '-'],
    [
      'Settled',
      'None',
      empty,
      'processing amount_unverified',
      'failed_after_credit',
      'second_payment',
      '-',
    ],
    [
      'Settled',
      'None',
      little,
      'processing underpaid',
      'failed_after_credit',
      'second_payment',
      '-',
    ],
    ['Settled', 'None', enough, 'credit', '-', 'second_payment', '-'],
    ['Settled', 'None', ['more'], 'credit overpaid', 'overpaid', 'second_payment', '-'],
    [
      'Settled',
      'PaidOver',
      [...enough, 'more'],
      'credit overpaid',
      'overpaid',
      'second_payment',
      '-',
    ],
    ['Settled', 'Marked', names, 'credit', '-', 'second_payment', '-'],
    ['Invalid', 'None', empty, 'failed', 'failed_after_credit', '-', '-'],
    ['Invalid', 'Marked', empty, 'failed', 'failed_after_credit', '-', '-'],
    [
      'Invalid',
      'None',
      [...little, ...enough, 'more'],
      'failed failed_with_money',
      'failed_after_credit',
      'second_payment',
      '-',
    ],
    ['Expired', 'None', empty, 'expired', 'failed_after_credit', '-', '-'],
    [
      'Expired',
      'None',
      [...little, ...enough, 'more'],
      'expired expired_with_money',
      'failed_after_credit',
      'second_payment',
      '-',
    ],
    [
      'Expired',
      'PaidPartial',
      names,
      'processing underpaid',
      'failed_after_credit',
      'second_payment',
      '-',
    ],
    ['Expired', 'PaidLate', [...empty, 'all, unconfirmed'], 'processing', '-', '-', '-'],
    [
      'Expired',
      'PaidLate',
      [...little, 'nine tenths'],
      'processing underpaid',
      'failed_after_credit',
      'second_payment',
      '-',
    ],
    ['Expired', 'PaidLate', ['all'], 'credit', '-', 'second_payment', '-'],
    ['Expired', 'PaidLate', ['more'], 'credit overpaid', 'overpaid', 'second_payment', '-'],
    [
      'Levitating',
      'None',
      names,
      'unknown_status',
      'unknown_status',
      'unknown_status',
      'unknown_status',
    ],
  ]

  test.each(table)('%s, %s with %j', (status, additionalStatus, amounts, ...cells) => {
    for (const amount of amounts) {
      const facts = readInvoice(
        {
          id: 'abc',
          status,
          additionalStatus,
          amount: '10',
          currency: 'USD',
          metadata: { orderId: open.id },
        },
        readMethods(methods[amount]),
      )
      expect(decideAll(facts), amount).toEqual(cells)
    }
  })
})

/*
 * The tables above say what becomes of what providers send; these combinations also come from one
 * that has broken or was taken over. Whatever it says, an order is credited for money only, and
 * once, and what was credited is taken back for a refund only.
 */
describe('no combination of statuses and amounts', () => {
  const amounts = [undefined, null, 'NaN', -5, 0, 0.01, 5, 8.999_999, 9, 10, 12, 1e300, Infinity]
  const orderStatuses = ['initiated', 'pending', 'processing', 'failed', 'cancelled', 'expired']

  function readNowPayments(): [string, PaymentFacts, isMoneyThere: boolean][] {
    const statuses = 'waiting confirming confirmed sending partially_paid finished failed cancelled'
    return [...statuses.split(' '), 'expired', 'refunded', 'charged_back', ''].flatMap((status) =>
      amounts.flatMap((asked) =>
        amounts.flatMap((paid) => {
          const facts = readPayment({
            payment_id: 5,
            order_id: open.id,
            payment_status: status,
            price_amount: 10,
            price_currency: 'usd',
            pay_currency: 'btc',
            pay_amount: asked,
            actually_paid: paid,
          })
          const isMoneyThere = status === 'finished' && Number(paid) >= Number(asked) * 0.9
          const isEnough = isMoneyThere && Number(asked) > 0 && Number.isFinite(Number(asked))
          return facts ? [[`${status} ${String(paid)} of ${String(asked)}`, facts, isEnough]] : []
        }),
      ),
    )
  }

  function readBtcpay(): [string, PaymentFacts, isMoneyThere: boolean][] {
    const additions = ['None', 'PaidPartial', 'PaidLate', 'PaidOver', 'Marked', 'Nonsense']
    return ['New', 'Processing', 'Settled', 'Invalid', 'Expired', 'Nonsense'].flatMap((status) =>
      additions.flatMap((additionalStatus) =>
        amounts.flatMap((paid) => {
          const due = 10 - (Number(paid) || 0)
          const payments = Number(paid) > 0 ? [{ value: paid, status: 'Settled' }] : []
          const method = { currency: 'BTC', amount: '10', paymentMethodPaid: paid, due, payments }
          const facts = readInvoice(
            { id: 'abc', status, additionalStatus, amount: '10', currency: 'USD' },
            readMethods([method]),
          )
          const isFinal = status === 'Settled' || (status === 'Expired' && due <= 0)
          const isMarked = status === 'Settled' && additionalStatus === 'Marked'
          const isMoneyThere = isMarked || (isFinal && Number(paid) >= 9)
          const name = `${status} ${additionalStatus} ${String(paid)}`
          return facts ? [[name, facts, isMoneyThere]] : []
        }),
      ),
    )
  }

  test.each([
    ['NOWPayments', readNowPayments()],
    ['BTCPay Server', readBtcpay()],
  ])('of %s credits without money, or takes back without a refund', (_provider, combinations) => {
    expect(combinations.length).toBeGreaterThan(400)
    for (const [name, facts, isMoneyThere] of combinations) {
      for (const status of orderStatuses as DecidableOrder['status'][]) {
        const decision = decidePayment({ ...open, status }, facts, now)
        expect([name, decision.credits && !isMoneyThere]).toEqual([name, false])
        expect([name, decision.reverses]).toEqual([name, false])
      }
      const [, credited = '', another = '', reversed = ''] = decideAll(facts)
      for (const words of [credited, another, reversed]) {
        expect([name, words.split(' ').includes('credit')]).toEqual([name, false])
        const isRefund = facts.state === 'refunded' && words === credited
        expect([name, words.split(' ').includes('reverse') && !isRefund]).toEqual([name, false])
      }
      // What was credited and has less behind it now never passes in silence.
      const isEnded = ['finished', 'partial', 'failed', 'expired'].includes(facts.state)
      if (isEnded && !isMoneyThere) expect([name, credited]).not.toEqual([name, '-'])
    }
  })
})
