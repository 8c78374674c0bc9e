import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { findRows } from '../platform/db/rows.ts'
import type { Queryable, Transaction } from '../platform/db/database.ts'
import type { EventCountsTable } from '../platform/db/tables.d.ts'
import type { EventRow } from './find-event.ts'

/** How many selfies and prints an hour saw with one star in one scene. */
export type EventCount = Omit<Selectable<EventCountsTable>, 'event_id'>

/** What an event has made, by star, scene and hour (UTC): no faces, no names of guests. */
export async function countEvent(
  database: Queryable,
  { id, deleted_at: deletedAt }: Pick<EventRow, 'id' | 'deleted_at'>,
): Promise<EventCount[]> {
  if (deletedAt === null) return countSelfies(database, id)
  return findRows(database, 'event_counts', sql`event_id = ${id} order by hour, star, scene`)
}

async function countSelfies(database: Queryable, eventId: string): Promise<EventCount[]> {
  const { rows } = await sql<EventCount>`
    select date_trunc('hour', generation.finished_at, 'UTC') as hour, generation.celebrity as star,
      case when has_background_photo then 'background' else coalesce(scene, 'own') end as scene,
      count(distinct generation.id)::integer as selfies, count(print.id)::integer as prints
    from event_guests as guest
    join generations as generation on generation.user_id = guest.user_id
      and generation.state = 'done'
      and generation.created_at < coalesce(guest.kept_at, 'infinity')
    left join event_prints as print on print.generation_id = generation.id
    where guest.event_id = ${eventId}
    group by 1, 2, 3
    order by 1, 2, 3
  `.execute(database)
  return rows
}

/** Keeps the counts before what they count is deleted; a later call leaves them as they are. */
export async function keepCounts(transaction: Transaction, eventId: string): Promise<void> {
  const counts = await countSelfies(transaction, eventId)
  if (counts.length === 0) return
  await transaction
    .insertInto('event_counts')
    .values(counts.map((count) => ({ event_id: eventId, ...count })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
