import { expect, test } from 'vitest'
import { presentOrder, presentPastOrder } from './present-order.ts'
import type { ShownOrderRow } from './queries.ts'

const row = {
  id: 'order_1_abcdef',
  status: 'processing',
  package_type: 'basic',
  price_cents: 1990,
  received_cents: null,
  credits: 100,
  credits_granted: null,
  payment_url: 'https://pay.example/1',
  invoice_id: '7',
  created_at: new Date('2026-11-20T12:00:00Z'),
  credited_at: null,
  underpayment: {
    worthCredits: 40,
    missing: { paid: '0.03', amount: '0.05', currency: 'usdcmatic' },
    paymentIds: ['5'],
  },
  paid_late: false,
  provider: 'nowpayments',
} as Partial<ShownOrderRow> as ShownOrderRow
const present = (more: Partial<ShownOrderRow> = {}) => presentOrder({ ...row, ...more }, 'u')

test('an underpaid order tells what came, what is missing and what its money is worth', () => {
  expect(present()).toMatchObject({
    amount: 19.9,
    credits: 100,
    completedAt: null,
    underpaid: {
      paidAmount: '0.03',
      missingAmount: '0.05',
      currency: 'USDC (Polygon)',
      payUrl: 'https://pay.example/1',
      worthCredits: 40,
    },
  })
})

test('nothing is missing of an order of which nothing is known', () => {
  expect(present({ underpayment: null }).underpaid).toBeNull()
  const unknown = { worthCredits: 0, missing: null, paymentIds: [] }
  expect(present({ underpayment: unknown }).underpaid).toBeNull()
})

test('an order that was credited in part tells the credits that it got', () => {
  const credited = { status: 'completed', credited_at: new Date('2026-11-20T12:30:00Z') } as const
  expect(present({ ...credited, credits_granted: 40 })).toMatchObject({
    credits: 40,
    completedAt: '2026-11-20T12:30:00.000Z',
  })
})

test('a past order tells when its money went back, and its coins with their networks', () => {
  const refunded = {
    ...row,
    credited_at: new Date('2026-11-20T12:30:00Z'),
    reversed_at: new Date('2026-11-22T08:00:00Z'),
    payments: [{ paymentId: '5', amount: '0.03', currency: 'usdcmatic', arrivedAt: '' }],
  }
  expect(presentPastOrder(refunded, 'u')).toMatchObject({
    refundedAt: '2026-11-22T08:00:00.000Z',
    payments: [{ paymentId: '5', currency: 'USDC (Polygon)' }],
  })
  expect(presentPastOrder({ ...refunded, reversed_at: null }, 'u').refundedAt).toBeNull()
})
