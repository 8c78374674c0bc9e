import { randomBytes } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import { eventRolePages, type EventRole } from '@starside/contract/event-formats.ts'
import { makeLink } from '../server/src/events/event-links.ts'
import { eventRules } from '../server/src/events/event-rules.ts'
import { createEvent } from '../server/src/events/save-event.ts'
import { giveSelfie, withDatabase } from './copied-selfie.ts'
import { expect, type Page } from './story.ts'

const hourMs = 60 * 60_000

/** An event that goes on just now, with three selfies for each guest. */
export interface StoryEvent {
  path: string
  /** The path of an operator's link, which opens a role's page in one browser. */
  linkFor(role: EventRole): Promise<string>
  /** Gives the guest who joined last a finished selfie. */
  giveSelfie(request: APIRequestContext): Promise<void>
}

/** Makes an event as an operator does; `change` says otherwise what its form would. */
export async function openEvent(change: Record<string, string> = {}): Promise<StoryEvent> {
  const name = `night-${randomBytes(5).toString('hex')}`
  const at = (hours: number): string =>
    new Date(Date.now() + hours * hourMs).toISOString().slice(0, 16).replace('T', ' ')
  const rules = eventRules.parse({
    name,
    title: 'Museum night',
    from: at(-1),
    to: at(5),
    stars: 'elena-vassandri, henrik-solmark, mina-asakuri',
    scenes: 'own, stage, cafe',
    prints: '10x15, strip, square',
    wall: 'yes',
    ...change,
  })
  const eventId = await withDatabase(async (database) => {
    const nothingUploaded = () => {
      throw new Error('This event has no pictures of its own')
    }
    const unused = { admit: nothingUploaded, makeLogo: nothingUploaded }
    const store = nothingUploaded as never
    return await createEvent(
      { database, clock: () => new Date(), engine: unused, store: async () => store },
      rules,
      { uploads: {}, budget: 60, createdBy: 'a story' },
    )
  })
  if (eventId === undefined) throw new Error('The address of the event is taken')
  return {
    path: `/e/${name}`,
    linkFor: (role) =>
      withDatabase(async (database) => {
        const parts = { database, randomBytes, clock: () => new Date() }
        const key = await makeLink(parts, { eventId, role, madeBy: 'a story' })
        return `/e/${name}/${eventRolePages[role]}#key=${key}`
      }),
    giveSelfie: (request) => giveGuestSelfie(request, name),
  }
}

/** Gives the guest who joined an event last a finished selfie. */
export async function giveGuestSelfie(request: APIRequestContext, event: string): Promise<void> {
  const guest = await withDatabase((database) =>
    database
      .selectFrom('users')
      .innerJoin('events', 'events.id', 'users.guest_of')
      .select('users.email')
      .where('events.name', '=', event)
      .orderBy('users.created_at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow(),
  )
  await giveSelfie(request, guest)
}

/** Reads, ticks and joins. */
export async function joinEvent(page: Page, { path }: Pick<StoryEvent, 'path'>): Promise<void> {
  await page.goto(path)
  await page.getByRole('checkbox', { name: 'I agree' }).check()
  await page.getByRole('button', { name: 'Start' }).click()
  await expect(page.getByRole('group', { name: 'Pick your star' })).toBeVisible()
}

/** A guest with a finished picture. */
export async function guestWithPicture(page: Page, event: StoryEvent): Promise<void> {
  await joinEvent(page, event)
  await event.giveSelfie(page.request)
  await page.reload()
  await expect(eventPicture(page)).toBeVisible()
}

/** The large picture of a guest's page or a kiosk. */
export const eventPicture = (page: Page) => page.getByRole('img', { name: /made with AI$/ })
