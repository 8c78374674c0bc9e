import { paymentTimeoutMs } from '@starside/contract/limits.ts'
import { sql } from 'kysely'
import type { Database } from '../platform/db/database.ts'
import { updateRows } from '../platform/db/rows.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { findOwnOrder, selectUnderpayment } from './queries.ts'
import type { ShownOrderRow } from './queries.ts'

/**
 * Gives up an order that nobody has paid; repeating it changes nothing. Money that comes
 * anyway is credited. Throws `order_unknown` or `order_not_cancellable`.
 */
export async function cancelOrder(
  database: Database,
  options: { orderId: string; userId: string; now: Date },
): Promise<ShownOrderRow> {
  const cancelled = await database
    .updateTable('orders')
    .set({ status: 'cancelled', updated_at: options.now })
    .where('id', '=', options.orderId)
    .where('user_id', '=', options.userId)
    .where('status', 'in', ['initiated', 'pending'])
    .returningAll()
    .returning(selectUnderpayment)
    .executeTakeFirst()
  if (cancelled !== undefined) return cancelled
  const order = await findOwnOrder(database, { id: options.orderId, user_id: options.userId })
  if (order === undefined) throw new AppError('order_unknown')
  if (order.status === 'cancelled') return order
  throw new AppError('order_not_cancellable')
}

/** Expires orders past the payment window; late payments are still credited. Answers how many. */
export async function expireOrders(database: Database, { now }: { now: Date }): Promise<number> {
  const createdBefore = new Date(now.getTime() - paymentTimeoutMs)
  const match = sql`status in ('initiated', 'pending') and created_at < ${createdBefore}`
  const set = { status: 'expired', updated_at: now } as const
  return (await updateRows(database, 'orders', { match, set })).length
}
