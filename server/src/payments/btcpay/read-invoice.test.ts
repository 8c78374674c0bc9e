import { describe, expect, test } from 'vitest'
import { readInvoice, readMethods } from './read-invoice.ts'
import type { MethodSummary } from './read-invoice.ts'

const method = (more: Partial<MethodSummary> = {}): MethodSummary => ({
  payCurrency: 'btc',
  price: 10,
  due: 0,
  settled: 10,
  unsettled: 0,
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
  const unused = method({ payCurrency: 'ltc', price: 99, due: 99, settled: 0 })
  expect(read({}, [unused, method({ settled: 4, due: 6 })])).toMatchObject({
    payCurrency: 'btc',
    payAmount: 10,
    paidAmount: 4,
    settledAmount: 4,
  })
  for (const methods of [[unused], [method({ price: null })], [method({ price: 0 })]]) {
    expect(read({}, methods)).toMatchObject({
      payCurrency: null,
      payAmount: null,
      paidAmount: null,
    })
  }
})

test('what a coin’s smallest unit leaves open counts as paid where the server says so', () => {
  const paid = (settled: number, due: number) => read({}, [method({ settled, due })])?.paidAmount
  expect([paid(9.9995, 0), paid(9.99, 0), paid(4.9995, 5)]).toEqual([10, 9.99, 5])
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

test('a late payment is finished when all deposits are final and nothing is due', () => {
  const late = (methods: MethodSummary[]) =>
    read({ status: 'Expired', additionalStatus: 'PaidLate' }, methods)?.state
  const unused = method({ payCurrency: 'ltc', settled: 0, due: 0 })
  const half = { settled: 5, due: 0 }
  expect(late([method(), unused])).toBe('finished')
  expect(late([method(half), method({ ...half, payCurrency: 'ltc' })])).toBe('finished')
  expect(late([method({ due: null })])).toBe('finished')
  expect(late([method({ settled: 5, unsettled: 5 })])).toBe('processing')
  expect(late([method(), { ...unused, unsettled: 1 }])).toBe('processing')
  expect(late([unused])).toBe('processing')
  expect(late([])).toBe('processing')
})

test('a late payment within the shop’s tolerance is a part of the price', () => {
  const late = { status: 'Expired', additionalStatus: 'PaidLate' }
  expect(read(late, [method({ settled: 9.7, due: 0.3 })])).toMatchObject({
    state: 'partial',
    settledAmount: 9.7,
  })
})

describe('deposits', () => {
  const coins = { BTC: 0.0001, LTC: 0.142_857_14 }
  /** An invoice of $10, of which each deposit paid a share of the price. */
  function invoice(
    status: string,
    deposits: { coin: keyof typeof coins; share: number; status?: string }[],
  ) {
    const accounted = deposits.filter((deposit) => deposit.status !== 'Invalid')
    const paid = accounted.reduce((sum, { share }) => sum + share, 0)
    const methods = Object.entries(coins).map(([currency, amount]) => ({
      currency,
      amount: amount.toFixed(8),
      totalPaid: (amount * paid).toFixed(8),
      due: (amount * (1 - paid)).toFixed(8),
      payments: deposits
        .filter(({ coin }) => coin === currency)
        .map(({ share, status: state = 'Settled' }) => ({
          value: (amount * share).toFixed(8),
          status: state,
        })),
    }))
    const [state, additionalStatus] = status.split('/')
    const body = { id: 'abc', status: state, additionalStatus, amount: '10', currency: 'USD' }
    const facts = readInvoice(body, readMethods(methods))
    const of = (amount: number | null | undefined) =>
      amount == null ? null : Number((amount / (facts?.payAmount ?? 0)).toFixed(4))
    return { ...facts, paid: of(facts?.paidAmount), settled: of(facts?.settledAmount) }
  }

  test.each([
    [0.1, 0.6, 0.7],
    [0.6, 0.1, 0.7],
    [0.4, 0.4, 0.8],
    [0.1, 0.87, 0.97],
    [0.5, 0.5, 1],
    [0.333, 0.333, 0.666],
  ])('in two coins add up, in either order: %f and %f are %f', (btc, ltc, sum) => {
    const deposits = [
      { coin: 'BTC', share: btc },
      { coin: 'LTC', share: ltc },
    ] as const
    for (const status of ['New/PaidPartial', 'Settled/None', 'Expired/PaidPartial']) {
      for (const order of [deposits, deposits.toReversed()]) {
        expect(invoice(status, [...order])).toMatchObject({ paid: sum, settled: sum })
      }
    }
  })

  test('are shown in the coin that brought the most', () => {
    const [little, much] = [0.2, 0.3]
    expect(
      invoice('New/PaidPartial', [
        { coin: 'BTC', share: little },
        { coin: 'LTC', share: much },
      ]).payCurrency,
    ).toBe('ltc')
  })

  test('that aren’t confirmed have come, and are not ours', () => {
    expect(
      invoice('New/PaidPartial', [{ coin: 'BTC', share: 0.9, status: 'Processing' }]),
    ).toMatchObject({ state: 'partial', paid: 0.9, settled: 0 })
    expect(
      invoice('Expired/PaidPartial', [
        { coin: 'BTC', share: 0.2 },
        { coin: 'LTC', share: 0.5, status: 'Processing' },
        { coin: 'LTC', share: 0.1, status: 'Levitating' },
      ]),
    ).toMatchObject({ paid: 0.8, settled: 0.2 })
  })

  test('that are invalid have not come, and hold up no late payment', () => {
    expect(
      invoice('New/PaidPartial', [
        { coin: 'BTC', share: 0.8, status: 'Invalid' },
        { coin: 'BTC', share: 0.1 },
      ]),
    ).toMatchObject({ paid: 0.1, settled: 0.1 })
    expect(
      invoice('Expired/PaidLate', [
        { coin: 'BTC', share: 1, status: 'Invalid' },
        { coin: 'BTC', share: 1 },
      ]).state,
    ).toBe('finished')
  })

  test('count for no more than the server says came', () => {
    const wrong = {
      currency: 'BTC',
      amount: '10',
      due: '9',
      payments: [{ value: '8', status: 'Settled' }],
    }
    expect(read({}, readMethods([wrong]))).toMatchObject({ paidAmount: 1, settledAmount: 1 })
    expect(read({}, readMethods([{ ...wrong, due: '12' }]))).toMatchObject({ paidAmount: 0 })
  })

  test('of more than the price are told', () => {
    expect(invoice('Settled/PaidOver', [{ coin: 'BTC', share: 1.5 }])).toMatchObject({ paid: 1.5 })
  })
})

test('the methods’ answer is read field by field, whatever it is', () => {
  const nothing = { payCurrency: null, price: null, due: null, settled: 0, unsettled: 0 }
  expect(
    readMethods([
      {
        currency: 'BTC',
        amount: '10',
        totalPaid: '4',
        due: '6',
        payments: [
          { status: 'Settled', value: '3' },
          { status: 'Processing', value: '1' },
          { status: 'Settled', value: '-2' },
          { status: 'Settled' },
          null,
        ],
      },
      { currency: 7, totalPaid: '2', due: '3', payments: 'none' },
      null,
    ]),
  ).toEqual([
    { payCurrency: 'btc', price: 10, due: 6, settled: 3, unsettled: 1 },
    { ...nothing, price: 5, due: 3 },
    nothing,
  ])
  for (const body of [undefined, {}, 'text']) expect(readMethods(body)).toEqual([])
})
