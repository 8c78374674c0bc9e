import type { ClientUser } from '../auth/auth-state.ts'
import type { StoredOrder } from '../orders/order-store.ts'

/** Premium once any credits were ever bought, or any order of the user was completed. */
export function isPremiumUser(user: ClientUser, orders: readonly StoredOrder[]): boolean {
  if ((user.totalCreditsEverBought ?? 0) > 0) return true
  return orders.some((order) => order.userId === user.userId && order.status === 'completed')
}
