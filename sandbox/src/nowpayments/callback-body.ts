import { createHash } from 'node:crypto'
import type { CallbackOptions, Forgery, Payment } from './book.ts'
import { roundTo, usdRate } from './coins.ts'
import { signBody, sortKeys } from './sign-callback.ts'

/** What the merchant gets of `payment`, in the outcome coin: the deposit minus half a percent. */
export function outcomeAmount(payment: Payment): number {
  const usd = payment.actuallyPaid * (usdRate(payment.payCurrency) ?? 0)
  return roundTo(payment.outcomeCurrency, (usd * 0.995) / (usdRate(payment.outcomeCurrency) ?? 1))
}

/** What a callback and an answer about a payment tell in the same words and types. */
export function sharedFields(payment: Payment) {
  return {
    payment_id: payment.id,
    parent_payment_id: payment.parentPaymentId,
    invoice_id: payment.invoiceId === null ? null : Number(payment.invoiceId),
    payment_status: payment.status,
    pay_address: payment.payAddress,
    payin_extra_id: payment.payinExtraId,
    price_amount: payment.priceAmount,
    price_currency: payment.priceCurrency,
    pay_amount: payment.payAmount,
    actually_paid: payment.actuallyPaid,
    actually_paid_at_fiat: 0,
    pay_currency: payment.payCurrency,
    order_id: payment.orderId,
    order_description: payment.orderDescription,
  }
}

/**
 * The fields of an instant payment notification, with the types live ones have: numbers for
 * `payment_id` and `updated_at` (epoch milliseconds), text for `purchase_id`.
 */
export function callbackFields(payment: Payment): Record<string, unknown> {
  const outcome = outcomeAmount(payment)
  return {
    ...sharedFields(payment),
    purchase_id: String(payment.purchaseId),
    outcome_amount: outcome,
    outcome_currency: payment.outcomeCurrency,
    payment_extra_ids: null,
    fee: {
      currency: payment.outcomeCurrency,
      depositFee: 0,
      withdrawalFee: 0,
      serviceFee: roundTo(payment.outcomeCurrency, outcome * 0.005),
    },
    updated_at: payment.updatedAtMs,
  }
}

/** The bytes and the signature of one callback, spoilt as `options.forge` asks. */
export function composeCallback(
  payment: Payment,
  options: CallbackOptions,
  ipnSecret: string,
): { body: string; signature: string | null } {
  const honest = JSON.stringify(sortKeys(callbackFields(payment)))
  if (options.forge === null) return { body: honest, signature: signBody(honest, ipnSecret) }
  return forge(options.forge, payment, honest, ipnSecret)
}

function forge(kind: Forgery, payment: Payment, honest: string, ipnSecret: string) {
  const fields = callbackFields(payment)
  const signed = (changes: Record<string, unknown>) => {
    const body = JSON.stringify(sortKeys({ ...fields, ...changes }))
    return { body, signature: signBody(body, ipnSecret) }
  }
  switch (kind) {
    case 'signature':
      return { body: honest, signature: createHash('sha512').update(honest).digest('hex') }
    case 'no-signature':
      return { body: honest, signature: null }
    case 'body':
      // The signature belongs to the honest body; the status inside was changed on the way.
      return {
        body: JSON.stringify(sortKeys({ ...fields, payment_status: 'finished', price_amount: 1 })),
        signature: signBody(honest, ipnSecret),
      }
    case 'truncated':
      return {
        body: honest.slice(0, honest.length / 2),
        signature: signBody(honest.slice(0, honest.length / 2), ipnSecret),
      }
    case 'nested': {
      const body = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`
      return { body, signature: signBody(body, ipnSecret) }
    }
    case 'price':
      return signed({ price_amount: 0.01 })
    case 'currency':
      return signed({ price_currency: 'trx' })
    case 'order':
      return signed({ order_id: 'order_unknown_aaaaaa' })
  }
}
