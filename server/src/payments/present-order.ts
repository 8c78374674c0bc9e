import { coinName } from '@starside/contract/coin-names.ts'
import type { Order, PastOrder } from '@starside/contract/orders.ts'
import { isTestMoney } from '@starside/contract/payment-providers.ts'
import type { PastOrderRow, ShownOrderRow } from './queries.ts'

/** An order as its owner sees it. */
export function presentOrder(row: ShownOrderRow, userId: string): Order {
  const missing = row.underpayment?.missing
  return {
    orderId: row.id,
    userId,
    amount: row.price_cents / 100,
    receivedAmount: row.received_cents === null ? null : row.received_cents / 100,
    credits: row.credits_granted ?? row.credits,
    packageType: row.package_type,
    status: row.status,
    paymentUrl: row.payment_url,
    providerPaymentId: row.invoice_id,
    nowpaymentsId: row.invoice_id,
    createdAt: row.created_at.toISOString(),
    completedAt: row.credited_at?.toISOString() ?? null,
    underpaid: missing
      ? {
          paidAmount: missing.paid,
          missingAmount: missing.amount,
          currency: coinName(missing.currency),
          payUrl: row.payment_url,
          worthCredits: row.underpayment?.worthCredits ?? 0,
        }
      : null,
    paidLate: row.paid_late,
    testMoney: isTestMoney(row.provider),
  }
}

/** The same with what came for it, as in the list of a user's orders. */
export function presentPastOrder(row: PastOrderRow, userId: string): PastOrder {
  const refundedAt = row.reversed_at?.toISOString() ?? null
  const payments = row.payments.map((one) => ({ ...one, currency: coinName(one.currency) }))
  return { ...presentOrder(row, userId), payments, refundedAt }
}
