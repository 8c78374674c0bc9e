import { sql } from 'kysely'
import { leaseDue } from '../platform/db/lease-due.ts'
import type { DueTable } from '../platform/db/lease-due.ts'
import { updateRows } from '../platform/db/rows.ts'
import type { PaymentParts } from './parts.ts'
import { makePaymentDue } from './payment-queries.ts'
import type { Payments } from './payments.ts'
import type { OrderRow } from './queries.ts'
import { failedSearchDelayMs, nextSearchAt } from './reading-times.ts'
import { fromNow } from '../platform/clock.ts'

const searchesAtOnce = 4
const leaseMs = 60_000

type Parts = Pick<PaymentParts, 'clock' | 'database' | 'log'> & {
  payments: Pick<Payments, 'find' | 'watcher'>
}

/** Looks for open orders' payments, reads those due, at growing intervals for nine days. */
export async function reconcileOrders(parts: Parts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const options = { now: parts.clock(), leaseMs, limit: searchesAtOnce }
    const orders = await leaseDue(parts.database, searchedOrders, options)
    if (orders.length === 0) break
    await Promise.all(orders.map((order) => searchPayments(parts, order, signal)))
  }
  await parts.payments.watcher.readDue(signal)
}

/** Orders whose payments are searched for where the provider can list them. */
const searchedOrders: DueTable<'orders'> = {
  table: 'orders',
  key: ['id'],
  dueAt: 'next_search_at',
  count: 'search_count',
  where: sql<boolean>`invoice_id is not null`,
}

async function searchPayments(parts: Parts, order: OrderRow, signal: AbortSignal): Promise<void> {
  const { database, clock, log } = parts
  const next = await findAndRemember(parts, order, signal).then(
    () => nextSearchAt(order, clock()),
    (error: unknown) => {
      log.warn({ err: error, orderId: order.id }, 'payments of an order could not be searched for')
      return fromNow(parts, failedSearchDelayMs)
    },
  )
  const match = { id: order.id, credited_at: null }
  await updateRows(database, 'orders', { match, set: { next_search_at: next } })
}

/** Makes every payment that the provider lists under the order due for a reading. */
async function findAndRemember(parts: Parts, order: OrderRow, signal: AbortSignal): Promise<void> {
  const { id: orderId, provider, invoice_id: invoiceId } = order
  if (invoiceId === null) return
  const found = await parts.payments.find(provider)?.findPayments({ orderId, invoiceId }, signal)
  for (const { paymentId: payment_id } of found ?? []) {
    const now = parts.clock()
    await makePaymentDue(parts.database, { provider, payment_id, at: now, now, isCallback: false })
  }
}
