import type { PaymentRow } from './payment-queries.ts'
import type { PaymentState } from './provider.ts'
import type { OrderRow } from './queries.ts'

const minute = 60_000
const hour = 60 * minute

/** After the n-th reading of a payment under way the next one comes after so many minutes. */
const readDelaysMinutes = [0.25, 0.5, 1, 2, 5, 10, 30, 60, 120]
const slowestReadDelayMinutes = 360

/** Minutes from the n-th search for an order's payments to the next; close while buyers watch. */
const searchDelaysMinutes = [1, 1, 2, 3, 5, 5, 15, 60, 180, 720]
/** A search that failed is repeated after this long. */
export const failedSearchDelayMs = minute
const slowestSearchDelayMinutes = 24 * 60

/** A provider keeps a payment open for seven days; two more cover its slowest networks. */
const watchedForMs = 9 * 24 * hour

/** Ended payments may still be refunded or mended, callbacks get lost: read daily for a month. */
const endedReadDelayMs = 24 * hour
const endedWatchedForMs = 30 * 24 * hour

type Readings = Pick<PaymentRow, 'read_count' | 'first_seen_at'>

/** When a payment read in `state` is read again; null when there is nothing more to learn. */
export function nextReadAt(payment: Readings, state: PaymentState, now: Date): Date | null {
  switch (state) {
    case 'refunded':
      return null
    case 'finished':
    case 'failed':
    case 'disputed':
      return later(payment.first_seen_at, now, endedReadDelayMs, endedWatchedForMs)
    case 'expired':
      // A late deposit still comes with a callback; this is for the lost one.
      return later(payment.first_seen_at, now, slowestReadDelayMinutes * minute)
    case 'waiting':
    case 'processing':
    case 'partial':
    case 'unknown':
      return retryReadAt(payment, now)
  }
}

/** When a payment that could not be read is tried again; null after nine days. */
export function retryReadAt(payment: Readings, now: Date): Date | null {
  const minutes = readDelaysMinutes[Math.max(0, payment.read_count - 1)] ?? slowestReadDelayMinutes
  return later(payment.first_seen_at, now, minutes * minute)
}

/** When an order's payments are searched for again, after its searches so far; null after nine days. */
export function nextSearchAt(
  order: Pick<OrderRow, 'search_count' | 'created_at'>,
  now: Date,
): Date | null {
  const minutes = searchDelaysMinutes[order.search_count] ?? slowestSearchDelayMinutes
  return later(order.created_at, now, minutes * minute)
}

function later(since: Date, now: Date, delayMs: number, forMs = watchedForMs): Date | null {
  return now.getTime() - since.getTime() > forMs ? null : new Date(now.getTime() + delayMs)
}
