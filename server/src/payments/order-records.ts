import { sql } from 'kysely'
import type { Queryable } from '../platform/db/database.ts'
import { updateRows } from '../platform/db/rows.ts'
import type { ProviderName } from './provider.ts'
import { settledByCrediting } from './payment-decision.ts'
import type { FlagKind } from './payment-decision.ts'

/** What an event or a flag is about, and when. */
interface PaymentSubject {
  provider: ProviderName
  paymentId: string | null
  orderId: string | null
  now: Date
}

/** The columns that events and flags share. */
function subjectColumns({ provider, paymentId, orderId, now }: PaymentSubject) {
  return { provider, payment_id: paymentId, order_id: orderId, created_at: now }
}

/** Writes what was learnt or done into the order's history; a repetition changes nothing. */
export async function recordEvent(
  database: Queryable,
  { event, detail, ...subject }: PaymentSubject & { event: string; detail: string },
): Promise<void> {
  await database
    .insertInto('payment_events')
    .values({ ...subjectColumns(subject), event, detail })
    .onConflict((conflict) => conflict.constraint('payment_events_told_once').doNothing())
    .execute()
}

/** Puts something before the operator. The same about the same payment is flagged once. */
export async function raiseFlag(
  database: Queryable,
  { kind, note, ...subject }: PaymentSubject & { kind: FlagKind; note: string },
): Promise<void> {
  await database
    .insertInto('order_flags')
    .values({ ...subjectColumns(subject), kind, note })
    .onConflict((conflict) => conflict.constraint('order_flags_raised_once').doNothing())
    .execute()
}

/**
 * Resolves a now credited order's flags about money that lacked.
 * @param options.paymentIds those that it was credited for; undefined, on the operator's word: all of them
 */
export async function resolvePaidFlags(
  database: Queryable,
  options: {
    orderId: string
    paymentIds: readonly string[] | undefined
    resolution: string
    now: Date
  },
): Promise<void> {
  const { orderId, paymentIds, resolution, now } = options
  const isOfThem = paymentIds && sql`and payment_id = any(${paymentIds})`
  const match = sql`order_id = ${orderId} and kind = any(${settledByCrediting})
    and resolved_at is null ${isOfThem ?? sql``}`
  await updateRows(database, 'order_flags', { match, set: { resolved_at: now, resolution } })
}

/** Resolves the flags about credits owed by buyers who owe nothing any more. */
export async function resolveOwedFlags(database: Queryable, options: { now: Date }): Promise<void> {
  const isPaid = sql`(select owed from orders
    join credit_accounts on credit_accounts.user_id = orders.user_id
    where orders.id = order_flags.order_id) = 0`
  await updateRows(database, 'order_flags', {
    match: sql`kind = 'credits_owed' and resolved_at is null and ${isPaid}`,
    set: { resolved_at: options.now, resolution: 'What was owed has been taken.' },
  })
}

/** Resolves a flag with the operator's reason; false when there is no such open flag. */
export async function resolveFlag(
  database: Queryable,
  options: { flagId: string; resolution: string; now: Date },
): Promise<boolean> {
  const { flagId: id, resolution, now } = options
  const flag = { match: { id, resolved_at: null }, set: { resolved_at: now, resolution } }
  return (await updateRows(database, 'order_flags', flag)).length > 0
}
