import { expect, test } from 'vitest'
import { createPayments, invoiceBody, minimumUsd, orderBody } from './payments.ts'

/** Payments whose numbers follow from `draws`, and from a count once these are used up. */
function open(draws: number[] = []) {
  let count = 0
  const random = () => draws.shift() ?? (count += 1) / 2e9
  return createPayments({ outcomeCoin: 'usdcmatic', now: () => 0, random })
}
const order = orderBody.parse({ price_amount: 10, price_currency: 'usd' })
const invoice = invoiceBody.parse(order)
const under = { pay_currency: 'ltc', invoice_id: null, parent_payment_id: null }

test('numbers have ten digits and are given once, also where the same one is drawn again', () => {
  const payments = open([0.25, 0.5, 0.25, 0.75])
  const first = payments.open(order, under)
  const second = payments.open(order, under)
  expect([first.payment_id, second.payment_id]).toEqual([4_500_000_000, 5_500_000_000])
  expect(first.purchase_id, 'of a payment and of a purchase').not.toBe(first.payment_id)
})

test('the least amount is taken, anything below it is refused', () => {
  const payments = open()
  const least = minimumUsd('ltc', 'usdcmatic')
  expect(payments.open({ ...order, price_amount: least }, under).price_amount).toBe(least)
  const less = { ...order, price_amount: least - 0.001 }
  expect(() => payments.open(less, under)).toThrow('less than minimal')
})

test('a demonstration that runs for months forgets its oldest invoices, and no newer one', () => {
  const payments = open()
  const ids = Array.from({ length: 20_000 }, () => payments.putInvoice(invoice).id)
  expect(payments.findInvoice(ids[0]!).id).toBe(ids[0])
  payments.putInvoice(invoice)
  expect(() => payments.findInvoice(ids[0]!)).toThrow('Invoice not found')
  expect(payments.findInvoice(ids[1]!).id).toBe(ids[1])
})

test('an invoice that nobody knows is not made by cancelling it', () => {
  const payments = open()
  payments.cancelInvoice('4000000001')
  expect(() => payments.findInvoice('4000000001')).toThrow('Invoice not found')
  const { id } = payments.putInvoice(invoice)
  payments.cancelInvoice(id)
  expect(payments.findInvoice(id)).toMatchObject({ price_amount: 10, isCancelled: true })
})

test.each(['javascript:alert(1)', 'ftp://shop.example/', 'data:text/html,x'])(
  'no address of an invoice leads to %s',
  (address) => {
    for (const field of ['success_url', 'cancel_url', 'ipn_callback_url']) {
      expect(invoiceBody.safeParse({ ...invoice, [field]: address }).success, field).toBe(false)
    }
  },
)
