import type { PaymentState } from './provider.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** After the n-th reading of a payment under way the next one comes after this long. */
const readDelaysMs = [
  15 * second,
  30 * second,
  minute,
  2 * minute,
  5 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
]
const slowestReadDelayMs = 6 * hour

/**
 * After the n-th search for payments of an order without any the next one comes after this long.
 * Close together while the buyer is likely to be watching.
 */
const searchDelaysMs = [
  minute,
  minute,
  2 * minute,
  3 * minute,
  5 * minute,
  5 * minute,
  15 * minute,
  hour,
  3 * hour,
  12 * hour,
]
/** A search that failed is repeated after this long. */
export const failedSearchDelayMs = minute
const slowestSearchDelayMs = 24 * hour

/** A provider keeps a payment open for seven days; two more cover its slowest networks. */
const watchedForMs = 9 * 24 * hour

/**
 * A payment that ended may still be refunded, or mended by the provider's support. Their callbacks
 * get lost too, so it is looked at once a day for a month.
 */
const endedReadDelayMs = 24 * hour
const endedWatchedForMs = 30 * 24 * hour

/** When a payment read in `state` is read again; null when there is nothing more to learn. */
export function nextReadAt(
  payment: { readCount: number; firstSeenAt: Date },
  state: PaymentState,
  now: Date,
): Date | null {
  switch (state) {
    case 'refunded':
      return null
    case 'finished':
    case 'failed':
    case 'disputed':
      return later(payment.firstSeenAt, now, endedReadDelayMs, endedWatchedForMs)
    case 'expired':
      // A late deposit still comes with a callback; this is for the lost one.
      return later(payment.firstSeenAt, now, slowestReadDelayMs)
    case 'waiting':
    case 'processing':
    case 'partial':
    case 'unknown':
      return retryReadAt(payment, now)
  }
}

/** When a payment that could not be read is tried again; null after nine days. */
export function retryReadAt(
  payment: { readCount: number; firstSeenAt: Date },
  now: Date,
): Date | null {
  const delayMs = readDelaysMs[Math.max(0, payment.readCount - 1)] ?? slowestReadDelayMs
  return later(payment.firstSeenAt, now, delayMs)
}

/** When an order's payments are searched for again, after `searchCount` searches; null after nine days. */
export function nextSearchAt(
  order: { searchCount: number; createdAt: Date },
  now: Date,
): Date | null {
  return later(order.createdAt, now, searchDelaysMs[order.searchCount] ?? slowestSearchDelayMs)
}

function later(since: Date, now: Date, delayMs: number, forMs = watchedForMs): Date | null {
  return now.getTime() - since.getTime() > forMs ? null : new Date(now.getTime() + delayMs)
}
