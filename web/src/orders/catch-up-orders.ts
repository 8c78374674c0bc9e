import type { Order } from '@starside/contract/orders.ts'
import { call } from '../api/call.ts'
import { findOrder, rememberOrder, saveOrder, setOrderStatus } from './order-store.ts'
import { isOpen, isFinal } from './order-transitions.ts'

/**
 * Brings the stored orders in step with the server's list, which also knows other devices' orders.
 */
export async function catchUpOrders(
  userId: string,
  signal: AbortSignal,
): Promise<readonly Order[]> {
  let items: readonly Order[]
  try {
    items = (await call('GET /api/orders', { signal })).items
  } catch {
    return []
  }
  for (const order of items) {
    const stored = findOrder(order.orderId)
    if (!stored) {
      if (order.userId === userId && order.status === 'completed') rememberCompleted(order)
    } else if (order.status !== 'completed') {
      if (isFinal(order.status)) setOrderStatus(order.orderId, order.status)
    } else if (stored.status !== 'completed' && !isOpen(stored.status)) {
      // Paid after its window had closed here: still credited, so still announced.
      setOrderStatus(order.orderId, 'pending')
    }
  }
  return items
}

function rememberCompleted(order: Order): void {
  const { completedAt } = order
  saveOrder({
    ...rememberOrder(order, { credits: 0, totalBought: 0 }),
    status: 'completed',
    ...(completedAt ? { completedAt } : {}),
  })
}
