import { inTransaction } from '../platform/db/database.ts'
import type { Database, Transaction } from '../platform/db/database.ts'
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
  const { orderId, now, enqueueReceipt } = decision
  return decide(database, decision, 'settled by operator', async (transaction, order) => {
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
    return { outcome: 'done', credits: order.credits, owed: 0 }
  })
}

/** Takes the credits of an order back on the operator's word; what is spent stays owed. */
export function refundByOperator(
  database: Database,
  decision: OperatorDecision,
): Promise<OperatorOutcome> {
  const { reason, now } = decision
  return decide(database, decision, 'refunded by operator', async (transaction, order) => {
    if (order.credited_at === null) return refused('The order was never credited.')
    if (order.reversed_at !== null) return refused('The order was already refunded.')
    const { taken, owed } = await reverseOrder(transaction, order, { reason, paymentId: null, now })
    return { outcome: 'done', credits: taken, owed }
  })
}

/** Acts on the locked order, and writes into its history what was done. */
function decide(
  database: Database,
  { orderId, reason: detail, now }: OperatorDecision,
  event: string,
  act: (transaction: Transaction, order: OrderRow) => Promise<OperatorOutcome>,
): Promise<OperatorOutcome> {
  return inTransaction(database, async (transaction) => {
    const order = await lockOrder(transaction, orderId)
    if (order === undefined) return refused('There is no such order.')
    const outcome = await act(transaction, order)
    if (outcome.outcome === 'refused') return outcome
    const about = { provider: order.provider, paymentId: null, orderId, now }
    await recordEvent(transaction, { ...about, event, detail })
    return outcome
  })
}

function refused(reason: string): OperatorOutcome {
  return { outcome: 'refused', reason }
}
