import { sql } from 'kysely'
import {
  moveEventCredits,
  moveEventHolds,
  readEventsAccount,
} from '../ledger/credits/move-credits.ts'
import { inTransaction } from '../platform/db/database.ts'
import type { Transaction } from '../platform/db/database.ts'
import { findRow } from '../platform/db/rows.ts'
import { takeBatches } from '../platform/jobs/take-batches.ts'
import type { EventRow } from './find-event.ts'
import type { EventParts } from './parts.ts'

/**
 * Gives what a guest has left, and what a selfie under way holds, back to the event's budget; of who has an
 * account of their own by now, nothing. Whatever else is locked of a guest is locked after their user.
 */
export async function returnGuestCredits(
  transaction: Transaction,
  guest: { userId: string; event: Pick<EventRow, 'account_id' | 'title'>; now: Date },
): Promise<void> {
  const { userId, event, now } = guest
  const isGuest = sql`id = ${userId} and guest_of is not null for no key update`
  if ((await findRow(transaction, 'users', isGuest)) === undefined) return
  const account = await findRow(transaction, 'credit_accounts', { user_id: userId })
  if (account === undefined) return
  const moved = {
    fromAccountId: account.id,
    toAccountId: event.account_id,
    description: event.title,
    now,
  }
  const reference = crypto.randomUUID()
  await moveEventCredits(transaction, { ...moved, reference: `event-return:${reference}` })
  await moveEventHolds(transaction, { ...moved, reference: `event-held:${reference}` })
}

/** Gives back credits of guests and events that are over; what comes later is found next time. */
export async function returnCredits(
  { database, clock }: Pick<EventParts, 'clock' | 'database'>,
  signal: AbortSignal,
): Promise<void> {
  const now = clock()
  await takeBatches(signal, 200, async (limit) => {
    const { rows: guests } = await sql<{ userId: string; account_id: string; title: string }>`
      select users.id as "userId", events.account_id, title
      from users join events on events.id = guest_of
      join event_guests on event_guests.user_id = users.id
      join credit_accounts on credit_accounts.user_id = users.id
      where balance > 0 and (credits_until <= ${now} or ends_at <= ${now})
      limit ${limit}`.execute(database)
    for (const { userId, ...event } of guests) {
      await inTransaction(database, (transaction) =>
        returnGuestCredits(transaction, { userId, event, now }),
      )
    }
    return guests.length
  })
  const { rows: ended } = await sql<Pick<EventRow, 'account_id' | 'title'>>`
    select account_id, title from events join credit_accounts on credit_accounts.id = account_id
    where ends_at <= ${now} and balance > 0`.execute(database)
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
