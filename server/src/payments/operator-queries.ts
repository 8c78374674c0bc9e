import type { OrderStatus } from '@starside/contract/order-statuses.ts'
import { sql } from 'kysely'
import type { Queryable } from '../platform/db/database.ts'
import { findRows } from '../platform/db/rows.ts'
import { purchaseReference, refundReference } from './credit-order.ts'
import { selectUnderpayment } from './queries.ts'

/** Orders as an operator lists them, newest first, each with the kinds of its open flags. */
export async function listOrders(
  database: Queryable,
  options: {
    status?: OrderStatus | undefined
    onlyFlagged: boolean
    email?: string | undefined
    limit: number
    offset?: number
  },
) {
  let query = database
    .selectFrom('orders')
    .leftJoin('users', 'users.id', 'orders.user_id')
    .select(['orders.id', 'orders.status', 'orders.price_cents', 'orders.credits'])
    .select(['orders.provider', 'orders.created_at', 'users.email'])
    .select((where) =>
      where
        .selectFrom('order_flags')
        .select(({ fn }) => fn.agg<string[]>('array_agg', ['kind']).as('kinds'))
        .whereRef('order_flags.order_id', '=', 'orders.id')
        .where('resolved_at', 'is', null)
        .as('flags'),
    )
    .orderBy('orders.created_at', 'desc')
    .limit(options.limit)
    .offset(options.offset ?? 0)
  if (options.status !== undefined) query = query.where('orders.status', '=', options.status)
  if (options.onlyFlagged) {
    query = query.where('orders.id', 'in', (where) =>
      where
        .selectFrom('order_flags')
        .select('order_id')
        .where('resolved_at', 'is', null)
        .where('order_id', 'is not', null)
        .$castTo<{ order_id: string }>(),
    )
  }
  if (options.email !== undefined) query = query.where('users.email', '=', options.email)
  const rows = await query.execute()
  return rows.map((row) => ({ ...row, flags: row.flags ?? [] }))
}

/** Everything known about an order; undefined when there is none. */
export async function readOrderFile(database: Queryable, orderId: string) {
  const order = await database
    .selectFrom('orders')
    .leftJoin('users', 'users.id', 'orders.user_id')
    .selectAll('orders')
    .select(['users.email', selectUnderpayment])
    .where('orders.id', '=', orderId)
    .executeTakeFirst()
  if (order === undefined) return undefined
  const ofOrder = sql`order_id = ${orderId} order by id`
  const [payments, events, flags, entries] = await Promise.all([
    findRows(database, 'payments', { order_id: orderId }),
    findRows(database, 'payment_events', ofOrder),
    findRows(database, 'order_flags', ofOrder),
    database
      .selectFrom('ledger_entries')
      .select(['reference', 'reason', 'amount', 'created_at'])
      .where('reference', 'in', [purchaseReference(orderId), refundReference(orderId)])
      .orderBy('id')
      .execute(),
  ])
  return { order, payments, events, flags, entries }
}

/** Open flags, oldest first; also those that belong to no order. */
export function listOpenFlags(database: Queryable, limit: number) {
  const oldest = sql`resolved_at is null order by created_at limit ${limit}`
  return findRows(database, 'order_flags', oldest)
}
