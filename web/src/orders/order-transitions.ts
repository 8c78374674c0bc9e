import { orderStatuses } from '@starside/contract/order-statuses.ts'
import type { StoredOrder } from './order-store.ts'

/** What happens to an order that this browser remembers. */
export type OrderEvent =
  /** The server does not know the order, or could not be asked. */
  | { type: 'not-found' }
  /** The server's own status, which may be one that this version does not know. */
  | { type: 'answer'; status: string }
  /** The payment came through: allowed only while it is pending or processing. */
  | { type: 'confirm'; completedAt: string }
  /** The last of the allowed questions was asked. */
  | { type: 'checks-exhausted' }
  /** The countdown has reached zero. */
  | { type: 'window-closed' }

/** True for an order that waits for its payment. */
export function isOpen(status: string): boolean {
  return status === 'initiated' || status === 'pending' || status === 'processing'
}

/** True where nothing more is expected; a status that this version does not know may still change. */
export function isFinal(status: string): boolean {
  return !isOpen(status) && orderStatuses.some((known) => known === status)
}

/** The transitions of the specification's section 4, 'Order statuses'; the same order for no change. */
export function reduceOrder(order: StoredOrder, event: OrderEvent): StoredOrder {
  const { status } = order
  const become = (next: string): StoredOrder =>
    next === status ? order : { ...order, status: next }
  switch (event.type) {
    case 'not-found':
      return status === 'initiated' ? become('pending') : order
    case 'checks-exhausted':
      return isOpen(status) ? become('expired') : order
    case 'window-closed':
      return status === 'pending' ? become('expired') : order
    case 'answer':
      // The window has closed on the screen; only a payment that came late changes that.
      if (status === 'expired' && isOpen(event.status)) return order
      if (event.status !== 'completed' || status === 'completed') return become(event.status)
      // A payment may be the first thing heard of, or come after the window closed.
      return canConfirm(status) ? order : become('pending')
    case 'confirm':
      if (!canConfirm(status)) return order
      return { ...order, status: 'completed', completedAt: event.completedAt }
  }
}

function canConfirm(status: string): boolean {
  return status === 'pending' || status === 'processing'
}
