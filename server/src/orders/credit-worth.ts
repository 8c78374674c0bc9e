import { sql } from 'kysely'
import { inTransaction } from '../db/database.ts'
import type { Database, Transaction } from '../db/database.ts'
import { creditOrder } from './credit-order.ts'
import type { EnqueueReceipt } from './credit-order.ts'
import { markPaymentCredited } from './payment-queries.ts'
import { lockOrder } from './queries.ts'
import type { OrderRow } from './queries.ts'
import { recordEvent } from './record-event.ts'

export type CreditWorthOutcome =
  | { outcome: 'credited'; credits: number }
  | { outcome: 'refused'; reason: string }

/**
 * Credits an underpaid order with what its money is worth, in whole credits rounded down, once: the
 * order is completed with them, and its payment is the one that credited it. The money that lacks
 * is not waited for any more; what still comes is flagged.
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
    const credits = worthOf(order)
    if (order.user_id === null || credits === 0) {
      return { outcome: 'refused', reason: 'This order has no part of its price to be credited.' }
    }
    const paymentId = await findPartialPayment(transaction, orderId)
    if (paymentId === undefined) {
      return { outcome: 'refused', reason: 'The payment changes just now. Please look again.' }
    }
    await markPaymentCredited(transaction, { provider: order.provider, paymentId })
    await creditOrder(transaction, order, { credits, isLate: false, now, enqueueReceipt })
    await recordEvent(transaction, {
      provider: order.provider,
      paymentId,
      orderId,
      event: 'credited in part',
      detail: `${credits} of ${order.credits} credits: ${reason}`,
      now,
    })
    return { outcome: 'credited', credits }
  })
}

/** Credits that the money of an underpaid order would buy; 0 for every other order. */
export function worthOf(order: OrderRow): number {
  const isUnderpaid =
    order.status === 'processing' && order.credited_at === null && order.missing_amount !== null
  return isUnderpaid ? (order.worth_credits ?? 0) : 0
}

/**
 * Writes down what an underpaid payment is worth: its share of the amount asked for, in whole
 * credits rounded down, exactly, as both are decimal numbers.
 */
export async function storeWorth(
  transaction: Transaction,
  { orderId, paidAmount, payAmount }: { orderId: string; paidAmount: number; payAmount: number },
): Promise<void> {
  await transaction
    .updateTable('orders')
    .set({
      worth_credits: sql<number>`greatest(0, least(credits - 1,
        floor(credits * ${String(paidAmount)}::numeric / ${String(payAmount)}::numeric)))::integer`,
    })
    .where('id', '=', orderId)
    .where('credited_at', 'is', null)
    .execute()
}

/** The first deposit that brought the most, as its provider reported last. */
async function findPartialPayment(
  transaction: Transaction,
  orderId: string,
): Promise<string | undefined> {
  const row = await transaction
    .selectFrom('payments')
    .select('payment_id')
    .where('order_id', '=', orderId)
    .where('parent_payment_id', 'is', null)
    .where('state', 'in', ['partial', 'finished'])
    .where('paid_amount', '>', '0')
    .orderBy(sql`paid_amount / nullif(pay_amount, 0)`, (order) => order.desc().nullsLast())
    .executeTakeFirst()
  return row?.payment_id
}
