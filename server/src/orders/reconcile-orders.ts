import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Logger } from '../http/logger.ts'
import { makePaymentDue } from './payment-queries.ts'
import type { PaymentProvider, ProviderName } from './provider.ts'
import { failedSearchDelayMs, nextSearchAt } from './reading-times.ts'
import type { PaymentWatcher } from './watch-payments.ts'

interface OrderToSearch {
  id: string
  provider: ProviderName
  invoice_id: string
  created_at: Date
  search_count: number
}

const searchesAtOnce = 4
const leaseMs = 60_000

/**
 * Mends what lost callbacks left open: looks for payments of open orders where the provider can
 * list them, then reads every payment that is due. Both come at growing intervals, for nine days.
 */
export async function reconcileOrders(
  parts: {
    database: Database
    log: Logger
    clock: () => Date
    findProvider: (name: ProviderName) => PaymentProvider | undefined
    watcher: PaymentWatcher
  },
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const orders = signal.aborted ? [] : await claimOrders(parts.database, parts.clock())
    if (orders.length === 0) break
    await Promise.all(orders.map((order) => searchPayments(parts, order, signal)))
  }
  await parts.watcher.readDue(signal)
}

/** Takes the orders whose search is due; the lease keeps other nodes away meanwhile. */
async function claimOrders(database: Database, now: Date): Promise<OrderToSearch[]> {
  const { rows } = await sql<OrderToSearch>`
    update orders
    set next_search_at = ${new Date(now.getTime() + leaseMs)}, search_count = search_count + 1
    where id in (
      select id from orders
      where next_search_at <= ${now} and invoice_id is not null
      order by next_search_at
      limit ${searchesAtOnce}
      for update skip locked
    )
    returning id, provider, invoice_id, created_at, search_count
  `.execute(database)
  return rows
}

async function searchPayments(
  parts: Parameters<typeof reconcileOrders>[0],
  order: OrderToSearch,
  signal: AbortSignal,
): Promise<void> {
  const { database, clock, log } = parts
  const next = await findAndRemember(parts, order, signal).then(
    () => nextSearchAt({ searchCount: order.search_count, createdAt: order.created_at }, clock()),
    (error: unknown) => {
      log.warn({ err: error, orderId: order.id }, 'payments of an order could not be searched for')
      return new Date(clock().getTime() + failedSearchDelayMs)
    },
  )
  await database
    .updateTable('orders')
    .set({ next_search_at: next })
    .where('id', '=', order.id)
    .where('credited_at', 'is', null)
    .execute()
}

/** Makes every payment that the provider lists under the order due for a reading. */
async function findAndRemember(
  parts: Parameters<typeof reconcileOrders>[0],
  order: OrderToSearch,
  signal: AbortSignal,
): Promise<void> {
  const { provider } = order
  const found = await parts
    .findProvider(provider)
    ?.findPayments({ orderId: order.id, invoiceId: order.invoice_id }, signal)
  for (const { paymentId } of found ?? []) {
    const now = parts.clock()
    await makePaymentDue(parts.database, { provider, paymentId, at: now, now, isCallback: false })
  }
}
