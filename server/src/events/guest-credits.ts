import { sql } from 'kysely'
import { moveEventCredits, readEventsAccount } from '../ledger/credits/move-credits.ts'
import { inTransaction } from '../platform/db/database.ts'
import type { Transaction } from '../platform/db/database.ts'
import { findRow } from '../platform/db/rows.ts'
import { takeBatches } from '../platform/jobs/take-batches.ts'
import type { EventRow } from './find-event.ts'
import type { EventParts } from './parts.ts'

/** Gives what a guest has left back to the event's budget; of who has an account of their own by now, nothing. */
export async function returnGuestCredits(
  transaction: Transaction,
  guest: { userId: string; event: Pick<EventRow, 'account_id' | 'title'>; now: Date },
): Promise<void> {
  const { userId, event, now } = guest
  const isGuest = sql`id = ${userId} and guest_of is not null for no key update`
  if ((await findRow(transaction, 'users', isGuest)) === undefined) return
  const account = await findRow(transaction, 'credit_accounts', { user_id: userId })
  if (account === undefined) return
  await moveEventCredits(transaction, {
    fromAccountId: account.id,
    toAccountId: event.account_id,
    description: event.title,
    reference: `event-return:${crypto.randomUUID()}`,
    now,
  })
}

/** Gives back credits of guests and events that are over; what comes later is found next time. */
export async function returnCredits(
  { database, clock }: Pick<EventParts, 'clock' | 'database'>,
  signal: AbortSignal,
): Promise<void> {
  const now = clock()
  await takeBatches(signal, 200, async (limit) => {
    const guests = await database
      .selectFrom('event_guests')
      .innerJoin('events', 'events.id', 'event_guests.event_id')
      .innerJoin('credit_accounts', 'credit_accounts.user_id', 'event_guests.user_id')
      .innerJoin('users', 'users.id', 'event_guests.user_id')
      .select(['event_guests.user_id', 'events.account_id', 'events.title'])
      .where('users.guest_of', 'is not', null)
      .where('credit_accounts.balance', '>', 0)
      .where((or) => or.or([or('credits_until', '<=', now), or('ends_at', '<=', now)]))
      .limit(limit)
      .execute()
    for (const { user_id: userId, ...event } of guests) {
      await inTransaction(database, (transaction) =>
        returnGuestCredits(transaction, { userId, event, now }),
      )
    }
    return guests.length
  })
  const ended = await database
    .selectFrom('events')
    .innerJoin('credit_accounts', 'credit_accounts.id', 'events.account_id')
    .select(['events.account_id', 'events.title'])
    .where('ends_at', '<=', now)
    .where('balance', '>', 0)
    .execute()
  for (const { account_id: fromAccountId, title: description } of ended) {
    await inTransaction(database, async (transaction) =>
      moveEventCredits(transaction, {
        fromAccountId,
        toAccountId: await readEventsAccount(transaction),
        description,
        reference: `event-end:${crypto.randomUUID()}`,
        now,
      }),
    )
  }
}
