import type { EventItem } from '@starside/contract/events.ts'
import { sql } from 'kysely'
import type { Queryable } from '../platform/db/database.ts'
import { findRow, findRows } from '../platform/db/rows.ts'
import { deletionOf, stateOf } from './find-event.ts'
import type { EventRow } from './find-event.ts'
import type { EventParts } from './parts.ts'

/** So many guests at most wait for a selfie at once: a minute or two on two cores. */
const waitingGuestsMax = 24

/** An event as everybody sees it. */
export async function presentEvent(
  { config, database, presets, clock }: EventParts,
  event: EventRow,
): Promise<EventItem> {
  const { name, title } = event
  const budget = await findRow(database, 'credit_accounts', { id: event.account_id })
  return {
    name,
    title,
    state: stateOf(event, clock()),
    startsAt: event.starts_at.toISOString(),
    endsAt: event.ends_at.toISOString(),
    deletedAt: deletionOf(event).toISOString(),
    languages: event.languages,
    consent: { version: event.consent_version, words: event.consent },
    stars: event.star_ids.flatMap((id) => presets.find(id) ?? []),
    scenes: event.scenes,
    backgroundUrl:
      event.background_key &&
      `/api/events/${name}/pictures/background?v=${event.background_key.slice(-12)}`,
    selfiesPerGuest: event.selfies_per_guest,
    printFormats: event.print_formats,
    hasWall: event.has_wall,
    hasCredits: (budget?.balance ?? 0) >= event.selfies_per_guest,
    isQueueFull: await isQueueFull(database, event),
    joinUrl: eventUrl(config, event),
  }
}

/** The event's page, to join on. */
export function eventUrl(
  { publicUrl }: { readonly publicUrl: string },
  { name }: Pick<EventRow, 'name'>,
): string {
  return `${publicUrl}/e/${name}`
}

/** The event's budget in credits: what guests and selfies under way hold, and what is free. */
export async function readBudget(
  database: Queryable,
  { id, account_id: accountId }: EventRow,
): Promise<{ held: number; free: number }> {
  const { rows } = await sql<{ held: number; free: number }>`
    select (sum(balance) filter (where account.id = ${accountId}))::integer as free,
      (coalesce(sum(balance) filter (where account.id <> ${accountId}), 0) + coalesce(sum(holds.amount), 0))::integer
        as held
    from credit_accounts as account left join lateral (
      select sum(amount) as amount from credit_holds where account_id = account.id and state = 'held'
    ) as holds on true
    where account.id = ${accountId} or user_id in (select id from users where guest_of = ${id})
  `.execute(database)
  return rows[0]!
}

/** Whether so many of its guests wait that no further selfie is taken. */
export async function isQueueFull(database: Queryable, { id }: EventRow): Promise<boolean> {
  const waiting = sql`state = 'running' and user_id in (select id from users where guest_of = ${id})
    limit ${waitingGuestsMax}`
  return (await findRows(database, 'generations', waiting)).length === waitingGuestsMax
}
