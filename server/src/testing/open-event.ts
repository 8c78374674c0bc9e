import { eventHeader } from '@starside/contract/event-formats.ts'
import type { EventRole } from '@starside/contract/event-formats.ts'
import { hashToken } from '../accounts/auth/session.ts'
import { makeLink } from '../events/event-links.ts'
import { eventRules } from '../events/event-rules.ts'
import type { EventRow } from '../events/event.ts'
import { findEventOfOperator } from '../events/event.ts'
import { lendSelfie } from '../events/guest-credits.ts'
import { createEvent } from '../events/save-event.ts'
import type { EventUploads } from '../events/save-event.ts'
import { generateForm } from './generate-form.ts'
import type { Answer, CallOptions, TestApp } from './open-test-app.ts'

let made = 0
const hourMs = 60 * 60_000

/** An event that has begun an hour ago and goes on for another five, with its calls. */
export interface TestEvent {
  row: EventRow
  /** A call below the event's address, without a guest. */
  call(path: string, options?: CallOptions): Promise<Answer>
  /** A browser that has joined; with the cookies of a kiosk where they are given. */
  join(at?: { kiosk?: string }): Promise<TestGuest>
  /** Opens the page of a role, and answers the cookie of its browser. */
  open(role: EventRole): Promise<string>
  /** What is left in the budget. */
  budget(): Promise<number>
}

export interface TestGuest {
  userId: string
  cookie: string
  /** A call of the guest's browser, of any path below `/api`. */
  call(path: string, options?: CallOptions): Promise<Answer>
  /** A call below the event's address. */
  ask(path: string, options?: CallOptions): Promise<Answer>
  /** Takes the credit of a selfie out of the budget, as far as the guest has one left, and makes none. */
  lend(): Promise<void>
  /** Asks for a selfie with a star of the event. */
  generate(fields?: Record<string, string | Uint8Array | undefined>): Promise<Answer>
}

/** Makes an event with its budget. */
export async function openEvent(
  app: TestApp,
  {
    budget = 30,
    uploads = {},
    ...rules
  }: Record<string, unknown> & {
    budget?: number
    uploads?: EventUploads
  } = {},
): Promise<TestEvent> {
  made += 1
  const { context } = app
  const { database, clock, engine, store } = context
  const name = `event-${made}-${crypto.randomUUID().slice(0, 8)}`
  const shown = (hours: number) =>
    new Date(clock().getTime() + hours * hourMs).toISOString().slice(0, 16).replace('T', ' ')
  const parsed = eventRules.parse({
    name,
    title: 'Museum night',
    from: shown(-1),
    to: shown(5),
    stars: 'elena-vassandri, henrik-solmark',
    scenes: 'cafe, stage',
    languages: 'en, es',
    selfiesPerGuest: '2',
    deletionDays: '1',
    prints: '10x15, strip, square',
    ...rules,
  })
  const parts = { database, clock, engine, store: async () => store }
  const id = await createEvent(parts, parsed, { uploads, budget, createdBy: 'a test' })
  const row = (await findEventOfOperator(database, id ?? ''))!
  const path = `/api/events/${row.name}`
  const header = { [eventHeader]: row.name }
  const call: TestEvent['call'] = (below, options = {}) =>
    app.call(path + below, { ...options, headers: { ...header, ...options.headers } })
  return {
    row,
    call,
    async join({ kiosk } = {}) {
      const answer = await call('/join', {
        json: { consentVersion: row.consent_version, atKiosk: kiosk !== undefined },
        headers: kiosk === undefined ? {} : { cookie: kiosk },
      })
      if (answer.status !== 200) throw new Error(`joining answered ${answer.body.code}`)
      return asGuest(app, row, answer)
    },
    async open(role) {
      const key = await makeLink(context, { eventId: row.id, role, madeBy: 'a test' })
      const { headers } = await call('/open', { json: { role, key } })
      return cookiesOf(headers)
    },
    async budget() {
      const { balance } = await database
        .selectFrom('credit_accounts')
        .select('balance')
        .where('id', '=', row.account_id)
        .executeTakeFirstOrThrow()
      return balance ?? 0
    },
  }
}

/** The browser that was answered a guest's cookie. */
export async function asGuest(app: TestApp, event: EventRow, answer: Answer): Promise<TestGuest> {
  const { name } = event
  const cookie = cookiesOf(answer.headers)
  const headers = { cookie, [eventHeader]: name }
  const call: TestGuest['call'] = (path, options = {}) =>
    app.call(path, { ...options, headers: { ...headers, ...options.headers } })
  const token = /guest-[\w-]+=([\w-]+)/.exec(cookie)?.[1] ?? ''
  const { user_id: userId } = await app.context.database
    .selectFrom('sessions')
    .select('user_id')
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirstOrThrow()
  return {
    userId,
    cookie,
    call,
    lend: () => lendSelfie(app.context, event, userId),
    ask: (below, options) => call(`/api/events/${name}${below}`, options),
    generate: async (fields = {}) =>
      call('/api/ai?action=generate', { form: await generateForm({ scene: 'cafe', ...fields }) }),
  }
}

/** The cookies of an answer, as a browser sends them. */
export function cookiesOf(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((each) => each.split(';')[0] ?? '')
    .join('; ')
}
