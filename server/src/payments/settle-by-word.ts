import { inTransaction } from '../platform/db/database.ts'
import type { Database, Transaction } from '../platform/db/database.ts'
import { creditOrder, reverseOrder } from './credit-order.ts'
import type { EnqueueReceipt } from './credit-order.ts'
import { lockOrder, readUnderpayment } from './queries.ts'
import type { OrderRow } from './queries.ts'
import { resolvePaidFlags, recordEvent } from './order-records.ts'
import { markPaymentCredited } from './payment-queries.ts'

type Refusal = { outcome: 'refused'; reason: string }
export type OperatorOutcome = { outcome: 'done'; credits: number; owed: number } | Refusal
export type CreditWorthOutcome = { outcome: 'credited'; credits: number } | Refusal

interface Decision {
  orderId: string
  /** Who decided and why, in their words; kept in the order's history. */
  reason: string
  now: Date
}
type Crediting = Decision & { enqueueReceipt: EnqueueReceipt }

/** Credits an order on the operator's word, for money that the provider can't report. */
export function settleByOperator(
  database: Database,
  decision: Crediting,
): Promise<OperatorOutcome> {
  const { orderId, now, enqueueReceipt } = decision
  return decide(database, decision, async (transaction, order) => {
    if (order.credited_at !== null) return refused('The order is already credited.')
    if (order.user_id === null) return refused('The buyer is gone.')
    const isLate = order.status === 'expired' || order.status === 'cancelled'
    await creditOrder(transaction, order, { isLate, now, enqueueReceipt })
    await resolvePaidFlags(transaction, {
      orderId,
      paymentIds: undefined,
      resolution: 'An operator credited the order.',
      now,
    })
    const done = { outcome: 'done', credits: order.credits, owed: 0 } as const
    return { done, event: 'settled by operator' }
  })
}

/** Takes the credits of an order back on the operator's word; what is spent stays owed. */
export function refundByOperator(database: Database, decision: Decision): Promise<OperatorOutcome> {
  const { now } = decision
  return decide(database, decision, async (transaction, order) => {
    if (order.credited_at === null) return refused('The order was never credited.')
    if (order.reversed_at !== null) return refused('The order was already refunded.')
    const { taken, owed } = await reverseOrder(transaction, order, { paymentId: null, now })
    const done = { outcome: 'done', credits: taken, owed } as const
    return { done, event: 'refunded by operator' }
  })
}

/**
 * Credits an underpaid order, once, with what its standing payments are worth, in whole credits
 * rounded down; the payment that brought the most is the crediting one. What still comes is flagged.
 * @param decision.userId whose order it must be; undefined for an operator
 */
export function creditWorth(
  database: Database,
  decision: Crediting & { userId: string | undefined },
): Promise<CreditWorthOutcome> {
  const { orderId, userId, reason, now, enqueueReceipt } = decision
  return decide(database, decision, async (transaction, order) => {
    if (userId !== undefined && order.user_id !== userId) return refused(noOrder)
    const underpayment = await readUnderpayment(transaction, orderId)
    const { worthCredits: credits = 0, paymentIds = [] } = underpayment ?? {}
    const [paymentId] = paymentIds
    if (order.user_id === null || credits === 0 || paymentId === undefined) {
      return refused('This order has no part of its price to be credited.')
    }
    const isWhole = credits === order.credits
    const credited = { provider: order.provider, payment_id: paymentId }
    await markPaymentCredited(transaction, credited)
    await creditOrder(transaction, order, { credits, isLate: false, now, enqueueReceipt })
    await resolvePaidFlags(transaction, {
      orderId,
      paymentIds,
      resolution: isWhole
        ? 'The payments of the order come to its price.'
        : `${credits} of ${order.credits} credits were granted for what came.`,
      now,
    })
    return {
      done: { outcome: 'credited', credits } as const,
      event: isWhole ? 'credited by several payments' : 'credited in part',
      detail: `${credits} of ${order.credits} credits: ${reason}`,
      paymentId,
    }
  })
}

const noOrder = 'There is no such order.'

/** Acts on the locked order, and writes into its history what was done. */
function decide<Done>(
  database: Database,
  { orderId, reason, now }: Decision,
  act: (
    transaction: Transaction,
    order: OrderRow,
  ) => Promise<Refusal | { done: Done; event: string; detail?: string; paymentId?: string }>,
) {
  return inTransaction(database, async (transaction) => {
    const order = await lockOrder(transaction, orderId)
    if (order === undefined) return refused(noOrder)
    const outcome = await act(transaction, order)
    if ('outcome' in outcome) return outcome
    const { done, event, detail = reason, paymentId = null } = outcome
    const about = { provider: order.provider, paymentId, orderId, now }
    await recordEvent(transaction, { ...about, event, detail })
    return done
  })
}

function refused(reason: string): Refusal {
  return { outcome: 'refused', reason }
}
