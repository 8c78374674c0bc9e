import { generationPriceCredits } from '@starside/contract/limits.ts'
import type { ClientUser } from '../auth/auth-context.ts'
import type { StoredOrder } from '../orders/order-store.ts'

/** What the balance and the purchases of a user allow (specification, section 3). */
export function creditStatusOf(user: ClientUser, orders: readonly StoredOrder[]) {
  const own = orders.filter(({ userId }) => userId === user.userId)
  const dates = own.flatMap(({ completedAt }) => completedAt ?? []).toSorted()
  const totalCreditsEverBought = user.totalCreditsEverBought ?? 0
  const isCompleted = own.some(({ status }) => status === 'completed')
  const isPremiumUser = totalCreditsEverBought > 0 || isCompleted
  return {
    canGenerate: (user.creditsBalance ?? 0) >= generationPriceCredits,
    /** Null while the balance is not known yet. */
    creditsBalance: user.creditsBalance ?? null,
    canRemoveWatermark: isPremiumUser,
    /** Once any credits were ever bought, or any order of the user was completed. */
    isPremiumUser,
    /** ISO time of the first completed order that this browser knows of. */
    purchaseDate: dates[0] ?? null,
    totalCreditsEverBought,
  }
}
