import { z } from 'zod'
import coinList from './coins.json' with { type: 'json' }

/**
 * The provider's words for where a payment is, with what a tester can then let the buyer, the chain
 * or the provider do.
 */
export const actionsByStatus = {
  waiting: ['pay', 'underpay', 'overpay', 'pay-late', 'fail', 'expire', 'resend'],
  confirming: ['fail', 'resend'],
  confirmed: ['fail', 'resend'],
  sending: ['resend'],
  partially_paid: ['pay-rest', 'refund', 'resend'],
  finished: ['deposit-again', 'wrong-asset', 'refund', 'resend'],
  failed: ['resend'],
  refunded: ['resend'],
  expired: ['pay-late', 'resend'],
} as const
export type PaymentStatus = keyof typeof actionsByStatus
export type Action = (typeof actionsByStatus)[PaymentStatus][number]
export const actions = [...new Set<Action>(Object.values(actionsByStatus).flat())]

const text = z.string().nullable().default(null)
const url = z
  .url({ protocol: /^https?$/ })
  .nullable()
  .default(null)

/** What a merchant asks for, in the provider's own words, as everything below. */
export const orderBody = z.object({
  price_amount: z.number().positive(),
  price_currency: z.literal('usd'),
  order_id: text,
  order_description: text,
  ipn_callback_url: url,
})
export const invoiceBody = orderBody.extend({ success_url: url, cancel_url: url })

export interface Invoice extends z.output<typeof invoiceBody> {
  id: string
  /** Given up by its buyer in the shop: a word that the protocol doesn't have, for the page alone. */
  isCancelled?: true
}

/** One expected or received deposit. */
export interface Payment extends z.output<typeof orderBody> {
  payment_id: number
  invoice_id: number | null
  parent_payment_id: number | null
  purchase_id: number
  payment_status: PaymentStatus
  pay_amount: number
  pay_currency: string
  actually_paid: number
  /** Milliseconds since the epoch. */
  updated_at: number
}

/** Says no to a caller, in the provider's own form. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly statusCode: number
  readonly code: string

  constructor(statusCode: number, code: string, message: string) {
    super(message)
    this.statusCode = statusCode
    this.code = code
  }
}

/** The coins that the gateway takes: made-up rates, and the least that one may pay in US dollars. */
export const coins = new Map(Object.entries(coinList))

export function findCoin(code: string) {
  const coin = coins.get(code)
  if (coin !== undefined) return coin
  throw new GatewayError(400, 'BAD_REQUEST', `Currency ${code} was not found`)
}

/** The smallest payment in US dollars for paying in `from` when the merchant is settled in `to`. */
export function minimumUsd(from: string, to: string): number {
  return Math.max(findCoin(from).minUsd, findCoin(to).minUsd)
}

/** `amount` rounded to the decimal places of a coin. */
export function roundTo(code: string, amount: number): number {
  return Number(amount.toFixed(findCoin(code).precision))
}

/** Older ones are forgotten, so that a demonstration that runs for months doesn't fill the memory. */
const keptMax = 20_000

export type Payments = ReturnType<typeof createPayments>

/**
 * Everything the gateway knows, for as long as the program runs.
 * @param options.outcomeCoin the coin that the merchant is settled in
 */
export function createPayments(options: {
  outcomeCoin: string
  now: () => number
  random: () => number
}) {
  const { now, outcomeCoin, random } = options
  const invoices = new Map<string, Invoice>()
  const payments = new Map<string, Payment>()

  /** A ten-digit number that isn't taken. */
  function freeNumber(taken: ReadonlyMap<string, unknown>): number {
    for (;;) {
      const id = 4_000_000_000 + Math.floor(random() * 2_000_000_000)
      if (!taken.has(String(id))) return id
    }
  }
  function keep<Item>(map: Map<string, Item>, id: string | number, item: Item): Item {
    map.set(String(id), item)
    const [oldest] = map.keys()
    if (map.size > keptMax && oldest !== undefined) map.delete(oldest)
    return item
  }

  return {
    putInvoice(asked: Omit<Invoice, 'id'>): Invoice {
      const id = String(freeNumber(invoices))
      return keep(invoices, id, { ...asked, id })
    },
    /** What a restart has forgotten has no page either. */
    cancelInvoice(id: string): void {
      const invoice = invoices.get(id)
      if (invoice !== undefined) invoices.set(id, { ...invoice, isCancelled: true })
    },
    findInvoice: (id: string) => invoices.get(id) ?? refuseUnknown('Invoice'),
    /** Opens a payment in `waiting`; refuses unknown coins and too small amounts. */
    open(
      asked: z.output<typeof orderBody>,
      under: Pick<Payment, 'pay_currency' | 'invoice_id' | 'parent_payment_id'>,
    ): Payment {
      const { price_amount: usd } = asked
      const { pay_currency: coin } = under
      if (usd < minimumUsd(coin, outcomeCoin)) {
        const message = `Crypto amount ${usd} is less than minimal`
        throw new GatewayError(400, 'AMOUNT_MINIMAL_ERROR', message)
      }
      const id = freeNumber(payments)
      return keep(payments, id, {
        ...orderBody.parse(asked),
        ...under,
        payment_id: id,
        purchase_id: freeNumber(payments),
        payment_status: 'waiting',
        pay_amount: roundTo(coin, usd / findCoin(coin).usd),
        actually_paid: 0,
        updated_at: now(),
      })
    },
    update: (payment: Payment) => void payments.set(String(payment.payment_id), payment),
    find: (id: string) => payments.get(id) ?? refuseUnknown('Payment'),
    /** Those of one invoice, oldest first. */
    ofInvoice: (id: string) =>
      [...payments.values()].filter(({ invoice_id }) => String(invoice_id) === id),
  }
}

function refuseUnknown(what: string): never {
  throw new GatewayError(404, 'NOT_FOUND', `${what} not found`)
}

/** What a callback says: numbers for `payment_id` and `updated_at`, text for `purchase_id`. */
export function callbackFields({ ipn_callback_url: _url, ...payment }: Payment) {
  return {
    ...payment,
    purchase_id: String(payment.purchase_id),
    payment_extra_ids: null,
    fee: { currency: payment.pay_currency, depositFee: 0, withdrawalFee: 0, serviceFee: 0 },
  }
}

/** The answer to `GET /v1/payment/:id`: here ids are numbers and times ISO text. */
export function paymentAnswer({ ipn_callback_url: _url, ...payment }: Payment) {
  const updatedAt = new Date(payment.updated_at).toISOString()
  return { ...payment, updated_at: updatedAt, burning_percent: 'null', payment_extra_ids: [] }
}

/** The answer to the calls that open a payment: here ids are text. */
export function openedPaymentAnswer(payment: Payment) {
  const { payment_id: id, purchase_id: purchaseId } = payment
  return { ...paymentAnswer(payment), payment_id: String(id), purchase_id: String(purchaseId) }
}

/** The answer to `POST /v1/invoice`: ids and the price are text. */
export function invoiceAnswer(invoice: Invoice, publicUrl: string) {
  const address = `${publicUrl}/payment/?iid=${invoice.id}`
  const price = String(invoice.price_amount)
  return { ...invoice, price_amount: price, pay_currency: null, invoice_url: address }
}
