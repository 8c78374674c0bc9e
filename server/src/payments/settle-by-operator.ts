import { inTransaction } from '../platform/db/database.ts'
import type { Database } from '../platform/db/database.ts'
import { creditOrder } from './credit-order.ts'
import type { EnqueueReceipt } from './credit-order.ts'
import { lockOrder } from './queries.ts'
import type { OrderRow } from './queries.ts'
import { resolvePaidFlags } from './raise-flag.ts'
import { recordEvent } from './record-event.ts'
import { reverseOrder } from './reverse-order.ts'

export type OperatorOutcome =
  | { outcome: 'done'; credits: number; owed: number }
  | { outcome: 'refused'; reason: string }

interface OperatorDecision {
  orderId: string
  /** In the operator's words; kept in the order's history. */
  reason: string
  now: Date
}

/** Credits an order on the operator's word, for money that the provider can't report. */
export function settleByOperator(
  database: Database,
  decision: OperatorDecision & { enqueueReceipt: EnqueueReceipt },
): Promise<OperatorOutcome> {
  const { orderId, reason, now, enqueueReceipt } = decision
  return inTransaction(database, async (transaction) => {
    const order = await lockOrder(transaction, orderId)
    if (order === undefined) return { outcome: 'refused', reason: 'There is no such order.' }
    if (order.credited_at !== null) {
      return { outcome: 'refused', reason: 'The order is already credited.' }
    }
    if (order.user_id === null) return { outcome: 'refused', reason: 'The buyer is gone.' }
    const isLate = order.status === 'expired' || order.status === 'cancelled'
    await creditOrder(transaction, order, { isLate, now, enqueueReceipt })
    await resolvePaidFlags(transaction, {
      orderId,
      paymentIds: undefined,
      resolution: 'An operator credited the order.',
      now,
    })
    await recordEvent(transaction, {
      ...aboutOrder(order, now),
      event: 'settled by operator',
      detail: reason,
    })
    return { outcome: 'done', credits: order.credits, owed: 0 }
  })
}

/** Takes the credits of an order back on the operator's word; what is spent stays owed. */
export function refundByOperator(
  database: Database,
  decision: OperatorDecision,
): Promise<OperatorOutcome> {
  const { orderId, reason, now } = decision
  return inTransaction(database, async (transaction) => {
    const order = await lockOrder(transaction, orderId)
    if (order === undefined) return { outcome: 'refused', reason: 'There is no such order.' }
    if (order.credited_at === null) {
      return { outcome: 'refused', reason: 'The order was never credited.' }
    }
    if (order.reversed_at !== null) {
      return { outcome: 'refused', reason: 'The order was already refunded.' }
    }
    const { taken, owed } = await reverseOrder(transaction, order, { reason, paymentId: null, now })
    await recordEvent(transaction, {
      ...aboutOrder(order, now),
      event: 'refunded by operator',
      detail: reason,
    })
    return { outcome: 'done', credits: taken, owed }
  })
}

function aboutOrder({ id: orderId, provider }: OrderRow, now: Date) {
  return { provider, paymentId: null, orderId, now }
}
