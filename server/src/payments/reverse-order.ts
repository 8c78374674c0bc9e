import { creditsText } from '@starside/contract/fill.ts'
import { takeBackCredits } from '../ledger/credits/take-back.ts'
import type { Transaction } from '../platform/db/database.ts'
import type { FlagKind } from './payment-decision.ts'
import type { OrderRow } from './queries.ts'
import { raiseFlag } from './raise-flag.ts'

/** The refund's reference in the books. */
export function refundReference(orderId: string): string {
  return `refund:${orderId}`
}

/**
 * Books the credits of a locked, credited order back: what is in the balance and what is set aside
 * for nothing yet. What can't be taken stays owed, is taken from whatever comes back or is granted
 * later, and is flagged. The order stays completed and is marked as reversed. The tier stays too:
 * the entry of the purchase is history. Repeating it changes nothing.
 * @returns the credits that were taken, and those that the buyer still owes
 */
export async function reverseOrder(
  transaction: Transaction,
  order: OrderRow,
  options: { reason: string; paymentId: string | null; now: Date },
) {
  const { now, reason, paymentId } = options
  if (order.credited_at === null) throw new Error(`order ${order.id} was never credited`)
  const about = { provider: order.provider, paymentId, orderId: order.id, now }
  const raise = (kind: FlagKind, note: string) => raiseFlag(transaction, { ...about, kind, note })
  await transaction
    .updateTable('orders')
    .set({ reversed_at: now, updated_at: now })
    .where('id', '=', order.id)
    .where('reversed_at', 'is', null)
    .execute()
  if (order.user_id === null) {
    await raise('refund_not_covered', 'The buyer is gone: nothing could be taken back.')
    return { taken: 0, owed: 0 }
  }
  const credits = order.credits_granted ?? order.credits
  const { taken, owed } = await takeBackCredits(transaction, {
    userId: order.user_id,
    amount: credits,
    description: reason,
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
