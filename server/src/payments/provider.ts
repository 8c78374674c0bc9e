import type { IncomingHttpHeaders } from 'node:http'
import type { PaymentProviderName } from '@starside/contract/payment-providers.ts'

export type { PaymentProviderName as ProviderName } from '@starside/contract/payment-providers.ts'

/** Where a payment is, in words that every provider's own are mapped to. */
export type PaymentState =
  /** Nothing has arrived. */
  | 'waiting'
  /** Coins were seen but are not ours for good. */
  | 'processing'
  /** Less than the price has arrived. */
  | 'partial'
  /** Paid for good: the only state that may credit an order. */
  | 'finished'
  | 'failed'
  | 'refunded'
  | 'expired'
  /** The payer has the money claimed back, and it isn't decided yet: a chargeback, a complaint. */
  | 'disputed'
  /** A word we don't know: logged, changes nothing. */
  | 'unknown'

/** A price: whole minor units (cents) of a currency (ISO 4217, lower case), as `1990` of `usd`. */
export type Money = { minorUnits: number; currency: string }

/** What a provider says about one payment, read with our own key. */
export interface PaymentFacts {
  /** Canonical: an integer in decimal digits (NOWPayments) or the invoice's id (BTCPay Server). */
  paymentId: string
  /** Set on a repeated or wrong-asset deposit: it never credits. */
  parentPaymentId: string | null
  invoiceId: string | null
  /** Our order id as the provider kept it. */
  orderId: string | null
  state: PaymentState
  /** The provider's own word, for the log. */
  providerStatus: string
  /** What it is for; null when that can't be read as whole minor units of a currency. */
  price: Money | null
  /** Lower-case code of what is paid in, a coin or a currency; null while none was chosen. */
  payCurrency: string | null
  /** How much of it was asked for and was received, in its usual unit; null when not known. */
  payAmount: number | null
  paidAmount: number | null
  /** What of the received is ours for good: the rest isn't confirmed and may still vanish. */
  settledAmount: number | null
  /** The provider counts it as paid after its own time-out. */
  isLate: boolean
  /** More has arrived than was asked for, by the provider's own word. */
  isOverpaid: boolean
  /** Marked as paid by the merchant in the provider's interface, whatever amounts are reported. */
  isMarkedPaid: boolean
  /** When the provider last changed it, in epoch milliseconds; null when not known. */
  updatedAtMs: number | null
}

/** What the provider is asked to collect. */
export interface CheckoutRequest {
  orderId: string
  price: Money
  /** What is bought, as the pay page shows it. */
  description: string
  /** Where the browser goes after paying, and after giving up. They prove nothing. */
  returnUrl: string
}

export interface Checkout {
  invoiceId: string
  paymentUrl: string
  /** Known at once where an invoice is the payment itself. */
  paymentId: string | null
}

/** What a callback turned out to be. Its content only says where to look. */
export type CallbackVerdict =
  | { outcome: 'forged' }
  /** Signed, but about nothing of ours, or unreadable. */
  | { outcome: 'ignored'; reason: string }
  | { outcome: 'payment'; paymentId: string }

/** A company or a server that collects money for us. */
export interface PaymentProvider {
  name: PaymentProviderName
  /** Opens an invoice. Throws `PaymentProviderError`. */
  createCheckout(request: CheckoutRequest, signal: AbortSignal): Promise<Checkout>
  /** Checks the signature over the raw bytes; never throws. */
  verifyCallback(rawBody: Buffer, headers: IncomingHttpHeaders): CallbackVerdict
  /** Reads a payment with our key; undefined when the provider doesn't know it. */
  fetchPayment(paymentId: string, signal: AbortSignal): Promise<PaymentFacts | undefined>
  /** Payments under an order, as far as they can be found without a callback; else empty. */
  findPayments(
    order: { orderId: string; invoiceId: string },
    signal: AbortSignal,
  ): Promise<PaymentFacts[]>
  /** Lets an invoice's page say that its order was cancelled, where that page is ours. */
  closeCheckout?: (invoiceId: string) => void
  /** Start-up check: sentences about what will go wrong for these prices; empty when nothing. */
  checkPrices(pricesCents: readonly number[], signal: AbortSignal): Promise<string[]>
}

/** The provider refused or didn't answer. */
export class PaymentProviderError extends Error {
  override readonly name = 'PaymentProviderError'
}
