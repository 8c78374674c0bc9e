import { expect, test } from 'vitest'
import { presentOrder } from './present-order.ts'
import type { OrderRow } from './queries.ts'

const row = {
  id: 'order_1_abcdef',
  status: 'processing',
  package_type: 'basic',
  price_cents: 1990,
  credits: 100,
  credits_granted: null,
  payment_url: 'https://pay.example/1',
  invoice_id: '7',
  created_at: new Date('2026-11-20T12:00:00Z'),
  credited_at: null,
  missing_amount: '0.050000000000',
  missing_currency: 'btc',
  worth_credits: 40,
  paid_late: false,
  provider: 'nowpayments',
} as OrderRow
const present = (more: Partial<OrderRow> = {}) => presentOrder({ ...row, ...more }, 'u')

test('an underpaid order tells what is missing and what its money is worth', () => {
  expect(present()).toMatchObject({
    amount: 19.9,
    credits: 100,
    completedAt: null,
    underpaid: {
      missingAmount: '0.05',
      currency: 'BTC',
      payUrl: 'https://pay.example/1',
      worthCredits: 40,
    },
  })
  expect(present({ missing_amount: '12.000000000000' }).underpaid?.missingAmount).toBe('12')
  expect(present({ missing_amount: '120' }).underpaid?.missingAmount).toBe('120')
})

test('nothing is missing of an order that isn’t under way, or of which nothing is known', () => {
  expect(present({ missing_amount: null }).underpaid).toBeNull()
  expect(present({ status: 'expired' }).underpaid).toBeNull()
})

test('an order that was credited in part tells the credits that it got', () => {
  const credited = { status: 'completed', credited_at: new Date('2026-11-20T12:30:00Z') } as const
  expect(present({ ...credited, credits_granted: 40 })).toMatchObject({
    credits: 40,
    completedAt: '2026-11-20T12:30:00.000Z',
  })
})
