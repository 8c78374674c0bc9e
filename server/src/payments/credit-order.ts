import { creditsText } from '@starside/contract/fill.ts'
import { grantCredits } from '../ledger/credits/grant.ts'
import type { Transaction } from '../platform/db/database.ts'
import { updateRows } from '../platform/db/rows.ts'
import { takeBackCredits } from '../ledger/credits/correct.ts'
import type { OrderRow } from './queries.ts'
import type { FlagKind } from './payment-decision.ts'
import { raiseFlag } from './order-records.ts'

/** Enqueues the buyer's receipt in the transaction of the crediting. */
export type EnqueueReceipt = (transaction: Transaction, orderId: string) => Promise<void>

/** The order's reference in the books: unique, so that it is granted once for all time. */
export function purchaseReference(orderId: string): string {
  return `order:${orderId}`
}

/**
 * Completes a locked, uncredited order and grants its credits in the caller's transaction. Three things
 * keep that to once: the condition here, `ledger_entries_reference_unique` and `orders_credited_once`.
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
  const completed = await updateRows(transaction, 'orders', {
    match: { id: order.id, credited_at: null },
    set: {
      status: 'completed',
      credited_at: now,
      credits_granted: options.credits ?? null,
      updated_at: now,
      next_search_at: null,
      paid_late: order.paid_late || options.isLate,
    },
  })
  if (completed.length === 0) throw new Error(`order ${order.id} is already credited`)
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

/** The refund's reference in the books. */
export function refundReference(orderId: string): string {
  return `refund:${orderId}`
}

/**
 * Books the credits of a locked, credited order back: of the balance and of unclaimed holds. What
 * lacks stays owed, is taken from whatever comes later, and is flagged. The order stays completed,
 * marked as reversed, and the tier stays: the purchase is history. Repeating it changes nothing.
 * @returns the credits that were taken, and those that the buyer still owes
 */
export async function reverseOrder(
  transaction: Transaction,
  order: OrderRow,
  { now, paymentId }: { paymentId: string | null; now: Date },
) {
  if (order.credited_at === null) throw new Error(`order ${order.id} was never credited`)
  const about = { provider: order.provider, paymentId, orderId: order.id, now }
  const raise = (kind: FlagKind, note: string) => raiseFlag(transaction, { ...about, kind, note })
  const match = { id: order.id, reversed_at: null }
  await updateRows(transaction, 'orders', { match, set: { reversed_at: now, updated_at: now } })
  if (order.user_id === null) {
    await raise('refund_not_covered', 'The buyer is gone: nothing could be taken back.')
    return { taken: 0, owed: 0 }
  }
  const credits = order.credits_granted ?? order.credits
  const { taken, owed } = await takeBackCredits(transaction, {
    userId: order.user_id,
    amount: credits,
    // The buyer reads it: why an operator refunded stands in the order's history alone.
    description: 'Refund',
    reference: refundReference(order.id),
    now,
  })
  if (owed > 0) {
    await raise(
      'credits_owed',
      `Of ${creditsText(credits)} ${taken} were taken back; the buyer owes ${owed}, which are ` +
        'taken from whatever comes back or is bought.',
    )
  }
  return { taken, owed }
}
