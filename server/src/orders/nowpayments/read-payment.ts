import { toCents } from '../provider.ts'
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
  if (body === null || typeof body !== 'object') return undefined
  const fields: Record<string, unknown> = { ...body }
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
    priceCents: toCents(fields['price_amount']),
    priceCurrency: readText(fields['price_currency'])?.toLowerCase() ?? null,
    payCurrency: readText(fields['pay_currency'])?.toLowerCase() ?? null,
    payAmount: readAmount(fields['pay_amount']),
    paidAmount: readAmount(fields['actually_paid']),
    isLate: false,
    isOverpaid: false,
    isMarkedPaid: false,
    updatedAtMs: readTime(fields['updated_at']),
  }
}

function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : null
}

function readAmount(value: unknown): number | null {
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof amount === 'number' && Number.isFinite(amount) && amount >= 0 ? amount : null
}

/** Epoch milliseconds from a number (in callbacks) or ISO text (in the API). */
function readTime(value: unknown): number | null {
  const time = typeof value === 'string' ? Date.parse(value) : value
  return typeof time === 'number' && Number.isFinite(time) ? time : null
}
