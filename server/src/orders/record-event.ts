import type { Queryable } from '../db/database.ts'
import type { ProviderName } from './provider.ts'

/** Writes what was learnt or done into the order's history; a repetition changes nothing. */
export async function recordEvent(
  database: Queryable,
  event: {
    provider: ProviderName
    paymentId: string | null
    orderId: string | null
    event: string
    detail: string
    now: Date
  },
): Promise<void> {
  await database
    .insertInto('payment_events')
    .values({
      provider: event.provider,
      payment_id: event.paymentId,
      order_id: event.orderId,
      event: event.event,
      detail: event.detail,
      created_at: event.now,
    })
    .onConflict((conflict) => conflict.constraint('payment_events_told_once').doNothing())
    .execute()
}
