import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAccount } from '../ledger/credits/account.ts'
import { auditBooks } from '../ledger/credits/audit.ts'
import { makeOrder } from '../testing/make-order.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { auditOrders } from './audit-orders.ts'
import { readInvoice, readMethods } from './btcpay/read-invoice.ts'
import { creditWorth, refundByOperator, settleByOperator } from './settle-by-word.ts'
import { readPayment } from './nowpayments/read-payment.ts'
import type { PaymentFacts } from './provider.ts'
import { settlePayment } from './settle-payment.ts'

/*
 * Random histories of one order of 100 credits: several payments that come and go as their providers
 * tell them, beside the buyer and operators who credit what came, all of it, or take it back. What
 * happened is compared with a plain model that adds up percents of the price.
 */
const rounds = Number(process.env['ROUNDS'] ?? 60)

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(6)
})
afterAll(async () => {
  expect((await auditBooks(db.database)).findings).toEqual([])
  expect(await auditOrders(db.database)).toEqual([])
  await db[Symbol.asyncDispose]()
})

/** What a provider says of one payment, and what the model makes of it. */
interface Told {
  /** Which of the order's payments. */
  index: number
  facts: (names: { paymentId: string; orderId: string | null }) => PaymentFacts | undefined
  isNamed: boolean
  /** Percents of the price that came for good, and that the provider hasn't given back or up. */
  standing: number
  /** It is said to be paid, and what came is enough. */
  isPaid: boolean
  isRefund: boolean
  /** What it brought may still come for good, or be gone. */
  isUnderWay: boolean
}

const percent = fc.oneof(fc.integer({ min: 0, max: 120 }), fc.constantFrom(0, 1, 50, 89, 90, 100))

// What brings money comes more often than what ends.
const brings = ['partially_paid', 'finished'] as const
const nowpaymentsStatuses = [
  'waiting',
  'confirming',
  'confirmed',
  'sending',
  'failed',
  'expired',
  'cancelled',
  'odd',
  'refunded',
  ...brings,
  ...brings,
  ...brings,
]

const toldByNowpayments: fc.Arbitrary<Told> = fc
  .record({
    index: fc.nat(2),
    came: percent,
    isNamed: fc.boolean(),
    status: fc.constantFrom(...nowpaymentsStatuses),
  })
  .map(({ index, came, isNamed, status }) => ({
    index,
    isNamed,
    facts: ({ paymentId, orderId }) =>
      readPayment({
        payment_id: paymentId,
        order_id: orderId,
        payment_status: status,
        price_amount: 10,
        price_currency: 'usd',
        pay_currency: 'usdtbsc',
        pay_amount: 100,
        actually_paid: came,
      }),
    standing: status === 'partially_paid' || status === 'finished' ? came : 0,
    isPaid: status === 'finished' && came >= 90,
    isRefund: status === 'refunded',
    isUnderWay: ['waiting', 'confirming', 'confirmed', 'sending', 'odd'].includes(status),
  }))

const coins = { BTC: 0.001, LTC: 0.2 }

const btcpayStatuses = [
  'New/None',
  'New/PaidPartial',
  'New/PaidPartial',
  'Processing/None',
  'Settled/None',
  'Settled/Marked',
  'Settled/PaidOver',
  'Invalid/None',
  'Expired/None',
  'Expired/PaidPartial',
  'Expired/PaidLate',
  'Odd/None',
]

const toldByBtcpay: fc.Arbitrary<Told> = fc
  .record({
    isNamed: fc.boolean(),
    status: fc.constantFrom(...btcpayStatuses),
    deposits: fc.array(
      fc.record({
        coin: fc.constantFrom('BTC', 'LTC'),
        percent: fc.integer({ min: 1, max: 60 }),
        status: fc.constantFrom('Settled', 'Settled', 'Processing', 'Invalid'),
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ isNamed, status: words, deposits }) => {
    const [status, additionalStatus] = words.split('/')
    const sum = (...states: string[]) =>
      deposits
        .filter((deposit) => states.includes(deposit.status))
        .reduce((total, deposit) => total + deposit.percent, 0)
    const [settled, came] = [sum('Settled'), sum('Settled', 'Processing')]
    const isMarked = words === 'Settled/Marked'
    const isLateAndWhole = words === 'Expired/PaidLate' && came === settled && settled >= 100
    const isLatePart = words === 'Expired/PaidLate' && came > 0 && came === settled
    // That an invoice is settled is the server's word for all of its deposits.
    const isSettled = status === 'Settled' && came >= 90
    return {
      index: 0,
      isNamed,
      facts: ({ paymentId, orderId }) =>
        readInvoice(
          {
            id: paymentId,
            status,
            additionalStatus,
            amount: '10',
            currency: 'USD',
            metadata: { orderId },
          },
          readMethods(
            Object.entries(coins).map(([currency, amount]) => ({
              currency,
              amount: amount.toFixed(8),
              totalPaid: ((amount * came) / 100).toFixed(8),
              due: (amount - (amount * came) / 100).toFixed(8),
              payments: deposits
                .filter(({ coin }) => coin === currency)
                .map((deposit) => ({
                  value: ((amount * deposit.percent) / 100).toFixed(8),
                  status: deposit.status,
                })),
            })),
          ),
        ),
      standing: isMarked
        ? Math.max(100, came)
        : isSettled
          ? came
          : status === 'Settled' || additionalStatus === 'PaidPartial' || isLatePart
            ? settled
            : 0,
      isPaid: isMarked || isSettled || isLateAndWhole,
      isRefund: false,
      isUnderWay:
        ['New', 'Processing', 'Odd'].includes(status ?? '') ||
        (words === 'Expired/PaidLate' && !isLatePart),
    }
  })

type Act =
  | { kind: 'read'; told: Told }
  | { kind: 'buyer takes' | 'operator credits the part' | 'operator credits' | 'operator refunds' }
  /** The buyer, an operator and a reading at the same moment. */
  | { kind: 'all at once'; told: Told }

const actOf = (told: fc.Arbitrary<Told>): fc.Arbitrary<Act> =>
  fc.oneof(
    { weight: 7, arbitrary: fc.record({ kind: fc.constant('read' as const), told }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('all at once' as const), told }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constantFrom('buyer takes' as const, 'operator credits the part' as const),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constantFrom('operator credits' as const, 'operator refunds' as const),
      }),
    },
  )

const enqueueReceipt = async () => {}

async function live(provider: 'nowpayments' | 'btcpay', acts: Act[]) {
  const { database } = db
  const now = new Date()
  const order = await makeOrder(database, { provider, now })
  const tolds = new Map<number, Told>()
  /** How it was credited: by the operator's word, by one payment, or for what several brought. */
  let credited: { by: 'word' | 'payment' | 'worth'; credits: number; index: number } | undefined
  let isReversed = false

  const paymentIdOf = (index: number) =>
    provider === 'btcpay' ? `invoice${order.paymentId}` : `${order.paymentId}${index}`
  const standing = () => [...tolds.values()].reduce((sum, told) => sum + told.standing, 0)
  const reason = { orderId: order.id, reason: 'a test', now }
  const take = (userId: string | undefined) =>
    creditWorth(database, { ...reason, userId, enqueueReceipt })
  const read = async (told: Told) => {
    // The books know a payment from its first reading on, which names the order.
    const orderId = told.isNamed || !tolds.has(told.index) ? order.id : null
    const facts = told.facts({ paymentId: paymentIdOf(told.index), orderId })
    if (facts === undefined) throw new Error('the reading has no payment')
    await settlePayment(database, { provider, facts, now, enqueueReceipt })
    tolds.set(told.index, told)
  }

  async function look() {
    const row = await order.read()
    const { boughtTotal } = await readAccount(database, order.userId)
    const granted = row.credited_at === null ? 0 : (row.credits_granted ?? row.credits)
    expect(boughtTotal, 'the books have what the order says, once').toBe(granted)
    const { rows } = await db.pool.query<{ payment_id: string }>(
      'select payment_id from payments where order_id = $1 and credited',
      [order.id],
    )
    const creditedBy = rows.map(({ payment_id }) =>
      [0, 1, 2].find((index) => paymentIdOf(index) === payment_id),
    )
    return { row, granted, creditedBy: creditedBy[0] ?? -1 }
  }

  for (const act of acts) {
    const before = standing()
    if (act.kind === 'read') await read(act.told)
    else if (act.kind === 'buyer takes') await take(order.userId)
    else if (act.kind === 'operator credits the part') await take(undefined)
    else if (act.kind === 'operator refunds') await refundByOperator(database, reason)
    else if (act.kind === 'operator credits') {
      await settleByOperator(database, { ...reason, enqueueReceipt })
    } else if (act.kind === 'all at once') {
      await Promise.all([take(order.userId), read(act.told), take(undefined)])
    }

    const { row, granted, creditedBy } = await look()
    if (credited !== undefined) {
      expect(granted, 'what was credited stays as it is').toBe(credited.credits)
    } else if (row.credited_at !== null) {
      const told = 'told' in act ? act.told : undefined
      if (act.kind === 'operator credits') {
        expect(granted).toBe(100)
        credited = { by: 'word', credits: granted, index: -1 }
      } else if (row.credits_granted === null) {
        expect(told?.isPaid, 'all credits for a payment that is paid').toBe(true)
        credited = { by: 'payment', credits: granted, index: told?.index ?? -1 }
      } else {
        const worths = [before, standing()].map((sum) => Math.min(100, sum))
        expect(worths, 'as much as stood before or after what happened beside it').toContain(
          granted,
        )
        credited = { by: 'worth', credits: granted, index: creditedBy }
      }
    }
    if (!isReversed && row.reversed_at !== null) {
      const isRefundOfIt = 'told' in act && act.told.isRefund && act.told.index === credited?.index
      expect(act.kind === 'operator refunds' || isRefundOfIt, 'taken back for a refund').toBe(true)
    }
    isReversed = row.reversed_at !== null
  }

  if (credited === undefined || isReversed || credited.by === 'word') return
  // Who keeps credits has money behind them, or somebody is told, or it isn't decided yet.
  const asked = credited.by === 'payment' ? 90 : credited.credits
  const isUnderWay = [...tolds.values()].some((told) => told.isUnderWay)
  const flags = await order.openFlags()
  const isTold = flags.some((kind) => kind.endsWith('_after_credit'))
  expect([flags, standing() >= asked || isTold || isUnderWay]).toEqual([flags, true])
}

describe.each([
  ['nowpayments', toldByNowpayments],
  ['btcpay', toldByBtcpay],
] as const)('with %s', (provider, told) => {
  test('what was paid for good and not returned bounds what is credited, once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(actOf(told), { minLength: 1, maxLength: 9 }), (acts) =>
        live(provider, acts),
      ),
      { numRuns: rounds },
    )
  }, 3_600_000)
})
