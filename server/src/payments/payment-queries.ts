import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { leaseDue } from '../platform/db/lease-due.ts'
import type { Queryable, Transaction } from '../platform/db/database.ts'
import { updateRows } from '../platform/db/rows.ts'
import type { PaymentsTable } from '../platform/db/tables.d.ts'
import type { PaymentFacts, PaymentState, ProviderName } from './provider.ts'
import { isStanding, settledShare } from './underpayment.ts'

export type PaymentRow = Selectable<PaymentsTable>
export type PaymentKey = Pick<PaymentRow, 'provider' | 'payment_id'>

/** Makes a payment due for a reading at `at`, writing its row when it is new. */
export async function makePaymentDue(
  database: Queryable,
  options: PaymentKey & { at: Date; now: Date; isCallback: boolean },
): Promise<void> {
  const callbacks = options.isCallback ? 1 : 0
  await sql`
    insert into payments (provider, payment_id, first_seen_at, next_read_at, callback_count)
    values (${options.provider}, ${options.payment_id}, ${options.now}, ${options.at}, ${callbacks})
    on conflict on constraint payments_known_once do update
    set next_read_at = least(payments.next_read_at, excluded.next_read_at),
      callback_count = payments.callback_count + ${callbacks},
      read_count = case when ${options.isCallback} then 0 else payments.read_count end
  `.execute(database)
}

/** Claims one payment, or the oldest due ones, for `leaseMs`: nobody else gets them until that is over. */
export function claimDuePayments(
  database: Queryable,
  options: { only?: PaymentKey | undefined; now: Date; leaseMs: number; limit: number },
): Promise<PaymentRow[]> {
  const { only } = options
  return leaseDue(
    database,
    {
      table: 'payments',
      key: ['provider', 'payment_id'],
      dueAt: 'next_read_at',
      // Who watches an order has it read out of turn, which puts off no later reading.
      count: only === undefined ? 'read_count' : undefined,
      where:
        only === undefined
          ? sql<boolean>`true`
          : sql<boolean>`provider = ${only.provider} and payment_id = ${only.payment_id}`,
    },
    options,
  )
}

/** Ends a reading, sets the next (null: never); true when a callback came: due again at once. */
export async function finishReading(
  database: Queryable,
  claimed: PaymentRow,
  { nextReadAt, now, isRead }: { nextReadAt: Date | null; now: Date; isRead: boolean },
): Promise<boolean> {
  const { rows } = await sql<{ again: boolean }>`
    update payments
    set next_read_at = case when callback_count = ${claimed.callback_count}
        then ${nextReadAt}::timestamptz else ${now}::timestamptz end,
      last_read_at = case when ${isRead} then ${now}::timestamptz else last_read_at end
    where provider = ${claimed.provider} and payment_id = ${claimed.payment_id}
    returning callback_count <> ${claimed.callback_count} as again
  `.execute(database)
  return rows[0]?.again ?? false
}

const clockSkewMaxMs = 24 * 60 * 60_000

/**
 * Keeps a reading of a payment, unless a newer one is known. An order once set stays, and a payment
 * that was credited stays a first deposit, whatever the provider says later.
 */
export async function storePayment(
  transaction: Transaction,
  options: { provider: ProviderName; facts: PaymentFacts; orderId: string | null; now: Date },
) {
  const { provider, facts, orderId, now } = options
  const { updatedAtMs } = facts
  // A time far ahead of ours would make every later reading look old.
  const isTold = updatedAtMs !== null && updatedAtMs < now.getTime() + clockSkewMaxMs
  const changedAt = isTold ? new Date(updatedAtMs) : null
  const { rows } = await sql<{ order_id: string | null }>`
    insert into payments (provider, payment_id, order_id, parent_payment_id, state,
      provider_status, pay_currency, pay_amount, paid_amount, settled_amount, price_minor_units,
      price_currency, provider_updated_at, first_seen_at)
    values (${provider}, ${facts.paymentId}, ${orderId}, ${facts.parentPaymentId}, ${facts.state},
      ${facts.providerStatus}, ${facts.payCurrency}, ${facts.payAmount}, ${facts.paidAmount},
      ${facts.settledAmount}, ${facts.price?.minorUnits ?? null}, ${facts.price?.currency ?? null},
      ${changedAt}, ${now})
    on conflict on constraint payments_known_once do update
    set order_id = coalesce(payments.order_id, excluded.order_id),
      parent_payment_id = case when payments.credited
        then payments.parent_payment_id else excluded.parent_payment_id end,
      state = excluded.state,
      provider_status = excluded.provider_status,
      pay_currency = excluded.pay_currency,
      pay_amount = excluded.pay_amount,
      paid_amount = excluded.paid_amount,
      settled_amount = excluded.settled_amount,
      price_minor_units = excluded.price_minor_units,
      price_currency = excluded.price_currency,
      provider_updated_at = excluded.provider_updated_at
    where payments.provider_updated_at is null
      or excluded.provider_updated_at is null
      or excluded.provider_updated_at >= payments.provider_updated_at
    returning order_id
  `.execute(transaction)
  const row = rows[0]
  // Where the reading was older than what is known nothing was changed.
  return { orderId: row?.order_id ?? null, isFresh: row !== undefined }
}

/** Notes that the provider doesn't know a payment that a callback named. */
export async function markPaymentMissing(
  database: Queryable,
  { provider, payment_id }: PaymentKey,
): Promise<void> {
  const match = { provider, payment_id, state: 'unread' } as const
  await updateRows(database, 'payments', { match, set: { state: 'missing' } })
}

/** What is known of an order's payment that its provider was asked about. */
interface OrderPayment {
  payment_id: string
  state: PaymentState
  credited: boolean
  isOther: boolean
  share: number
}

/** The other first deposits of an order, and the payment that credited it. */
export async function readOrderPayments(
  transaction: Transaction,
  { orderId, exceptPaymentId }: { orderId: string; exceptPaymentId: string },
): Promise<{ otherStates: PaymentState[]; otherShare: number; creditedPaymentId: string | null }> {
  const { rows } = await sql<OrderPayment>`
    select payment_id, state, credited,
      payment_id <> ${exceptPaymentId} and parent_payment_id is null as "isOther",
      (case when ${sql.raw(isStanding)} then ${sql.raw(settledShare)} else 0 end)::float8 as share
    from payments join orders on orders.id = payments.order_id
    -- 'unread': only a callback has named it; 'missing': the provider doesn't know it.
    where orders.id = ${orderId} and state not in ('unread', 'missing')
  `.execute(transaction)
  const others = rows.filter(({ isOther }) => isOther)
  return {
    creditedPaymentId: rows.find((row) => row.credited)?.payment_id ?? null,
    otherStates: others.map(({ state }) => state),
    otherShare: others.reduce((sum, { share }) => sum + share, 0),
  }
}

/** Marks the payment that credits its order; the database refuses a second one. */
export async function markPaymentCredited(
  transaction: Transaction,
  key: PaymentKey,
): Promise<void> {
  await updateRows(transaction, 'payments', { match: key, set: { credited: true } })
}
