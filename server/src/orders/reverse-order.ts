import { correctBalance } from '../credits/correct.ts'
import type { Transaction } from '../db/database.ts'
import type { OrderRow } from './queries.ts'
import { raiseFlag } from './raise-flag.ts'

/** The refund's reference in the books. */
export function refundReference(orderId: string): string {
  return `refund:${orderId}`
}

/**
 * Books the credits of a locked, credited order back, as far as the balance goes: what was already
 * spent can't be taken, and is flagged. The order stays completed and is marked as reversed. The
 * tier stays too: the entry of the purchase is history. Answers how many credits were taken;
 * repeating it changes nothing.
 */
export async function reverseOrder(
  transaction: Transaction,
  order: OrderRow,
  options: { reason: string; paymentId: string | null; now: Date },
): Promise<{ taken: number }> {
  const { now } = options
  if (order.credited_at === null) throw new Error(`order ${order.id} was never credited`)
  const taken = order.user_id === null ? 0 : await takeCredits(transaction, order.user_id)
  await transaction
    .updateTable('orders')
    .set({ reversed_at: now, updated_at: now })
    .where('id', '=', order.id)
    .where('reversed_at', 'is', null)
    .execute()
  if (taken < order.credits) {
    await raiseFlag(transaction, {
      provider: order.provider,
      paymentId: options.paymentId,
      orderId: order.id,
      kind: 'refund_not_covered',
      note: `Of ${order.credits} credits only ${taken} were left to take back.`,
      now,
    })
  }
  return { taken }

  async function takeCredits(inside: Transaction, userId: string): Promise<number> {
    const result = await correctBalance(inside, {
      userId,
      amount: -order.credits,
      description: options.reason,
      reference: refundReference(order.id),
      now,
    })
    return result.outcome === 'corrected' ? -result.moved : 0
  }
}
