import { generationPriceCredits } from '@starside/contract/limits.ts'
import type { ClientUser } from '../auth/auth-context.ts'
import type { StoredOrder } from '../orders/order-store.ts'

/** What the balance and the purchases of a user allow (specification, section 3). */
interface CreditStatus {
  canGenerate: boolean
  /** Null while the balance is not known yet. */
  creditsBalance: number | null
  canRemoveWatermark: boolean
  isPremiumUser: boolean
  /** ISO time of the first completed order that this browser knows of. */
  purchaseDate: string | null
  totalCreditsEverBought: number
}

export function creditStatusOf(user: ClientUser, orders: readonly StoredOrder[]): CreditStatus {
  const premium = isPremiumUser(user, orders)
  const dates = orders
    .filter((order) => order.userId === user.userId && order.completedAt)
    .map((order) => order.completedAt ?? '')
    .toSorted()
  return {
    canGenerate: (user.creditsBalance ?? 0) >= generationPriceCredits,
    creditsBalance: user.creditsBalance ?? null,
    canRemoveWatermark: premium,
    isPremiumUser: premium,
    purchaseDate: dates[0] ?? null,
    totalCreditsEverBought: user.totalCreditsEverBought ?? 0,
  }
}

/** Premium once any credits were ever bought, or any order of the user was completed. */
function isPremiumUser(user: ClientUser, orders: readonly StoredOrder[]): boolean {
  if ((user.totalCreditsEverBought ?? 0) > 0) return true
  return orders.some((order) => order.userId === user.userId && order.status === 'completed')
}
