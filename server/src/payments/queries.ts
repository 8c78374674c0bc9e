import { sql } from 'kysely'
import type { Insertable, Selectable } from 'kysely'
import type pg from 'pg'
import { paymentTimeoutMs } from '@starside/contract/limits.ts'
import type { PastOrder } from '@starside/contract/orders.ts'
import type { Queryable, Transaction } from '../platform/db/database.ts'
import { createRowReader, requestRows } from '../platform/db/read-rows.ts'
import { findRow } from '../platform/db/rows.ts'
import type { OrdersTable } from '../platform/db/tables.d.ts'
import type { PaymentKey } from './payment-queries.ts'
import type { Checkout } from './provider.ts'
import { underpayment } from './underpayment.ts'
import type { Underpayment } from './underpayment.ts'

export type OrderRow = Selectable<OrdersTable>

/** An order with what came for it so far, where that is less than its price. */
export type ShownOrderRow = OrderRow & { underpayment: Underpayment | null }

/** An order with everything that came for it. */
export type PastOrderRow = ShownOrderRow & Pick<PastOrder, 'payments'>

/** Of a row of `orders`. */
export const whatCame = sql<Underpayment | null>`${sql.raw(underpayment)}`.as('underpayment')

/** Orders as their owners are shown them. */
const selectShown = (database: Queryable) =>
  database.selectFrom('orders').selectAll().select(whatCame)

/** An order that is being looked at, with its payments that may be read again at the provider. */
type WatchedOrderRow = ShownOrderRow & { stalePayments: PaymentKey[] }

/** Reads the user's own order; a payment under way is stale if last read before `readBefore`. */
export function createOrderReader(pool: pg.Pool, readBefore: () => Date) {
  return createRowReader<{ userId: string; orderId: string }, WatchedOrderRow>(pool, {
    name: 'watched-order',
    text: `
      select request.n::integer as n, orders.*,
        ${underpayment} as underpayment,
        case when orders.credited_at is not null then '[]' else (
          select coalesce(
            json_agg(json_build_object('provider', provider, 'payment_id', payment_id)), '[]')
          from payments
          where order_id = orders.id and (last_read_at is null or last_read_at < $3)
        ) end as "stalePayments"
      from (${requestRows('$1::text[], $2::uuid[]')}) as request (id, user_id, n)
      join orders on orders.id = request.id and orders.user_id = request.user_id`,
    values: (keys) => [
      keys.map(({ orderId }) => orderId),
      keys.map(({ userId }) => userId),
      readBefore(),
    ],
  })
}

/** Writes a new order; undefined when the user already has one with this idempotency key. */
export async function insertOrder(
  database: Queryable,
  order: Omit<Insertable<OrdersTable>, 'updated_at'>,
): Promise<ShownOrderRow | undefined> {
  return database
    .insertInto('orders')
    .values({ ...order, updated_at: order.created_at })
    .onConflict((conflict) => conflict.constraint('orders_idempotency_key_unique').doNothing())
    .returningAll()
    .returning(whatCame)
    .executeTakeFirst()
}

/** The order of this id or idempotency key, if it is this user's. */
export function findOwnOrder(
  database: Queryable,
  key: { user_id: string } & ({ id: string } | { idempotency_key: string }),
): Promise<ShownOrderRow | undefined> {
  return selectShown(database)
    .where((where) => where.and(key))
    .executeTakeFirst()
}

/** The newest order of what is offered that waits for its payment at `now`; undefined when there is none. */
export function findPayableOrder(
  database: Queryable,
  offer: { user_id: string } & Pick<
    OrderRow,
    'package_type' | 'price_cents' | 'credits' | 'provider'
  >,
  now: Date,
): Promise<ShownOrderRow | undefined> {
  return selectShown(database)
    .where((where) => where.and(offer))
    .where('status', '=', 'pending')
    .where('payment_url', 'is not', null)
    .where('created_at', '>', new Date(now.getTime() - paymentTimeoutMs))
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
}

/** SQL: what came for a row of `orders`, as the `payments` of a past order. */
const arrivals = sql<PastOrder['payments']>`(
  select coalesce(json_agg(json_build_object('paymentId', payment_id,
    'amount', trim_scale(paid_amount)::text, 'currency', pay_currency,
    'arrivedAt', coalesce((
      select min(told.created_at) from payment_events as told
      where told.order_id = orders.id and told.payment_id = payments.payment_id
        and told.event in ('processing', 'partial', 'finished')), first_seen_at))
    order by first_seen_at, payment_id), '[]')
  from payments where order_id = orders.id and paid_amount > 0 and pay_currency is not null)`

/** A user's orders, newest first, with what came for each. */
export function listOwnOrders(
  database: Queryable,
  options: { userId: string; limit: number },
): Promise<PastOrderRow[]> {
  return selectShown(database)
    .select(arrivals.as('payments'))
    .where('user_id', '=', options.userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(options.limit)
    .execute()
}

/** Stores the provider's invoice; what a callback or a repeated call has written before stays. */
export function storeCheckout(
  database: Queryable,
  options: { orderId: string; checkout: Checkout; now: Date; searchAt: Date },
): Promise<ShownOrderRow> {
  const { orderId, checkout, now, searchAt } = options
  return database
    .updateTable('orders')
    .set({
      invoice_id: sql`coalesce(invoice_id, ${checkout.invoiceId})`,
      payment_url: sql`coalesce(payment_url, ${checkout.paymentUrl})`,
      // A refused first try leaves 'failed'; a repetition that worked opens the order again.
      status: sql`case when status in ('initiated', 'failed') and invoice_id is null
        then 'pending' else status end`,
      next_search_at: sql`case when credited_at is null then ${searchAt}::timestamptz end`,
      updated_at: now,
    })
    .where('id', '=', orderId)
    .returningAll()
    .returning(whatCame)
    .executeTakeFirstOrThrow()
}

/** The order, locked until the transaction ends: whatever moves its money takes this lock first. */
export function lockOrder(
  transaction: Transaction,
  orderId: string,
): Promise<OrderRow | undefined> {
  return findRow(transaction, 'orders', sql`id = ${orderId} for update`)
}

/**
 * What came for a locked order, where that is less than its price: a statement of its own, because
 * the one that waited for the lock sees the payments as they were before.
 */
export async function readUnderpayment(
  transaction: Transaction,
  orderId: string,
): Promise<Underpayment | null> {
  const row = await selectShown(transaction).where('id', '=', orderId).executeTakeFirstOrThrow()
  return row.underpayment
}
