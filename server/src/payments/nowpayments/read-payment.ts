import { readObject } from '../../platform/http/read-object.ts'
import { readNumber, readPrice, readText, readTimeMs } from '../read-fields.ts'
import type { PaymentFacts, PaymentState } from '../provider.ts'
import { canonicalPaymentId } from './payment-id.ts'

/** The provider's words, mapped. `sending` is on its way to us, so only `finished` is final. */
const stateByStatus: Record<string, PaymentState> = {
  waiting: 'waiting',
  confirming: 'processing',
  confirmed: 'processing',
  sending: 'processing',
  partially_paid: 'partial',
  finished: 'finished',
  failed: 'failed',
  refunded: 'refunded',
  expired: 'expired',
  cancelled: 'failed',
  canceled: 'failed',
}

/** Maps a status word; what isn't known is `unknown` and changes nothing. */
export function mapStatus(status: unknown): PaymentState {
  return typeof status === 'string' && Object.hasOwn(stateByStatus, status)
    ? (stateByStatus[status] ?? 'unknown')
    : 'unknown'
}

/**
 * Reads an answer of `GET /payment/:id` (or an entry of the list). The same field is a number in
 * one place and text in another, so both are taken everywhere. Undefined when there is no id.
 */
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
