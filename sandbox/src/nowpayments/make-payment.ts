import type { Invoice, Payment } from './book.ts'
import { findCoin, minimumUsd, roundTo, usdRate } from './coins.ts'
import type { Coin } from './coins.ts'
import { GatewayError, badRequest } from './gateway-error.ts'
import type { GatewayContext } from './gateway.ts'

/** What the caller of `POST /v1/payment` asks for. */
export interface PaymentRequest {
  invoiceId: string | null
  purchaseId: number | null
  priceAmount: number
  priceCurrency: string
  payCurrency: string
  orderId: string | null
  orderDescription: string | null
  ipnCallbackUrl: string | null
  outcomeCurrency: string | null
  isFixedRate: boolean
  isFeePaidByUser: boolean
}

/** Opens a payment in `waiting` with an address of its own; refuses too small amounts. */
export function makePayment(context: GatewayContext, request: PaymentRequest): Payment {
  const coin = findCoin(request.payCurrency)
  const outcome = findCoin(request.outcomeCurrency ?? context.outcomeCoin)
  const priceUsd = usdRate(request.priceCurrency)
  if (coin === undefined || outcome === undefined || priceUsd === undefined) {
    throw badRequest(
      `Currency ${request.priceCurrency} is not convertable to ${request.payCurrency} now`,
    )
  }
  const usd = request.priceAmount * priceUsd
  if (usd < minimumUsd(coin, outcome)) {
    throw new GatewayError(400, 'AMOUNT_MINIMAL_ERROR', `Crypto amount ${usd} is less than minimal`)
  }
  const now = context.clock.now()
  const payment: Payment = {
    id: newPaymentId(context),
    invoiceId: request.invoiceId,
    parentPaymentId: null,
    purchaseId: request.purchaseId ?? newPurchaseId(context),
    status: 'waiting',
    priceAmount: request.priceAmount,
    priceCurrency: request.priceCurrency.toLowerCase(),
    payAmount: roundTo(coin.code, usd / coin.usd),
    payCurrency: coin.code,
    actuallyPaid: 0,
    payAddress: newAddress(context, coin),
    payinExtraId: coin.extraIdName === null ? null : digits(context, 9),
    payinHash: null,
    payoutHash: null,
    orderId: request.orderId,
    orderDescription: request.orderDescription,
    ipnCallbackUrl: request.ipnCallbackUrl,
    outcomeCurrency: outcome.code,
    isFixedRate: request.isFixedRate,
    isFeePaidByUser: request.isFeePaidByUser,
    createdAtMs: now,
    updatedAtMs: now,
  }
  context.book.putPayment(payment)
  return payment
}

/** Opens a payment in the coin that the buyer chose for an invoice. */
export function payInvoice(
  context: GatewayContext,
  invoice: Invoice,
  payCurrency: string,
  purchaseId: number | null,
): Payment {
  return makePayment(context, {
    invoiceId: invoice.id,
    purchaseId,
    priceAmount: invoice.priceAmount,
    priceCurrency: invoice.priceCurrency,
    payCurrency,
    orderId: invoice.orderId,
    orderDescription: invoice.orderDescription,
    ipnCallbackUrl: invoice.ipnCallbackUrl,
    outcomeCurrency: invoice.payoutCurrency,
    isFixedRate: invoice.isFixedRate,
    isFeePaidByUser: invoice.isFeePaidByUser,
  })
}

/** A ten-digit number that no payment has. */
export function newPaymentId(context: GatewayContext): number {
  return freeNumber(context, (id) => context.book.payments.has(id))
}

export function newPurchaseId(context: GatewayContext): number {
  return freeNumber(context, () => false)
}

export function newInvoiceId(context: GatewayContext): string {
  return String(freeNumber(context, (id) => context.book.invoices.has(String(id))))
}

function freeNumber(context: GatewayContext, isTaken: (id: number) => boolean): number {
  for (;;) {
    const id = 4_000_000_000 + Math.floor(context.random() * 2_000_000_000)
    if (!isTaken(id)) return id
  }
}

function newAddress(context: GatewayContext, coin: Coin): string {
  const { prefix, length, alphabet } = coin.address
  const rest = Array.from(
    { length },
    () => alphabet[Math.floor(context.random() * alphabet.length)],
  )
  return prefix + rest.join('')
}

function digits(context: GatewayContext, count: number): string {
  return Array.from({ length: count }, () => Math.floor(context.random() * 10)).join('')
}
