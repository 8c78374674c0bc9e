import { settlePayment } from '@starside/server/payments/settle-payment.ts'
import { finishedPayment } from '@starside/server/testing/finished-payment.ts'
import { accounts, userExpression } from './people.ts'
import type { Bench } from './open-bench.ts'

export const ordersForEach = 60_000

export function orderId(n: number): string {
  return `order_${String(n).padStart(8, '0')}_bench0`
}

export function orderExpression(n: string): string {
  return `('order_' || lpad((${n})::bigint::text, 8, '0') || '_bench0')`
}

export function paymentId(n: number): string {
  return String(9_000_000_000 + n)
}

export function paymentExpression(n: string): string {
  return `(9000000000 + (${n})::bigint)::text`
}

export async function makeOrders(bench: Bench, from: number, count: number): Promise<void> {
  await bench.pool.query(
    `insert into orders (id, user_id, package_type, price_cents, credits, status, provider,
       created_at, updated_at)
     select ${orderExpression('n')}, ${userExpression(`1 + (n % ${accounts})`)}, 'basic',
       1000, 100, 'pending', 'nowpayments', now(), now()
     from generate_series(${from + 1}, ${from + count}) as n`,
  )
}

/** A whole settlement: event, payment, order and ledger in one transaction, as the program does it. */
export async function settleOrder(bench: Bench, n: number): Promise<void> {
  const outcome = await settlePayment(bench.database, {
    provider: 'nowpayments',
    now: new Date(),
    enqueueReceipt: async () => {},
    facts: finishedPayment({
      paymentId: paymentId(n),
      orderId: orderId(n),
      updatedAtMs: Date.now(),
    }),
  })
  if (outcome !== 'credited') throw new Error(`order ${n} was not credited but ${outcome}`)
}
