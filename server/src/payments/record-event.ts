import type { Queryable } from '../platform/db/database.ts'
import type { ProviderName } from './provider.ts'

/** What an event or a flag is about, and when. */
export interface PaymentSubject {
  provider: ProviderName
  paymentId: string | null
  orderId: string | null
  now: Date
}

/** The columns that events and flags share. */
export function subjectColumns({ provider, paymentId, orderId, now }: PaymentSubject) {
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
