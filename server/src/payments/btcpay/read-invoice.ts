import { readObject } from '../../platform/http/read-object.ts'
import { readNumber, readPrice, readText } from '../read-fields.ts'
import type { PaymentFacts, PaymentState } from '../provider.ts'

/** What of an entry of `GET …/payment-methods` matters, in that method's coin. */
export interface MethodSummary {
  payCurrency: string | null
  /** The whole price; null when it can't be read. */
  price: number | null
  /** What of it is still due after the deposits of all methods; below zero when more came. */
  due: number | null
  /** The method's own deposits: final ones, and those that are still to be confirmed. */
  settled: number
  unsettled: number
}

/** True for an id as BTCPay Server makes them: it becomes a part of addresses and a key. */
export function isInvoiceId(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{1,100}$/.test(value)
}

/** An invoice's facts. `methods` isn't needed for one on which nothing came. */
export function readInvoice(
  body: unknown,
  methods: readonly MethodSummary[],
): PaymentFacts | undefined {
  const fields = readObject(body)
  const { id } = fields
  const status = readText(fields['status'])
  if (!isInvoiceId(id) || status === null) return undefined
  const additional = readText(fields['additionalStatus']) ?? 'None'
  const money = sumUp(methods)
  return {
    paymentId: id,
    parentPaymentId: null,
    invoiceId: id,
    orderId: readText(readObject(fields['metadata'])['orderId']),
    state: mapStatus(status, additional, methods),
    providerStatus: `${status}/${additional}`.slice(0, 40),
    price: readPrice(fields['amount'], fields['currency']),
    payCurrency: money?.payCurrency ?? null,
    payAmount: money?.payAmount ?? null,
    paidAmount: money?.paidAmount ?? null,
    settledAmount: money?.settledAmount ?? null,
    isLate: additional === 'PaidLate',
    isOverpaid: additional === 'PaidOver',
    isMarkedPaid: additional === 'Marked' && status === 'Settled',
    // BTCPay reports no time of change; an invoice only moves on, so the states' order decides.
    updatedAtMs: null,
  }
}

/**
 * New → waiting, Processing → processing, Settled → finished, Invalid → failed. Expired stays when
 * paid late: once each deposit is final it is finished where nothing is due, else a part of the price.
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
      if (additional === 'PaidLate') return mapLate(methods)
      return additional === 'PaidPartial' ? 'partial' : 'expired'
    default:
      return 'unknown'
  }
}

function mapLate(methods: readonly MethodSummary[]): PaymentState {
  const money = sumUp(methods)
  if (money === undefined || methods.some(({ unsettled }) => unsettled > 0)) return 'processing'
  return money.settledAmount >= money.payAmount ? 'finished' : 'partial'
}

/** Each coin has a smallest unit: shares that differ by less than this are equal. */
const shareRounding = 1e-4

/**
 * Adds up the deposits of all methods, in the coin that brought the most, as shares of the price, at
 * most what the server says came: `1 - due / price` of any method. Undefined while nothing came, or it can't be told.
 */
function sumUp(methods: readonly MethodSummary[]) {
  const used = methods.flatMap(({ price, settled, unsettled, ...method }) =>
    price === null || price <= 0 || settled + unsettled <= 0
      ? []
      : [{ ...method, price, settled: settled / price, came: (settled + unsettled) / price }],
  )
  const [most] = used.toSorted((one, other) => other.came - one.came)
  if (most === undefined) return undefined
  const { payCurrency, price, due } = most
  const told = due === null ? Infinity : Math.max(0, 1 - due / price)
  const toAmount = (shares: number[]) => {
    const share = shares.reduce((sum, one) => sum + one, 0)
    // Without the noise of binary fractions.
    return Number((price * (share > told - shareRounding ? told : share)).toFixed(12))
  }
  return {
    payCurrency,
    payAmount: price,
    paidAmount: toAmount(used.map(({ came }) => came)),
    settledAmount: toAmount(used.map(({ settled }) => settled)),
  }
}

/** Reads the answer of `GET …/invoices/{id}/payment-methods`. */
export function readMethods(body: unknown): MethodSummary[] {
  if (!Array.isArray(body)) return []
  return body.map((entry: unknown) => {
    const fields = readObject(entry)
    const due = readNumber(fields['due'])
    const totalPaid = readNumber(fields['totalPaid'])
    const deposits = Array.isArray(fields['payments']) ? fields['payments'].map(readObject) : []
    const sum = (isWanted: (status: unknown) => boolean) =>
      deposits
        .filter((deposit) => isWanted(deposit['status']))
        .reduce((total, { value }) => total + Math.max(0, readNumber(value) ?? 0), 0)
    return {
      payCurrency: readText(fields['currency'])?.toLowerCase() ?? null,
      price:
        readNumber(fields['amount']) ??
        (due === null || totalPaid === null ? null : due + totalPaid),
      due,
      settled: sum((status) => status === 'Settled'),
      unsettled: sum((status) => status !== 'Settled' && status !== 'Invalid'),
    }
  })
}
