import { expect, test } from 'vitest'
import { readInvoice, readMethods } from './read-invoice.ts'
import type { MethodSummary } from './read-invoice.ts'

const method = (more: Partial<MethodSummary> = {}): MethodSummary => ({
  payCurrency: 'btc',
  amount: 10,
  paid: 10,
  due: 0,
  depositCount: 1,
  areAllSettled: true,
  ...more,
})
const read = (fields: object, methods: MethodSummary[] = [method()]) =>
  readInvoice({ id: 'abc', status: 'Settled', amount: '10', currency: 'USD', ...fields }, methods)

test('an invoice without an id or a status is none', () => {
  expect(read({ id: 'a/b' })).toBeUndefined()
  expect(read({ id: 7 })).toBeUndefined()
  expect(read({ status: null })).toBeUndefined()
  expect(read({})).toMatchObject({ paymentId: 'abc', state: 'finished' })
})

test('the amounts are those of the coin that was used', () => {
  const unused = method({ payCurrency: 'ltc', depositCount: 0, amount: 99, paid: 0, due: 99 })
  expect(read({}, [unused, method({ paid: 4, due: 6 })])).toMatchObject({
    payCurrency: 'btc',
    payAmount: 10,
    paidAmount: 4,
  })
  expect(read({}, [unused])).toMatchObject({ payCurrency: null, payAmount: null, paidAmount: null })
})

test('what was asked for is what came and is due, or else the invoice’s amount', () => {
  const payAmount = (more: Partial<MethodSummary>) => read({}, [method(more)])?.payAmount
  expect(payAmount({ amount: 1, paid: 12, due: -2 })).toBe(12)
  expect(payAmount({ amount: 7, paid: null, due: 3 })).toBe(7)
  expect(payAmount({ amount: 7, paid: 3, due: null })).toBe(7)
})

test('the provider’s words are kept in forty characters', () => {
  expect(read({ additionalStatus: 'PaidOver' })).toMatchObject({
    providerStatus: 'Settled/PaidOver',
    isOverpaid: true,
    isLate: false,
    isMarkedPaid: false,
  })
  expect(read({ additionalStatus: 'x'.repeat(60) })?.providerStatus).toHaveLength(40)
})

test('late and marked payments are known by the provider’s words', () => {
  expect(read({ additionalStatus: 'Marked' })).toMatchObject({ isMarkedPaid: true, isLate: false })
  expect(read({ status: 'Invalid', additionalStatus: 'Marked' })?.isMarkedPaid).toBe(false)
  expect(read({ status: 'Expired', additionalStatus: 'PaidLate' })?.isLate).toBe(true)
})

test('a late payment is finished when all deposits are final and one coin has nothing due', () => {
  const late = (methods: MethodSummary[]) =>
    read({ status: 'Expired', additionalStatus: 'PaidLate' }, methods)?.state
  const rest = method({ payCurrency: 'ltc', due: 3 })
  const unused = method({ payCurrency: 'ltc', depositCount: 0, areAllSettled: true, due: 0 })
  expect(late([method()])).toBe('finished')
  expect(late([method(), rest])).toBe('finished')
  expect(late([method(), method({ areAllSettled: false })])).toBe('processing')
  expect(late([rest])).toBe('processing')
  expect(late([rest, unused])).toBe('processing')
  expect(late([method({ due: null })])).toBe('processing')
  expect(late([unused])).toBe('processing')
  expect(late([])).toBe('processing')
  expect(late([method(), { ...unused, areAllSettled: false }])).toBe('finished')
})

test('the methods’ answer is read field by field, whatever it is', () => {
  expect(
    readMethods([
      {
        currency: 'BTC',
        amount: '10',
        totalPaid: '4',
        due: '6',
        payments: [{ status: 'Settled' }, { status: 'Processing' }],
      },
      { currency: 7, paymentMethodPaid: '1', totalPaid: '2', payments: 'none' },
      null,
    ]),
  ).toEqual([
    {
      payCurrency: 'btc',
      amount: 10,
      paid: 4,
      due: 6,
      depositCount: 2,
      areAllSettled: false,
    },
    { payCurrency: null, amount: null, paid: 1, due: null, depositCount: 0, areAllSettled: true },
    {
      payCurrency: null,
      amount: null,
      paid: null,
      due: null,
      depositCount: 0,
      areAllSettled: true,
    },
  ])
  for (const body of [undefined, {}, 'text']) expect(readMethods(body)).toEqual([])
})
