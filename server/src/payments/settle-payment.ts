import { coinName } from '@starside/contract/coin-names.ts'
import { inTransaction } from '../platform/db/database.ts'
import type { Database, Transaction } from '../platform/db/database.ts'
import { creditOrder, reverseOrder } from './credit-order.ts'
import type { EnqueueReceipt } from './credit-order.ts'
import { decidePayment } from './decide-payment.ts'
import { toDecidable } from './payment-decision.ts'
import type { PaymentDecision } from './payment-decision.ts'
import { isOrderId } from './order-id.ts'
import { findRow, updateRows } from '../platform/db/rows.ts'
import { markPaymentCredited, readOrderPayments, storePayment } from './payment-queries.ts'
import type { PaymentFacts, ProviderName } from './provider.ts'
import { lockOrder } from './queries.ts'
import type { OrderRow } from './queries.ts'
import { raiseFlag, resolvePaidFlags, recordEvent } from './order-records.ts'

/** A payment as it was just read from the provider with our key, outside of any transaction. */
export interface Reading {
  provider: ProviderName
  facts: PaymentFacts
  now: Date
  enqueueReceipt: EnqueueReceipt
}

export type SettleOutcome = 'credited' | 'reversed' | 'noted' | 'stale' | 'unknown_order'

/**
 * Applies a reading in one transaction: payment, history, order, books and flags together. The
 * order's lock puts parallel readings, also of other nodes, in a row. Repeating it changes nothing.
 */
export function settlePayment(database: Database, reading: Reading): Promise<SettleOutcome> {
  return inTransaction(database, (transaction) => settle(transaction, reading))
}

async function settle(transaction: Transaction, reading: Reading): Promise<SettleOutcome> {
  const { provider, facts, now } = reading
  const { paymentId } = facts
  const order = await lockOrderOf(transaction, reading)
  const orderId = order?.id ?? null
  const stored = await storePayment(transaction, { provider, facts, orderId, now })
  const about = { provider, paymentId, orderId, now }
  if (order === undefined) {
    // Only money is worth an operator's time: other accounts' test payments may come by here too.
    if (facts.state === 'finished' || facts.state === 'partial') {
      const note = `A payment came for '${facts.orderId ?? 'no order'}', which is none of ours.`
      await raiseFlag(transaction, { ...about, kind: 'unknown_order', note })
    }
    return 'unknown_order'
  }
  if (!stored.isFresh) return 'stale'
  await recordEvent(transaction, {
    ...about,
    event: facts.state,
    detail: `${facts.providerStatus}, ${facts.paidAmount ?? '?'} of ${facts.payAmount ?? '?'} ${coinName(facts.payCurrency ?? '')}`,
  })
  if (stored.orderId !== order.id) {
    const note = `The payment belonged to ${stored.orderId ?? 'no order'} before.`
    await raiseFlag(transaction, { ...about, kind: 'order_mismatch', note })
    return 'noted'
  }
  const options = { orderId: order.id, exceptPaymentId: paymentId }
  const payments = await readOrderPayments(transaction, options)
  const decision = decidePayment(toDecidable(order, payments), facts, now)
  return applyDecision(transaction, order, decision, reading)
}

/** The order that a payment names, else the one in the books: a refund may come without its id. */
async function lockOrderOf(transaction: Transaction, { provider, facts }: Reading) {
  const named = isOrderId(facts.orderId) ? await lockOrder(transaction, facts.orderId) : undefined
  if (named?.provider === provider) return named
  const known = await findRow(transaction, 'payments', { provider, payment_id: facts.paymentId })
  return known?.order_id ? lockOrder(transaction, known.order_id) : undefined
}

async function applyDecision(
  transaction: Transaction,
  order: OrderRow,
  decision: PaymentDecision,
  { provider, facts, now, enqueueReceipt }: Reading,
): Promise<SettleOutcome> {
  const { paymentId } = facts
  for (const { kind, note } of decision.flags) {
    await raiseFlag(transaction, { provider, paymentId, orderId: order.id, kind, note, now })
  }
  if (decision.credits) {
    await markPaymentCredited(transaction, { provider, payment_id: paymentId })
    await creditOrder(transaction, order, { isLate: decision.isLate, now, enqueueReceipt })
    await resolvePaidFlags(transaction, {
      orderId: order.id,
      paymentIds: [paymentId],
      resolution: 'The order was paid in full.',
      now,
    })
    return 'credited'
  }
  if (decision.reverses) {
    await reverseOrder(transaction, order, { paymentId, now })
    return 'reversed'
  }
  const { status, isLate } = decision
  if (status !== null || isLate) {
    await updateRows(transaction, 'orders', {
      match: { id: order.id },
      set: { updated_at: now, ...(status && { status }), ...(isLate && { paid_late: true }) },
    })
  }
  return 'noted'
}
