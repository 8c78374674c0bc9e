import { paymentTimeoutMs } from '@starside/contract/limits.ts'
import { sql } from 'kysely'
import { inTransaction } from '../platform/db/database.ts'
import type { Database } from '../platform/db/database.ts'
import { updateRows } from '../platform/db/rows.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { recordEvent } from './order-records.ts'
import { findOwnOrder } from './queries.ts'
import type { ShownOrderRow } from './queries.ts'

/**
 * Gives up an order that nobody has paid; repeating it changes nothing. Money that comes
 * anyway is credited. Throws `order_unknown` or `order_not_cancellable`.
 */
export async function cancelOrder(
  database: Database,
  { orderId, userId, now }: { orderId: string; userId: string; now: Date },
): Promise<ShownOrderRow> {
  await inTransaction(database, async (transaction) => {
    const match = sql`id = ${orderId} and user_id = ${userId} and status in ('initiated', 'pending')`
    const set = { status: 'cancelled', updated_at: now } as const
    const [row] = await updateRows(transaction, 'orders', { match, set })
    const event = { orderId, paymentId: null, now, event: 'cancelled', detail: 'by the buyer' }
    if (row) await recordEvent(transaction, { ...event, provider: row.provider })
  })
  const order = await findOwnOrder(database, { id: orderId, user_id: userId })
  if (order === undefined) throw new AppError('order_unknown')
  if (order.status !== 'cancelled') throw new AppError('order_not_cancellable')
  return order
}

/** Expires orders past the payment window; late payments are still credited. Answers how many. */
export async function expireOrders(database: Database, { now }: { now: Date }): Promise<number> {
  const createdBefore = new Date(now.getTime() - paymentTimeoutMs)
  const match = sql`status in ('initiated', 'pending') and created_at < ${createdBefore}`
  const set = { status: 'expired', updated_at: now } as const
  return (await updateRows(database, 'orders', { match, set })).length
}
