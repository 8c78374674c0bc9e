import { generationPriceCredits } from '@starside/contract/limits.ts'
import type { EventItem } from '@starside/contract/events.ts'
import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { Queryable } from '../platform/db/database.ts'
import { findRow } from '../platform/db/rows.ts'
import type { EventsTable } from '../platform/db/tables.d.ts'
import { isUuid } from '../platform/db/uuid.ts'
import { AppError } from '../platform/errors/app-error.ts'
import { callerNetwork } from '../platform/http/network-address.ts'
import type { EventParts } from './parts.ts'

export type EventRow = Selectable<EventsTable>

const dayMs = 24 * 60 * 60_000
/** So many guests at most wait for a selfie at once: a minute or two on two cores. */
const waitingGuestsMax = 24
/** So many of one place wait at least, however many of others do. */
const waitingOfPlaceMin = 4

/** The event's own pictures: their type, and the column of their key. */
export const eventPictures = {
  background: { mediaType: 'image/jpeg', column: 'background_key' },
  frame: { mediaType: 'image/png', column: 'frame_key' },
} as const
export type EventPicture = keyof typeof eventPictures

/** The event at an address, until its guests' data is deleted. Throws `event_unknown`. */
export async function findEvent(database: Queryable, name: string): Promise<EventRow> {
  const row = await findRow(database, 'events', { name, deleted_at: null })
  if (row === undefined) throw new AppError('event_unknown')
  return row
}

/** An event by its id, or by its address while that is its; undefined when there is none. */
export function findEventOfOperator(
  database: Queryable,
  id: string,
): Promise<EventRow | undefined> {
  return findRow(database, 'events', isUuid(id) ? { id } : { name: id, deleted_at: null })
}

/** By its days: before, during and after it. */
export function stateOf(event: EventRow, now: Date): EventItem['state'] {
  if (now < event.starts_at) return 'upcoming'
  return now < event.ends_at ? 'running' : 'over'
}

/** Throws `event_upcoming` or `event_over`. */
export function assertRunning(event: EventRow, now: Date): void {
  const state = stateOf(event, now)
  if (state !== 'running') throw new AppError(`event_${state}`)
}

/** When everything of its guests is deleted. */
export function deletionOf(event: Pick<EventRow, 'ends_at' | 'deletion_days'>): Date {
  return new Date(event.ends_at.getTime() + event.deletion_days * dayMs)
}

/** Until then, for its cookies and its guests' sessions. */
export function secondsToDeletion(event: EventRow, now: Date): number {
  return Math.max(0, Math.ceil((deletionOf(event).getTime() - now.getTime()) / 1_000))
}

/** The event's page, to join on. */
export function eventUrl(
  { publicUrl }: { readonly publicUrl: string },
  { name }: Pick<EventRow, 'name'>,
): string {
  return `${publicUrl}/e/${name}`
}

/** An event as everybody at an address sees it. */
export async function presentEvent(
  { config, database, presets, clock }: EventParts,
  event: EventRow,
  address: string,
): Promise<EventItem> {
  const { name, title } = event
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
    hasCredits: await hasCredits(database, event),
    isQueueFull: await isQueueFull(database, event, address),
    joinUrl: eventUrl(config, event),
  }
}

/** Whether the budget has a selfie left. */
export async function hasCredits(
  database: Queryable,
  { account_id: id }: EventRow,
): Promise<boolean> {
  const budget = await findRow(database, 'credit_accounts', { id })
  return (budget?.balance ?? 0) >= generationPriceCredits
}

/** SQL: the kiosk of a row of `event_guests`, or the address that they joined from. */
export const placeOfGuest = sql<string>`coalesce(kiosk_id::text,
  (select address from sessions where sessions.user_id = event_guests.user_id limit 1), '')`

/**
 * Whether so many of its guests wait that no further selfie is taken: from a place where few wait, a kiosk or the
 * network of an address, up to twice as many, so that no single one shuts out all others.
 */
export async function isQueueFull(
  database: Queryable,
  { id }: EventRow,
  place: string,
): Promise<boolean> {
  const { rows } = await sql<{ place: string }>`
    select ${placeOfGuest} as place
    from generations join event_guests using (user_id)
    where event_id = ${id} and kept_at is null and state = 'running'
    limit ${2 * waitingGuestsMax}`.execute(database)
  const own = networkOf(place)
  const isFew = rows.filter((row) => networkOf(row.place) === own).length < waitingOfPlaceMin
  return rows.length >= (isFew ? 2 * waitingGuestsMax : waitingGuestsMax)
}

const networkOf = (place: string) => (isUuid(place) ? place : callerNetwork(place))
