import states from './payment-states.json' with { type: 'json' }
import { readObject } from '../../platform/http/read-object.ts'
import { readNumber, readPrice, readText, readTimeMs } from '../read-fields.ts'
import type { PaymentFacts, PaymentState } from '../provider.ts'

/** The provider's words, mapped. `sending` is on its way to us, so only `finished` is final. */
const stateByStatus = new Map(Object.entries(states)) as ReadonlyMap<unknown, PaymentState>

/** Maps a status word; what isn't known is `unknown` and changes nothing. */
export function mapStatus(status: unknown): PaymentState {
  return stateByStatus.get(status) ?? 'unknown'
}

/** Reads `GET /payment/:id` or an entry of the list, numbers also as text; undefined without id. */
export function readPayment(body: unknown): PaymentFacts | undefined {
  const fields = readObject(body)
  const paymentId = canonicalPaymentId(fields['payment_id'])
  if (paymentId === undefined) return undefined
  const parent = fields['parent_payment_id']
  return {
    paymentId,
    // A parent that can't be read still marks a second deposit.
    parentPaymentId:
      parent === null || parent === undefined ? null : (canonicalPaymentId(parent) ?? 'unreadable'),
    invoiceId: canonicalPaymentId(fields['invoice_id']) ?? null,
    orderId: readText(fields['order_id']),
    state: mapStatus(fields['payment_status']),
    providerStatus: (readText(fields['payment_status']) ?? 'none').slice(0, 40),
    price: readPrice(fields['price_amount'], fields['price_currency']),
    payCurrency: readText(fields['pay_currency'])?.toLowerCase() ?? null,
    payAmount: readAmount(fields['pay_amount']),
    paidAmount: readAmount(fields['actually_paid']),
    // Counted once it is confirmed.
    settledAmount: readAmount(fields['actually_paid']),
    isLate: false,
    isOverpaid: false,
    isMarkedPaid: false,
    updatedAtMs: readTimeMs(fields['updated_at']),
  }
}

function readAmount(value: unknown): number | null {
  const amount = readNumber(value)
  return amount !== null && amount >= 0 ? amount : null
}

/**
 * A payment id in one spelling, decimal digits, to be a key; the provider sends numbers or text,
 * even `5745459419.0` or `5.745459419e9`. Undefined when it isn't a positive safe integer.
 */
export function canonicalPaymentId(value: unknown): string | undefined {
  const isSpelling = typeof value === 'number' || (typeof value === 'string' && isNumeral(value))
  if (!isSpelling) return undefined
  const id = Number(value)
  return Number.isSafeInteger(id) && id > 0 ? String(id) : undefined
}

function isNumeral(text: string): boolean {
  return /^\d{1,20}(\.\d{1,20})?(e\+?\d{1,2})?$/i.test(text.trim())
}
