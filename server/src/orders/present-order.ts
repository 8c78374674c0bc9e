import type { Order } from '@starside/contract/orders.ts'
import { isTestMoney } from '@starside/contract/payment-providers.ts'
import { worthOf } from './credit-worth.ts'
import type { OrderRow } from './queries.ts'

/** An order as its owner sees it. */
export function presentOrder(row: OrderRow, userId: string): Order {
  const isUnderpaid = row.status === 'processing' && row.missing_amount !== null
  return {
    orderId: row.id,
    userId,
    amount: row.price_cents / 100,
    credits: row.credits_granted ?? row.credits,
    packageType: row.package_type,
    status: row.status,
    paymentUrl: row.payment_url,
    providerPaymentId: row.invoice_id,
    nowpaymentsId: row.invoice_id,
    createdAt: row.created_at.toISOString(),
    completedAt: row.credited_at?.toISOString() ?? null,
    underpaid: isUnderpaid
      ? {
          missingAmount: trimZeros(row.missing_amount ?? ''),
          currency: (row.missing_currency ?? '').toUpperCase(),
          payUrl: row.payment_url,
          worthCredits: worthOf(row),
        }
      : null,
    paidLate: row.paid_late,
    testMoney: isTestMoney(row.provider),
  }
}

/** `0.0500` → `0.05`, `12` → `12`. */
function trimZeros(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal
}
