import type { OrderStatus } from '@starside/contract/order-statuses.ts'
import { sql } from 'kysely'
import type { Queryable } from '../platform/db/database.ts'
import { findRows } from '../platform/db/rows.ts'
import { purchaseReference, refundReference } from './credit-order.ts'
import type { FlagKind } from './payment-decision.ts'
import { whatCame } from './queries.ts'

/** Orders as an operator lists them, newest first, each with the kinds of its open flags. */
export function listOrders(
  database: Queryable,
  options: {
    status?: OrderStatus | undefined
    onlyFlagged: boolean
    email?: string | undefined
    limit: number
    offset?: number
  },
) {
  const { status, onlyFlagged, email, limit, offset = 0 } = options
  const openFlags = sql`from order_flags where order_id = orders.id and resolved_at is null`
  return database
    .selectFrom('orders')
    .leftJoin('users', 'users.id', 'orders.user_id')
    .selectAll('orders')
    .select(['users.email', sql<FlagKind[]>`array(select kind ${openFlags})`.as('flags')])
    .$if(status !== undefined, (query) => query.where(sql<boolean>`orders.status = ${status}`))
    .$if(email !== undefined, (query) => query.where(sql<boolean>`users.email = ${email}`))
    .$if(onlyFlagged, (query) => query.where(sql<boolean>`exists (select ${openFlags})`))
    .orderBy('orders.created_at', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** Everything known about an order; undefined when there is none. */
export async function readOrderFile(database: Queryable, orderId: string) {
  const order = await database
    .selectFrom('orders')
    .leftJoin('users', 'users.id', 'orders.user_id')
    .selectAll('orders')
    .select(['users.email', whatCame])
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
