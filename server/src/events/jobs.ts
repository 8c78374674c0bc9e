import { sql } from 'kysely'
import { inTransaction } from '../platform/db/database.ts'
import { deleteRows, updateRows, findRows } from '../platform/db/rows.ts'
import { takeBatches } from '../platform/jobs/take-batches.ts'
import { deleteAccount } from '../trust/user/delete-account.ts'
import { keepCounts } from './count-event.ts'
import type { EventRow } from './event.ts'
import { returnCredits, returnGuestCredits } from './guest-credits.ts'
import type { EventParts } from './parts.ts'

/** Gives credits back whose time is over, and deletes what ended events have of their guests. */
export async function workOnEvents(parts: EventParts): Promise<void> {
  const { jobs } = parts
  await jobs.schedule('return-event-credits', '* * * * *', (signal) => returnCredits(parts, signal))
  await jobs.schedule('delete-ended-events', '7,37 * * * *', (signal) =>
    deleteEndedEvents(parts, signal),
  )
}

type Parts = Pick<EventParts, 'clock' | 'database' | 'store'>

/**
 * Deletes what ended events have of guests on the day each names: accounts, sessions, photos, layers, pictures,
 * and the events' own pictures and links. Counts, nameless books and guests' own accounts stay. May run twice.
 */
export async function deleteEndedEvents(parts: Parts, signal: AbortSignal): Promise<void> {
  const events = await findRows(
    parts.database,
    'events',
    // Who joined while the last guests were deleted is found the next time.
    sql`(deleted_at is null or exists (select from users where guest_of = events.id))
      and ends_at + deletion_days * interval '1 day' <= ${parts.clock()}`,
  )
  for (const event of events) {
    await inTransaction(parts.database, (transaction) => keepCounts(transaction, event.id))
    await takeBatches(signal, 100, (limit) => deleteGuests(parts, event, limit))
    if (signal.aborted) return
    await deleteRest(parts, event)
  }
}

async function deleteGuests(parts: Parts, event: EventRow, limit: number): Promise<number> {
  const ofEvent = sql`guest_of = ${event.id} limit ${limit}`
  const guests = await findRows(parts.database, 'users', ofEvent)
  for (const { id: userId, password_hash: passwordHash } of guests) {
    await inTransaction(parts.database, (transaction) =>
      returnGuestCredits(transaction, { userId, event, now: parts.clock() }),
    )
    // Another password is that of who made an account of it meanwhile.
    await deleteAccount(parts, userId, { passwordHash })
  }
  return guests.length
}

async function deleteRest({ database, store, clock }: Parts, event: EventRow): Promise<void> {
  const { id, background_key, frame_key } = event
  for (const key of [background_key, frame_key]) if (key !== null) await store.delete(key)
  await inTransaction(database, async (transaction) => {
    for (const table of ['event_guests', 'event_selfies', 'event_prints', 'event_links'] as const) {
      await deleteRows(transaction, table, { event_id: id })
    }
    // One that was given another picture meanwhile is found the next time.
    const match = { id, background_key, frame_key }
    await updateRows(transaction, 'events', { match, set: { deleted_at: clock() } })
  })
}
