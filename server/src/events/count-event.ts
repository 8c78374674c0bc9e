import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import { findRows } from '../platform/db/rows.ts'
import type { Queryable, Transaction } from '../platform/db/database.ts'
import type { EventCountsTable } from '../platform/db/tables.d.ts'
import type { EventRow } from './event.ts'

/** How many selfies and prints an hour saw with one star in one scene. */
export type EventCount = Omit<Selectable<EventCountsTable>, 'event_id'>

/** What an event has made, by star, scene and hour (UTC): no faces, no names of guests. */
export async function countEvent(
  database: Queryable,
  { id, deleted_at: deletedAt }: Pick<EventRow, 'id' | 'deleted_at'>,
): Promise<EventCount[]> {
  if (deletedAt === null) return (await counting(id).execute(database)).rows
  return findRows(database, 'event_counts', sql`event_id = ${id} order by hour, star, scene`)
}

/** Keeps the counts before what they count is deleted; a later call leaves them as they are. */
export async function keepCounts(transaction: Transaction, eventId: string): Promise<void> {
  await sql`insert into event_counts ${counting(eventId)} on conflict do nothing`.execute(
    transaction,
  )
}

/** The columns of `event_counts`. */
const counting = (eventId: string) => sql<EventCount & { event_id: string }>`
  select guest.event_id, date_trunc('hour', generation.finished_at, 'UTC') as hour,
    generation.celebrity as star,
    case when has_background_photo then 'background' else coalesce(scene, 'own') end as scene,
    count(distinct generation.id)::integer as selfies, count(print.id)::integer as prints
  from event_guests as guest
  join generations as generation on generation.user_id = guest.user_id
    and generation.state = 'done'
    and generation.created_at < coalesce(guest.kept_at, 'infinity')
  left join event_prints as print on print.generation_id = generation.id
  where guest.event_id = ${eventId}
  group by 1, 2, 3, 4
  order by 2, 3, 4`
