import type { Invoice, Payment } from './book.ts'
import { outcomeAmount, sharedFields } from './callback-body.ts'
import type { Coin } from './coins.ts'

const fixedRateLifetimeMs = 20 * 60_000
const floatingRateLifetimeMs = 7 * 24 * 60 * 60_000

/** The answer to `POST /v1/invoice`: ids and the price are text. */
export function invoiceAnswer(invoice: Invoice, publicUrl: string) {
  const createdAt = new Date(invoice.createdAtMs).toISOString()
  return {
    id: invoice.id,
    token_id: invoice.tokenId,
    order_id: invoice.orderId,
    order_description: invoice.orderDescription,
    price_amount: String(invoice.priceAmount),
    price_currency: invoice.priceCurrency,
    pay_currency: invoice.payCurrency,
    ipn_callback_url: invoice.ipnCallbackUrl,
    invoice_url: `${publicUrl}/payment/?iid=${invoice.id}`,
    success_url: invoice.successUrl,
    cancel_url: invoice.cancelUrl,
    partially_paid_url: invoice.partiallyPaidUrl,
    payout_currency: invoice.payoutCurrency,
    created_at: createdAt,
    updated_at: createdAt,
    is_fixed_rate: invoice.isFixedRate,
    is_fee_paid_by_user: invoice.isFeePaidByUser,
  }
}

/** The answer to the calls that open a payment: here `payment_id` is text. */
export function openedPaymentAnswer(payment: Payment, coin: Coin) {
  const validUntilMs =
    payment.createdAtMs + (payment.isFixedRate ? fixedRateLifetimeMs : floatingRateLifetimeMs)
  return {
    payment_id: String(payment.id),
    payment_status: payment.status,
    pay_address: payment.payAddress,
    price_amount: payment.priceAmount,
    price_currency: payment.priceCurrency,
    pay_amount: payment.payAmount,
    pay_currency: payment.payCurrency,
    order_id: payment.orderId,
    order_description: payment.orderDescription,
    ipn_callback_url: payment.ipnCallbackUrl,
    created_at: new Date(payment.createdAtMs).toISOString(),
    updated_at: new Date(payment.updatedAtMs).toISOString(),
    purchase_id: String(payment.purchaseId),
    amount_received: null,
    payin_extra_id: payment.payinExtraId,
    smart_contract: '',
    network: coin.network,
    network_precision: coin.precision,
    time_limit: null,
    burning_percent: null,
    expiration_estimate_date: new Date(payment.createdAtMs + fixedRateLifetimeMs).toISOString(),
    is_fixed_rate: payment.isFixedRate,
    is_fee_paid_by_user: payment.isFeePaidByUser,
    valid_until: new Date(validUntilMs).toISOString(),
    type: 'crypto2crypto',
  }
}

/** The answer to `GET /v1/payment/:id`: here ids are numbers and times ISO text. */
export function paymentAnswer(payment: Payment) {
  return {
    ...sharedFields(payment),
    purchase_id: payment.purchaseId,
    outcome_amount: outcomeAmount(payment),
    outcome_currency: payment.outcomeCurrency,
    payout_hash: payment.payoutHash,
    payin_hash: payment.payinHash,
    created_at: new Date(payment.createdAtMs).toISOString(),
    updated_at: new Date(payment.updatedAtMs).toISOString(),
    burning_percent: 'null',
    type: 'crypto2crypto',
    payment_extra_ids: [],
  }
}

/** One entry of `GET /v1/full-currencies`. */
export function currencyAnswer(coin: Coin, index: number) {
  return {
    id: index + 1,
    code: coin.code.toUpperCase(),
    name: coin.name,
    enable: true,
    network: coin.network,
    ticker: coin.ticker,
    smart_contract: null,
    precision: coin.precision,
    network_precision: String(coin.precision),
    extra_id_exists: coin.extraIdName !== null,
    extra_id_optional: false,
    extra_id_regex: coin.extraIdName === null ? null : '^[0-9]{1,10}$',
    available_for_payment: true,
    is_popular: index < 4,
    is_stable: coin.isStable,
    logo_url: `/images/coins/${coin.ticker}.svg`,
  }
}
