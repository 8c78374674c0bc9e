import { inTransaction } from '../platform/db/database.ts'
import type { Database } from '../platform/db/database.ts'
import { creditOrder } from './credit-order.ts'
import type { EnqueueReceipt } from './credit-order.ts'
import { markPaymentCredited } from './payment-queries.ts'
import { lockOrder, readUnderpayment } from './queries.ts'
import { resolvePaidFlags } from './raise-flag.ts'
import { recordEvent } from './record-event.ts'

export type CreditWorthOutcome =
  | { outcome: 'credited'; credits: number }
  | { outcome: 'refused'; reason: string }

/**
 * Credits an underpaid order with what its payments that stand at this moment are worth together, in
 * whole credits rounded down, once: the order is completed with them, and the payment that brought
 * the most is the one that credited it. The money that lacks is not waited for any more; what still
 * comes is flagged.
 * @param options.userId whose order it must be; undefined for an operator
 */
export function creditWorth(
  database: Database,
  options: {
    orderId: string
    userId: string | undefined
    /** Who decided and why, for the order's history. */
    reason: string
    now: Date
    enqueueReceipt: EnqueueReceipt
  },
): Promise<CreditWorthOutcome> {
  const { orderId, userId, reason, now, enqueueReceipt } = options
  return inTransaction(database, async (transaction) => {
    const order = await lockOrder(transaction, orderId)
    if (order === undefined || (userId !== undefined && order.user_id !== userId)) {
      return { outcome: 'refused', reason: 'There is no such order.' }
    }
    const underpayment = await readUnderpayment(transaction, orderId)
    const credits = underpayment?.worthCredits ?? 0
    const paymentIds = underpayment?.paymentIds ?? []
    const [paymentId] = paymentIds
    if (order.user_id === null || credits === 0 || paymentId === undefined) {
      return { outcome: 'refused', reason: 'This order has no part of its price to be credited.' }
    }
    const isWhole = credits === order.credits
    await markPaymentCredited(transaction, { provider: order.provider, paymentId })
    await creditOrder(transaction, order, { credits, isLate: false, now, enqueueReceipt })
    await resolvePaidFlags(transaction, {
      orderId,
      paymentIds,
      resolution: isWhole
        ? 'The payments of the order come to its price.'
        : `${credits} of ${order.credits} credits were granted for what came.`,
      now,
    })
    await recordEvent(transaction, {
      provider: order.provider,
      paymentId,
      orderId,
      event: isWhole ? 'credited by several payments' : 'credited in part',
      detail: `${credits} of ${order.credits} credits: ${reason}`,
      now,
    })
    return { outcome: 'credited', credits }
  })
}
