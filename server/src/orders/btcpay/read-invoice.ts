import { readObject } from '../../http/read-object.ts'
import { readNumber, readPrice, readText } from '../read-fields.ts'
import type { PaymentFacts, PaymentState } from '../provider.ts'

/**
 * What of `GET …/payment-methods` matters: what is still due, and whether the deposits are final.
 */
export interface MethodSummary {
  payCurrency: string | null
  amount: number | null
  paid: number | null
  due: number | null
  depositCount: number
  areAllSettled: boolean
}

/** True for an id as BTCPay Server makes them: it becomes a part of addresses and a key. */
export function isInvoiceId(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{1,100}$/.test(value)
}

/** An invoice's facts. `methods` is only needed for one that expired with money on it. */
export function readInvoice(
  body: unknown,
  methods: readonly MethodSummary[],
): PaymentFacts | undefined {
  const fields = readObject(body)
  const { id } = fields
  const status = readText(fields['status'])
  if (!isInvoiceId(id) || status === null) return undefined
  const additional = readText(fields['additionalStatus']) ?? 'None'
  const used = methods.find((method) => method.depositCount > 0)
  return {
    paymentId: id,
    parentPaymentId: null,
    invoiceId: id,
    orderId: readText(readObject(fields['metadata'])['orderId']),
    state: mapStatus(status, additional, methods),
    providerStatus: `${status}/${additional}`.slice(0, 40),
    price: readPrice(fields['amount'], fields['currency']),
    payCurrency: used?.payCurrency ?? null,
    payAmount: used === undefined ? null : toPayAmount(used),
    paidAmount: used?.paid ?? null,
    isLate: additional === 'PaidLate',
    isOverpaid: additional === 'PaidOver',
    isMarkedPaid: additional === 'Marked' && status === 'Settled',
    // BTCPay reports no time of change; an invoice only moves on, so the states' order decides.
    updatedAtMs: null,
  }
}

/**
 * New → waiting, Processing → processing, Settled → finished, Invalid → failed. A late payment
 * never turns Expired into Settled: it is finished when nothing is due and each deposit is final.
 */
export function mapStatus(
  status: string,
  additional: string,
  methods: readonly MethodSummary[],
): PaymentState {
  switch (status) {
    case 'New':
      return additional === 'PaidPartial' ? 'partial' : 'waiting'
    case 'Processing':
      return 'processing'
    case 'Settled':
      return 'finished'
    case 'Invalid':
      return 'failed'
    case 'Expired':
      if (additional === 'PaidLate') return isPaidForGood(methods) ? 'finished' : 'processing'
      return additional === 'PaidPartial' ? 'partial' : 'expired'
    default:
      return 'unknown'
  }
}

function isPaidForGood(methods: readonly MethodSummary[]): boolean {
  const used = methods.filter((method) => method.depositCount > 0)
  return (
    used.length > 0 &&
    used.every((method) => method.areAllSettled) &&
    used.some((method) => method.due !== null && method.due <= 0)
  )
}

/** What was asked for in the coin that was used: what came plus what is still due. */
function toPayAmount(method: MethodSummary): number | null {
  if (method.paid === null || method.due === null) return method.amount
  return method.paid + Math.max(0, method.due)
}

/** Reads the answer of `GET …/invoices/{id}/payment-methods`. */
export function readMethods(body: unknown): MethodSummary[] {
  if (!Array.isArray(body)) return []
  return body.map((entry: unknown) => {
    const fields = readObject(entry)
    const payments = Array.isArray(fields['payments']) ? (fields['payments'] as unknown[]) : []
    const statuses = payments.map((payment) => readText(readObject(payment)['status']))
    return {
      payCurrency: readText(fields['currency'])?.toLowerCase() ?? null,
      amount: readNumber(fields['amount']),
      paid: readNumber(fields['paymentMethodPaid'] ?? fields['totalPaid']),
      due: readNumber(fields['due']),
      depositCount: statuses.length,
      areAllSettled: statuses.every((status) => status === 'Settled'),
    }
  })
}
