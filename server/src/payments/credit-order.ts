import { creditsText } from '@starside/contract/fill.ts'
import { grantCredits } from '../ledger/credits/grant.ts'
import type { Transaction } from '../platform/db/database.ts'
import type { OrderRow } from './queries.ts'

/** Enqueues the buyer's receipt in the transaction of the crediting. */
export type EnqueueReceipt = (transaction: Transaction, orderId: string) => Promise<void>

/** The order's reference in the books: unique, so that it is granted once for all time. */
export function purchaseReference(orderId: string): string {
  return `order:${orderId}`
}

/**
 * Completes a locked order that isn't credited and grants its credits, all in the caller's
 * transaction. That an order is credited twice is refused three times over: by the condition here,
 * by `ledger_entries_reference_unique` and by `orders_credited_once`.
 */
export async function creditOrder(
  transaction: Transaction,
  order: OrderRow,
  options: {
    isLate: boolean
    now: Date
    enqueueReceipt: EnqueueReceipt
    /** What the payments of an underpaid order are worth together, instead of all its credits. */
    credits?: number
  },
): Promise<void> {
  const { now, credits = order.credits } = options
  if (order.user_id === null) throw new Error(`order ${order.id} has no buyer to credit`)
  const completed = await transaction
    .updateTable('orders')
    .set({
      status: 'completed',
      credited_at: now,
      credits_granted: options.credits ?? null,
      updated_at: now,
      next_search_at: null,
      paid_late: order.paid_late || options.isLate,
    })
    .where('id', '=', order.id)
    .where('credited_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (completed === undefined) throw new Error(`order ${order.id} is already credited`)
  const grant = await grantCredits(transaction, {
    userId: order.user_id,
    amount: credits,
    reason: 'purchase',
    description: `${creditsText(credits)} bought`,
    reference: purchaseReference(order.id),
    now,
  })
  if (grant.outcome !== 'granted' || grant.repeated) {
    throw new Error(`the books already hold a purchase for order ${order.id}`)
  }
  await options.enqueueReceipt(transaction, order.id)
}
