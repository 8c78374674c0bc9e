import type { GuestAnswer, GuestWish } from '@starside/contract/events.ts'
import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { SignedInUser } from '../accounts/auth/session.ts'
import { inTransaction } from '../platform/db/database.ts'
import { violatedConstraint } from '../platform/db/postgres-errors.ts'
import { findRow, findRows, insertRow } from '../platform/db/rows.ts'
import type { EventPrintsTable } from '../platform/db/tables.d.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { presentGeneration } from '../selfies/present-generation.ts'
import { listGenerations } from '../selfies/queries.ts'
import { assertRunning, stateOf } from './event.ts'
import type { EventRow } from './event.ts'
import { readSelfiesLeft } from './guest-credits.ts'
import type { EventParts } from './parts.ts'

/** More than a guest can have. */
const selfiesMax = 100

/** A guest of the event. Throws `guest_unknown` for somebody else. */
export function assertGuest(user: SignedInUser, event: string): SignedInUser {
  if (user.guest?.event !== event) throw new AppError('guest_unknown')
  return user
}

/** A guest with their selfies, as the guest sees them. */
export async function presentGuest(
  parts: EventParts,
  event: EventRow,
  userId: string,
): Promise<GuestAnswer> {
  const { database, clock } = parts
  const { left } = await readSelfiesLeft(database, event, userId)
  const rows = await listGenerations(database, { userId, after: undefined, limit: selfiesMax })
  const ofRows = sql`generation_id = any(${rows.map(({ id }) => id)})`
  const walls = await findRows(database, 'event_selfies', ofRows)
  const prints = await findRows(database, 'event_prints', sql`${ofRows} order by created_at`)
  return {
    success: true,
    selfiesLeft: stateOf(event, clock()) === 'running' ? left : 0,
    selfies: rows.map((row) => ({
      generation: presentGeneration(parts, row),
      wall: walls.find((wall) => wall.generation_id === row.id)?.wall ?? 'private',
      prints: prints.filter((print) => print.generation_id === row.id).map(presentPrint),
    })),
  }
}

/** A print as guest and attendant see it. */
export function presentPrint(
  print: Omit<Selectable<EventPrintsTable>, 'event_id' | 'generation_id'>,
) {
  return {
    printId: print.id,
    number: print.number,
    format: print.format,
    createdAt: print.created_at.toISOString(),
    printedAt: print.printed_at?.toISOString() ?? null,
  }
}

/**
 * What a guest wishes for a finished selfie of theirs. Throws `event_choice_unknown` for what the event has not,
 * `event_over` and `prints_too_many` for prints.
 */
export async function wishFor(
  parts: Pick<EventParts, 'clock' | 'database'>,
  selfie: { generationId: string; event: EventRow },
  { isForWall, printFormat }: GuestWish,
): Promise<void> {
  const { event, generationId } = selfie
  const now = parts.clock()
  if (isForWall !== undefined) {
    if (isForWall && !event.has_wall) throw new AppError('event_choice_unknown')
    // A yes waits to be judged, once, of who is a guest still and may say no; a no takes it down. What a
    // moderator has hidden waits no second time.
    const wish = isForWall
      ? sql`insert into event_selfies (generation_id, event_id, wall, asked_at)
          select generations.id, guest_of, 'asked', ${now}::timestamptz
          from generations join users on users.id = user_id
          where generations.id = ${generationId} and guest_of is not null for share of users
          on conflict (generation_id) do update set
            wall = case when event_selfies.was_hidden then 'hidden' else 'asked' end,
            asked_at = case when event_selfies.was_hidden then event_selfies.asked_at else excluded.asked_at end
          where event_selfies.wall = 'private'`
      : sql`update event_selfies set wall = 'private' where generation_id = ${generationId}`
    await wish.execute(parts.database)
  }
  if (printFormat !== undefined) {
    assertRunning(event, now)
    if (!event.print_formats.includes(printFormat)) throw new AppError('event_choice_unknown')
    const print = { event_id: event.id, generation_id: generationId, format: printFormat }
    await queuePrint(parts, { ...print, created_at: now, printed_at: null })
  }
}

/** Queues a selfie's print, once per format. Throws `prints_too_many`. */
async function queuePrint(
  { database }: Pick<EventParts, 'database'>,
  print: Omit<Selectable<EventPrintsTable>, 'id' | 'number'>,
): Promise<void> {
  try {
    await inTransaction(database, async (transaction) => {
      // Prints of an event are numbered one after the other.
      await findRow(transaction, 'events', sql`id = ${print.event_id} for no key update`)
      const ofEvent = sql`event_id = ${print.event_id} order by number desc limit 1`
      const last = await findRow(transaction, 'event_prints', ofEvent)
      await insertRow(transaction, 'event_prints', { ...print, number: (last?.number ?? 0) + 1 })
    })
  } catch (error) {
    if (violatedConstraint(error) !== 'event_prints_once') throw error
    throw new AppError('prints_too_many', { cause: error })
  }
}
