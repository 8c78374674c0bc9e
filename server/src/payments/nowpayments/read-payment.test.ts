import { describe, expect, test } from 'vitest'
import { canonicalPaymentId, mapStatus, readPayment } from './read-payment.ts'

describe('a payment id', () => {
  test.each([
    [5_745_459_419, '5745459419'],
    ['5745459419', '5745459419'],
    ['5745459419.0', '5745459419'],
    ['5.745459419e9', '5745459419'],
    ['5.745459419E+9', '5745459419'],
    [' 5745459419 ', '5745459419'],
    ['5.745459419e09', '5745459419'],
    [JSON.parse('5745459419.0'), '5745459419'],
    [JSON.parse('5.745459419e9'), '5745459419'],
  ])('%j is spelled %s', (given, expected) => expect(canonicalPaymentId(given)).toBe(expected))

  test.each([
    null,
    undefined,
    0,
    -5,
    1.5,
    '1.5',
    '',
    'abc',
    '0x10',
    '12 34',
    Number.NaN,
    Number.POSITIVE_INFINITY,
    2 ** 53,
    '1e99',
    {},
    [7],
    true,
  ])('%j is none', (given) => expect(canonicalPaymentId(given)).toBeUndefined())
})

test.each([
  ['waiting', 'waiting'],
  ['confirming', 'processing'],
  ['confirmed', 'processing'],
  ['sending', 'processing'],
  ['partially_paid', 'partial'],
  ['finished', 'finished'],
  ['failed', 'failed'],
  ['refunded', 'refunded'],
  ['expired', 'expired'],
  ['cancelled', 'failed'],
  ['FINISHED', 'unknown'],
  ['toString', 'unknown'],
  [null, 'unknown'],
] as const)('the status %j means %s', (status, state) => expect(mapStatus(status)).toBe(state))

test('numbers and times are read whether they come as numbers or as text', () => {
  const fromApi = readPayment({
    payment_id: 5_745_459_419,
    invoice_id: 5_824_448_584,
    payment_status: 'partially_paid',
    price_amount: 19.9,
    price_currency: 'USD',
    pay_amount: 20.1,
    actually_paid: 12,
    pay_currency: 'usdtbsc',
    order_id: 'order_mb1x2y3z_a1b2c3',
    purchase_id: 4_942_282_942,
    created_at: '2025-11-20T14:40:00.000Z',
    updated_at: '2025-11-20T14:46:40.000Z',
  })
  const asText = readPayment({
    payment_id: '5745459419',
    invoice_id: '5824448584',
    parent_payment_id: null,
    payment_status: 'partially_paid',
    price_amount: '19.90',
    price_currency: 'usd',
    pay_amount: '20.1',
    actually_paid: '12',
    pay_currency: 'USDTBSC',
    order_id: 'order_mb1x2y3z_a1b2c3',
    updated_at: Date.parse('2025-11-20T14:46:40.000Z'),
  })
  expect(fromApi).toEqual(asText)
  expect(fromApi).toMatchObject({
    paymentId: '5745459419',
    payCurrency: 'usdtbsc',
    providerStatus: 'partially_paid',
    price: { minorUnits: 1990, currency: 'usd' },
    payAmount: 20.1,
    paidAmount: 12,
    settledAmount: 12,
    updatedAtMs: Date.UTC(2025, 10, 20, 14, 46, 40),
    parentPaymentId: null,
    state: 'partial',
  })
})

test('a parent that can’t be read still marks a second deposit', () => {
  expect(readPayment({ payment_id: 1, parent_payment_id: 'x' })?.parentPaymentId).toBe('unreadable')
})

test('a price that is no whole number of cents is none', () => {
  expect(
    readPayment({ payment_id: 1, price_amount: 10.005, price_currency: 'usd' })?.price,
  ).toBeNull()
  expect(
    readPayment({ payment_id: 1, price_amount: 'ten', price_currency: 'usd' })?.price,
  ).toBeNull()
})

test.each([null, [], 'text', {}, { payment_id: 'x' }])('%j is no payment', (body) => {
  expect(readPayment(body)).toBeUndefined()
})

test('amounts below zero and words are none; nothing is an amount', () => {
  const read = (amount: unknown) =>
    readPayment({ payment_id: 1, actually_paid: amount })?.paidAmount
  expect([0, '0', 0.5].map(read)).toEqual([0, 0, 0.5])
  expect([-0.01, '-1', 'x', null, undefined].map(read)).toEqual([null, null, null, null, null])
})

test('a status of any length is kept in forty characters, and none as none', () => {
  const read = (status: unknown) => readPayment({ payment_id: 1, payment_status: status })
  expect(read('x'.repeat(41))?.providerStatus).toBe('x'.repeat(40))
  expect(read(undefined)?.providerStatus).toBe('none')
  expect(read(['finished'])?.state).toBe('unknown')
})
