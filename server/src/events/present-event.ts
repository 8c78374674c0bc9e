import type { EventItem } from '@starside/contract/events.ts'
import type { Queryable } from '../platform/db/database.ts'
import { findRow } from '../platform/db/rows.ts'
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
  const addressOf = (key: string | null, file: string) =>
    key === null ? null : `/api/events/${name}/pictures/${file}?v=${key.slice(-12)}`
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
    backgroundUrl: addressOf(event.background_key, 'background.jpg'),
    selfiesPerGuest: event.selfies_per_guest,
    printFormats: event.print_formats,
    hasWall: event.has_wall,
    hasCredits: (await readBudget(database, event)) >= event.selfies_per_guest,
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

/** Credits that are left in the event's budget. */
export async function readBudget(
  database: Queryable,
  { account_id: accountId }: Pick<EventRow, 'account_id'>,
): Promise<number> {
  const account = await findRow(database, 'credit_accounts', { id: accountId })
  return account?.balance ?? 0
}

/** Whether so many of its guests wait that no further selfie is taken. */
export async function isQueueFull(database: Queryable, { id }: EventRow): Promise<boolean> {
  const { count } = await database
    .selectFrom('generations')
    .innerJoin('users', 'users.id', 'generations.user_id')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('users.guest_of', '=', id)
    .where('generations.state', '=', 'running')
    .executeTakeFirstOrThrow()
  return Number(count) >= waitingGuestsMax
}
