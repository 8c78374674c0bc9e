import { sceneNames } from '@starside/contract/scenes.ts'
import type { SelfieInput } from '@starside/engine/engine-calls.ts'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { languages } from '@starside/contract/languages.ts'
import { auditBooks } from '../ledger/credits/audit.ts'
import { captureHold, releaseHold } from '../ledger/credits/close-hold.ts'
import { grantCredits } from '../ledger/credits/grant.ts'
import { placeHold } from '../ledger/credits/hold.ts'
import { backedUpPrefixes } from '../operator/backup/data-files.ts'
import { inTransaction } from '../platform/db/database.ts'
import { findRow, updateRows } from '../platform/db/rows.ts'
import { arrangementAt } from '../testing/arrangement-at.ts'
import { generateForm } from '../testing/generate-form.ts'
import { listKeys } from '../testing/list-keys.ts'
import { doneRow, makeDoneGeneration, makeGeneration } from '../testing/make-generation.ts'
import { asGuest, cookiesOf, openEvent } from '../testing/open-event.ts'
import type { TestEvent, TestGuest } from '../testing/open-event.ts'
import { newPerson, openTestApp } from '../testing/open-test-app.ts'
import type { Answer, TestApp } from '../testing/open-test-app.ts'
import { makeTestSelfie } from '../testing/scripted-engine.ts'
import { createTestJpeg, readSmallPhoto } from '../testing/test-photo.ts'
import { untilWaiting } from '../testing/until-waiting.ts'
import { countEvent } from './count-event.ts'
import { columnsOf, eventRules, fieldsOf } from './event-rules.ts'
import { stateOf } from './event.ts'
import type { EventRow } from './event.ts'
import { readBudget, returnCredits, returnGuestCredits } from './guest-credits.ts'
import { deleteEndedEvents } from './jobs.ts'
import { createEvent, editEvent, fillBudget } from './save-event.ts'
import type { EventUploads } from './save-event.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
const signal = new AbortController().signal

async function makeSelfie(guest: TestGuest): Promise<string> {
  const { body } = await guest.generate()
  return body.generation.generationId
}

/** What a selfie under way holds. */
async function holdCredit({ userId, lend }: TestGuest): Promise<string> {
  await lend()
  const hold = { amount: 1, description: 'Selfie', reference: userId, now: app.context.clock() }
  const held = await placeHold(app.context.database, { ...hold, userId })
  if (held.outcome !== 'held') throw new Error('the guest has no credit')
  return held.holdId
}

/** Makes an account of a guest, and gives it seven credits of a voucher. */
async function keepWithCredits(guest: TestGuest | undefined): Promise<Answer> {
  if (guest === undefined) throw new Error('there is no such guest')
  const { userId } = guest
  const answer = await guest.ask('/keep', { json: newPerson() })
  const { clock, database } = app.context
  const voucher = { description: 'Voucher', reference: `voucher:${userId}`, amount: 7 }
  await grantCredits(database, { ...voucher, reason: 'voucher', userId, now: clock() })
  return answer
}

/** How many credits the account has. */
async function balanceOf(userId: string): Promise<number> {
  const { balance } = await app.context.database
    .selectFrom('credit_accounts')
    .select('balance')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return balance ?? 0
}

describe('an event', () => {
  test('shows what it offers to everybody', async () => {
    const event = await openEvent(app)
    const { body } = await event.call('')
    expect(body.event).toMatchObject({
      name: event.row.name,
      title: 'Museum night',
      state: 'running',
      languages: ['en', 'es'],
      scenes: ['cafe', 'stage'],
      backgroundUrl: null,
      selfiesPerGuest: 2,
      hasCredits: true,
      isQueueFull: false,
      joinUrl: `https://selfie.example/e/${event.row.name}`,
    })
    expect(body.event.stars.map(({ id }: { id: string }) => id)).toEqual([
      'elena-vassandri',
      'henrik-solmark',
    ])
    expect(Object.keys(body.event.consent.words)).toEqual(['en', 'es'])
    expect(await app.call('/api/events/no-such-event')).toMatchObject({
      status: 404,
      body: { code: 'event_unknown' },
    })
  })

  test('takes guests between its beginning and its end', async () => {
    const event = await openEvent(app)
    const join = () => event.call('/join', { json: { consentVersion: event.row.consent_version } })
    const move = (hours: number) => app.passTime(hours * hourMs)
    move(-2)
    expect((await join()).body).toMatchObject({ code: 'event_upcoming' })
    move(2)
    expect((await join()).status).toBe(200)
    move(6)
    expect((await join()).body).toMatchObject({ code: 'event_over' })
    move(-6)
  })

  test('runs from its first moment on, and is over with its last', async () => {
    const { row } = await openEvent(app)
    expect([row.starts_at, row.ends_at].map((at) => stateOf(row, at))).toEqual(['running', 'over'])
  })

  test('that ends when it begins is refused', () => {
    const moment = '2026-11-22 18:00'
    const { error } = eventRules.safeParse({
      name: 'gala',
      title: 'Gala',
      from: moment,
      to: moment,
    })
    expect(error?.issues).toMatchObject([{ path: ['to'] }])
  })

  test('takes nobody who has not agreed to its words as they are', async () => {
    const event = await openEvent(app)
    const join = (consentVersion: string) => event.call('/join', { json: { consentVersion } })
    expect(await join('another')).toMatchObject({
      status: 409,
      body: { code: 'event_consent_outdated' },
    })
    expect((await event.call('/join', { json: {} })).status).toBe(400)
    expect(await event.budget()).toBe(30)
  })
})

describe('the budget', () => {
  test('gives each guest their selfies, and takes back what is left', async () => {
    const event = await openEvent(app, { budget: 10 })
    const [leaving, waiting] = [await event.join(), await event.join()]
    expect(await event.budget(), 'who joins takes nothing').toBe(10)
    await makeSelfie(leaving)
    await leaving.lend()
    await waiting.lend()
    expect(await event.budget()).toBe(7)
    expect((await leaving.ask('/leave', { method: 'POST' })).status).toBe(200)
    expect(await event.budget()).toBe(8)
    expect((await leaving.ask('/guest')).body).toEqual({ success: true, guest: null })
    app.passTime(20 * 60_000)
    await returnCredits(app.context, signal)
    expect(await event.budget()).toBe(9)
    expect((await waiting.ask('/guest')).body.guest, 'who comes later').toMatchObject({
      selfiesLeft: 2,
    })
    await makeSelfie(waiting)
    expect((await waiting.ask('/guest')).body.guest).toMatchObject({ selfiesLeft: 1 })
    expect(await event.budget()).toBe(8)
    await makeSelfie(waiting)
    expect((await waiting.generate()).body).toMatchObject({ code: 'event_selfies_used' })
    expect(await event.budget()).toBe(7)
    app.passTime(5 * hourMs)
    await returnCredits(app.context, signal)
    expect(await event.budget()).toBe(0)
    app.passTime(-5 * hourMs - 20 * 60_000)
    expect((await auditBooks(app.context.database)).findings).toEqual([])
  })

  test('is there for the next guest however many join and make nothing', async () => {
    const event = await openEvent(app, { budget: 2 })
    for (let n = 0; n < 5; n += 1) await event.join()
    expect((await event.call('')).body.event.hasCredits).toBe(true)
    const guest = await event.join()
    expect((await guest.ask('/guest')).body.guest).toMatchObject({ selfiesLeft: 2 })
    await makeSelfie(guest)
    await makeSelfie(guest)
    expect(await event.budget()).toBe(0)
  })

  test('promises a guest no more selfies than it has, and says when others have made them all', async () => {
    const event = await openEvent(app, { budget: 2 })
    const [first, second] = [await event.join(), await event.join()]
    const left = async () => (await second.ask('/guest')).body.guest.selfiesLeft
    await makeSelfie(first)
    expect(await left()).toBe(1)
    await makeSelfie(first)
    expect(await left()).toBe(0)
    expect(await second.generate()).toMatchObject({
      status: 409,
      body: { code: 'event_credits_used' },
    })
  })

  test('counts a selfie that was under way when a guest’s time ended', async () => {
    const event = await openEvent(app, { budget: 10 })
    const { database, clock } = app.context
    const guest = await event.join()
    await guest.lend()
    const { holdId, generationId } = await makeGeneration(database, { userId: guest.userId })
    await guest.lend()
    app.passTime(20 * 60_000)
    await returnCredits(app.context, signal)
    expect(await event.budget(), 'waits for the selfie').toBe(8)
    await captureHold(database, { holdId, now: clock() })
    const match = { id: generationId }
    await updateRows(database, 'generations', { match, set: doneRow(generationId) })
    await returnCredits(app.context, signal)
    expect(await event.budget()).toBe(9)
    expect((await guest.ask('/guest')).body.guest).toMatchObject({ selfiesLeft: 1 })
    app.passTime(-20 * 60_000)
  })

  test('is never overdrawn by guests who come at once', async () => {
    const event = await openEvent(app, { budget: 3 })
    const guests = await Promise.all(Array.from({ length: 8 }, () => event.join()))
    const lent = await Promise.allSettled(guests.map(({ lend }) => lend()))
    const codes = lent.map((each) => (each.status === 'fulfilled' ? 'lent' : each.reason.code))
    expect(codes.toSorted((one, other) => one.localeCompare(other))).toEqual([
      ...Array.from({ length: 5 }, () => 'event_credits_used'),
      ...Array.from({ length: 3 }, () => 'lent'),
    ])
    expect(await event.budget()).toBe(0)
    expect((await event.call('')).body.event.hasCredits).toBe(false)
    const json = { consentVersion: event.row.consent_version }
    expect((await event.call('/join', { json })).body).toMatchObject({ code: 'event_credits_used' })
    expect((await auditBooks(app.context.database)).findings).toEqual([])
  })

  test('lends a guest who comes back no more than they have left, however often they ask at once', async () => {
    const event = await openEvent(app, { budget: 10 })
    const guest = await event.join()
    await makeSelfie(guest)
    await guest.lend()
    expect(await event.budget()).toBe(8)
    app.passTime(hourMs)
    await returnCredits(app.context, signal)
    expect(await event.budget()).toBe(9)
    const { guestRules } = app.context
    const form = { fields: { presetId: 'elena-vassandri', scene: 'cafe' } } as never
    const asking = { userId: guest.userId, eventId: event.row.id } as never
    await Promise.all([1, 2, 3].map(() => guestRules.admit(asking, form)))
    expect([await event.budget(), await balanceOf(guest.userId)]).toEqual([8, 1])
    await returnCredits(app.context, signal)
    expect(await balanceOf(guest.userId), 'is theirs for a while again').toBe(1)
    app.passTime(-hourMs)
    expect((await auditBooks(app.context.database)).findings).toEqual([])
  })

  test('can’t go below zero in the database either', async () => {
    const event = await openEvent(app, { budget: 1 })
    await expect(
      app.context.database
        .updateTable('credit_accounts')
        .set({ balance: -1 })
        .where('id', '=', event.row.account_id)
        .execute(),
    ).rejects.toMatchObject({ constraint: 'credit_accounts_balance_not_negative' })
  })

  test('is audited as other accounts are', async () => {
    const event = await openEvent(app, { budget: 5 })
    const write = (balance: number) =>
      app.context.database
        .updateTable('credit_accounts')
        .set({ balance })
        .where('id', '=', event.row.account_id)
        .execute()
    await write(6)
    expect((await auditBooks(app.context.database)).findings).toEqual([
      `Account ${event.row.account_id} has a balance of 6 and owes 0, its entries and holds say 5.`,
    ])
    await write(5)
  })
})

describe('a guest', () => {
  test('has a cookie that scripts and other sites don’t reach, until all is deleted', async () => {
    const event = await openEvent(app)
    const { headers } = await event.call('/join', {
      json: { consentVersion: event.row.consent_version },
    })
    const cookie = headers
      .getSetCookie()
      .find((each) => each.startsWith(`__Host-guest-${event.row.name}=`))
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Secure$/)
    const seconds = Number(/Max-Age=(\d+)/.exec(cookie ?? '')?.[1])
    expect(seconds).toBeGreaterThan((5 * hourMs) / 1_000)
    expect(seconds).toBeLessThanOrEqual((5 * hourMs + dayMs) / 1_000)
  })

  test('goes on as the same guest after a reload', async () => {
    const event = await openEvent(app)
    const guest = await event.join()
    await makeSelfie(guest)
    const again = await guest.ask('/join', {
      json: { consentVersion: event.row.consent_version },
    })
    expect(again.body).toMatchObject({ selfiesLeft: 1 })
    expect(again.body.selfies).toHaveLength(1)
    expect(await event.budget()).toBe(29)
  })

  test('keeps the selfies of one event while at another', async () => {
    const [first, second] = [await openEvent(app), await openEvent(app)]
    const guest = await first.join()
    await makeSelfie(guest)
    const joined = await second.call('/join', {
      json: { consentVersion: second.row.consent_version },
      headers: { cookie: guest.cookie },
    })
    const cookie = `${guest.cookie}; ${cookiesOf(joined.headers)}`
    const seen = async ({ call }: TestEvent) =>
      (await call('/guest', { headers: { cookie } })).body.guest.selfies.length
    expect([await seen(first), await seen(second)]).toEqual([1, 0])
  })

  test('is not made to leave by a page of another site', async () => {
    const event = await openEvent(app)
    const guest = await event.join()
    const { headers } = await app.call(`/api/events/${event.row.name}/leave`, {
      method: 'POST',
      headers: { cookie: guest.cookie },
    })
    expect(headers.getSetCookie()).toEqual([])
    expect((await guest.ask('/guest')).body.guest).toMatchObject({ selfiesLeft: 2 })
  })

  test('makes selfies that the event offers, without the brand mark where it says so', async () => {
    const event = await openEvent(app)
    const guest = await event.join()
    const { body } = await guest.generate()
    expect(body.generation).toMatchObject({ state: 'done', scene: 'cafe', watermarked: false })
    const own = await guest.call(`/api/generations/${body.generation.generationId}`)
    expect((await app.call(own.body.generation.imageUrl)).status).toBe(200)
    const marked = await (await openEvent(app, { brandMark: 'yes' })).join()
    expect((await marked.generate()).body.generation.watermarked).toBe(true)
  })

  test.each([
    ['another star', { presetId: 'mina-asakuri' }],
    ['another scene', { scene: 'forest' }],
    ['no scene, without a background of the event', { scene: undefined }],
    ['words of their own', { prompt: 'as pirates' }],
  ])('is refused %s, and no selfie is used', async (_what, fields) => {
    const guest = await (await openEvent(app)).join()
    expect((await guest.generate(fields)).body).toMatchObject({ code: 'event_choice_unknown' })
    expect(await balanceOf(guest.userId)).toBe(0)
  })

  test.each(['variations', 'preview'])(
    'is refused %s in a scene that the event has not',
    async (path) => {
      const guest = await (await openEvent(app)).join()
      const arrangement = { ...arrangementAt(0.4), scene: 'forest' }
      const answer = await guest.call(`/api/generations/${await makeSelfie(guest)}/${path}`, {
        json: { arrangement, withPeople: false, isLarge: false },
      })
      expect(answer.body).toMatchObject({ code: 'event_choice_unknown' })
    },
  )

  test('is refused a photo of somebody else, and one of a place', async () => {
    const guest = await (await openEvent(app)).join()
    const photo = await readSmallPhoto()
    const star = { presetId: undefined, celebrityPhoto: photo, consent: 'true' }
    expect((await guest.generate(star)).body).toMatchObject({ code: 'event_choice_unknown' })
    const place = { scene: undefined, background: photo }
    expect((await guest.generate(place)).body).toMatchObject({ code: 'event_choice_unknown' })
  })

  test('stands on the event’s own background where no scene is named', async () => {
    const background = await createTestJpeg({ red: 200, green: 20, blue: 20 })
    const event = await openEvent(app, { uploads: { background } })
    const guest = await event.join()
    const { body } = await guest.generate({ scene: undefined })
    expect(body.generation).toMatchObject({ state: 'done', hasBackgroundPhoto: true })
    const { backgroundUrl } = (await event.call('')).body.event
    expect(await app.call(backgroundUrl)).toMatchObject({ status: 200 })
  })

  test('has versions in one format where there is a frame or a printer, below that frame', async () => {
    const event = await openEvent(app, { uploads: { frame: await frameOf('#f008') } })
    const made: Pick<SelfieInput, 'keepsAspect' | 'overlay'>[] = []
    const make = async ({ generate }: TestGuest) => {
      app.engine.next.push(async ({ keepsAspect, overlay }) => {
        made.push({ keepsAspect, overlay })
        return makeTestSelfie()
      })
      await generate()
    }
    await make(await event.join())
    await make(await (await openEvent(app, { prints: '' })).join())
    await make(await (await openEvent(app)).join())
    const { channels } = await sharp(made[0]?.overlay).stats()
    expect(channels.map(({ mean }) => mean)).toEqual([255, 0, 0, 136])
    expect(made.map(({ keepsAspect }) => keepsAspect)).toEqual([true, false, true])
    expect(made[1]?.overlay).toBeUndefined()
    expect(await app.context.guestRules.wishesFor(crypto.randomUUID())).toEqual({})
  })

  test('who leaves takes the photos along that were checked', async () => {
    const guest = await (await openEvent(app)).join()
    const { body } = await guest.call('/api/ai?action=inspect', { form: await inspectForm() })
    const kept = () => app.context.uploads.find({ account: guest.userId }, body.photoDigest)
    expect(await kept()).toBeDefined()
    await guest.ask('/leave', { method: 'POST' })
    expect(await kept()).toBeUndefined()
  })

  test('makes no more selfies than the event gives', async () => {
    const guest = await (await openEvent(app, { selfiesPerGuest: '1' })).join()
    await makeSelfie(guest)
    expect(await guest.generate()).toMatchObject({
      status: 402,
      body: { code: 'event_selfies_used' },
    })
  })

  test('makes no more of them by leaving while one is under way and going on elsewhere', async () => {
    const event = await openEvent(app)
    const { database, clock } = app.context
    let guest = await event.join()
    const goOn = async () => {
      await guest.lend()
      const { holdId, generationId } = await makeGeneration(database, { userId: guest.userId })
      const { code } = (await guest.ask('/hand-over', { method: 'POST' })).body
      await guest.ask('/leave', { method: 'POST' })
      guest = await asGuest(app, event.row, await event.call('/take-over', { json: { code } }))
      await captureHold(database, { holdId, now: clock() })
      const match = { id: generationId }
      await updateRows(database, 'generations', { match, set: doneRow(generationId) })
      return (await guest.ask('/guest')).body.guest.selfiesLeft
    }
    expect([await goOn(), await goOn()]).toEqual([1, 0])
    expect((await guest.generate()).body).toMatchObject({ code: 'event_selfies_used' })
    expect((await auditBooks(database)).findings).toEqual([])
  })

  test('has a selfie that failed left still, and none over the number in the database either', async () => {
    const event = await openEvent(app, { selfiesPerGuest: '1' })
    const { userId, lend, ask } = await event.join()
    const { database, clock } = app.context
    const make = async (row: Parameters<typeof makeDoneGeneration>[1]) =>
      makeDoneGeneration(database, { userId, ...row })
    await lend()
    const { holdId } = await make({ row: { state: 'failed', error_code: 'internal' } })
    await releaseHold(database, { holdId, now: clock() })
    expect((await ask('/guest')).body.guest).toMatchObject({ selfiesLeft: 1 })
    await make({ row: { deleted_at: clock() } })
    expect((await ask('/guest')).body.guest).toMatchObject({ selfiesLeft: 0 })
    const grant = {
      reason: 'voucher',
      description: 'Voucher',
      reference: `voucher:${userId}`,
    } as const
    await grantCredits(database, { ...grant, amount: 1, userId, now: clock() })
    await expect(make({})).rejects.toMatchObject({ constraint: 'generations_within_guests_number' })
  })

  test('is counted for nothing from another site, beside a bearer token, or at another event', async () => {
    const event = await openEvent(app)
    const guest = await event.join()
    const other = await openEvent(app)
    const ask = (headers: Record<string, string>, token?: string) =>
      app.call('/api/generations', { headers: { cookie: guest.cookie, ...headers }, token })
    const { row } = other
    expect((await ask({})).body).toMatchObject({ code: 'token_missing' })
    const atOther = { 'starside-event': row.name }
    expect((await ask(atOther)).body).toMatchObject({ code: 'token_missing' })
    const moved = { cookie: guest.cookie.replace(event.row.name, row.name), ...atOther }
    expect((await ask(moved)).body).toMatchObject({ code: 'token_invalid' })
    const own = /guest-[\w-]+=([\w-]+)/.exec(guest.cookie)?.[1] ?? ''
    expect((await ask({}, own)).body).toMatchObject({ code: 'token_invalid' })
    for (const site of ['cross-site', 'same-site', 'none']) {
      const answer = await guest.call('/api/generations', { headers: { 'sec-fetch-site': site } })
      expect(answer.body).toMatchObject({ code: 'token_missing' })
    }
    expect((await guest.call('/api/generations')).status).toBe(200)
  })

  test.each([
    ['GET', '/api/user?action=profile'],
    ['GET', '/api/user?action=export'],
    ['GET', '/api/user?action=credit-history'],
    ['POST', '/api/user?action=consume-credits'],
    ['POST', '/api/user?action=redeem-voucher'],
    ['POST', '/api/user?action=delete-account'],
    ['POST', '/api/orders'],
    ['GET', '/api/auth?action=sessions'],
    ['POST', '/api/auth?action=change-password'],
  ])('is refused %s %s', async (method, path) => {
    const guest = await (await openEvent(app)).join()
    const answer = await guest.call(path, { method, ...(method === 'POST' ? { json: {} } : {}) })
    expect(answer).toMatchObject({ status: 401, body: { code: 'token_missing' } })
  })

  test('sees nobody else’s selfies', async () => {
    const event = await openEvent(app)
    const [one, other] = [await event.join(), await event.join()]
    const generationId = await makeSelfie(one)
    for (const path of ['', '/share', '/variations/more']) {
      const method = path === '' ? 'GET' : 'POST'
      const answer = await other.call(`/api/generations/${generationId}${path}`, { method })
      expect(answer.body).toMatchObject({ code: 'generation_unknown' })
    }
    const wish = await other.ask(`/selfies/${generationId}`, {
      method: 'PUT',
      json: { isForWall: true },
    })
    expect(wish.body).toMatchObject({ code: 'generation_unknown' })
  })

  test('shares a selfie by a link that invites nobody in their name', async () => {
    const guest = await (await openEvent(app)).join()
    const generationId = await makeSelfie(guest)
    const { body } = await guest.call(`/api/generations/${generationId}/share`, { method: 'POST' })
    const link = new URL(body.generation.shareUrl)
    expect(link.searchParams.has('ref')).toBe(false)
    const picture = `/api/shares/${link.searchParams.get('selfie')}/picture.jpg`
    expect((await app.call(picture)).status).toBe(200)
    const { referral_code: referralCode } = await app.context.database
      .selectFrom('users')
      .select('referral_code')
      .where('id', '=', guest.userId)
      .executeTakeFirstOrThrow()
    const invited = await app.call('/api/auth?action=register', {
      json: { ...newPerson(), referralCode },
    })
    expect(invited.body).toMatchObject({ code: 'referral_unknown' })
  })

  test('makes an account of it and keeps the selfies', async () => {
    const event = await openEvent(app)
    const guest = await event.join()
    const generationId = await makeSelfie(guest)
    await guest.lend()
    const person = newPerson()
    expect((await guest.ask('/keep', { json: { ...person, password: 'ab' } })).body).toMatchObject({
      code: 'password_too_short',
    })
    const { body } = await guest.ask('/keep', { json: person })
    expect(body.user).toMatchObject({ userId: guest.userId, email: person.email })
    expect((await guest.ask('/guest')).body.guest).toBeNull()
    const { token } = body
    const { sessions } = (await app.call('/api/auth?action=sessions', { token })).body
    expect(sessions, 'the guest’s own has ended').toMatchObject([{ isCurrent: true }])
    expect(await event.budget()).toBe(29)
    const { email, password } = person
    const signedIn = await app.call('/api/auth?action=login', { json: { email, password } })
    app.passTime(2 * dayMs)
    await deleteEndedEvents(app.context, signal)
    const own = await app.call('/api/generations', { token: signedIn.body.token })
    expect(own.body.items).toMatchObject([{ generationId, state: 'done' }])
    app.passTime(-2 * dayMs)
  })

  test('with an account keeps what the event made unmarked, and gets the mark on what comes later', async () => {
    const event = await openEvent(app)
    const guest = await event.join()
    const generationId = await makeSelfie(guest)
    const { body } = await keepWithCredits(guest)
    app.passTime(hourMs)
    const at = app.context.clock()
    const { database } = app.context
    const later = await makeDoneGeneration(database, { userId: guest.userId, at })
    const { items } = (await app.call('/api/generations', { token: body.token })).body
    const marks = items.map((item: { generationId: string; watermarked: boolean }) => [
      item.generationId,
      item.watermarked,
    ])
    expect(marks).toEqual([
      [later.generationId, true],
      [generationId, false],
    ])
    app.passTime(-hourMs)
    const marked = database
      .updateTable('credit_accounts')
      .set({ is_unmarked: false })
      .where('user_id', '=', guest.userId)
    await expect(marked.execute()).rejects.toMatchObject({
      constraint: 'credit_accounts_unmarked_ends_once_begun',
    })
  })

  test('with an account has the event’s frame on what it made, and not on what comes later', async () => {
    const event = await openEvent(app, { uploads: { frame: await frameOf('#f008') } })
    const guest = await event.join()
    const { database, clock, guestRules } = app.context
    const generationId = await makeSelfie(guest)
    await keepWithCredits(guest)
    const at = new Date(clock().getTime() + hourMs)
    const later = await makeDoneGeneration(database, { userId: guest.userId, at })
    expect(await guestRules.wishesFor(generationId)).toMatchObject({ keepsAspect: true })
    expect(await guestRules.wishesFor(later.generationId)).toEqual({})
  })

  test.each(['fails', 'succeeds'])(
    'with an account has no credit of a selfie under way, which then %s',
    async (end) => {
      const event = await openEvent(app)
      const guest = await event.join()
      const { database, clock } = app.context
      const holdId = await holdCredit(guest)
      await guest.ask('/keep', { json: newPerson() })
      expect(await event.budget()).toBe(29)
      await (end === 'fails' ? releaseHold : captureHold)(database, { holdId, now: clock() })
      expect(await balanceOf(guest.userId)).toBe(0)
      expect(await event.budget()).toBe(end === 'fails' ? 30 : 29)
      expect((await auditBooks(database)).findings).toEqual([])
    },
  )

  test('can’t take the address of somebody’s account', async () => {
    const guest = await (await openEvent(app)).join()
    const person = newPerson()
    await app.register(person)
    expect((await guest.ask('/keep', { json: person })).body).toMatchObject({ code: 'email_taken' })
    expect((await guest.ask('/guest')).body.guest).toMatchObject({ selfiesLeft: 2 })
  })

  test('is refused a second star that the event has not', async () => {
    const guest = await (await openEvent(app)).join()
    const form = await generateForm({ scene: 'cafe' })
    form.append('presetId', 'mina-asakuri')
    const answer = await guest.call('/api/ai?action=generate', { form })
    expect(answer.body).toMatchObject({ code: 'event_choice_unknown' })
    expect((await guest.ask('/guest')).body.guest).toMatchObject({ selfiesLeft: 2 })
  })
})

describe('a full queue', () => {
  test('takes no further selfie, and says so', async () => {
    const event = await openEvent(app, { budget: 100 })
    const guest = await event.join()
    const { database } = app.context
    const isFull = async () => (await event.call('')).body.event.isQueueFull
    const wait = async () => {
      const { userId, lend } = await event.join()
      await lend()
      return makeGeneration(database, { userId })
    }
    await makeSelfie(await event.join())
    for (let n = 0; n < 23; n += 1) await wait()
    expect(await isFull(), 'one is made already').toBe(false)
    await wait()
    expect(await isFull()).toBe(true)
    expect(await guest.generate()).toMatchObject({
      status: 503,
      body: { code: 'event_queue_full' },
    })
    expect(await balanceOf(guest.userId)).toBe(0)
    // Those of one network shut out no other.
    await sql`update sessions set address = '203.0.113.9' where address <> '203.0.113.9'
      and user_id in (select user_id from generations where state = 'running')`.execute(database)
    expect(await isFull()).toBe(false)
    expect((await guest.generate()).status).toBe(200)
  })
})

describe('a kiosk', () => {
  test('is opened by a link once, in one browser', async () => {
    const event = await openEvent(app)
    const kiosk = await event.open('kiosk')
    expect(kiosk).toContain('kiosk-')
    const opened = await event.call('', { headers: { cookie: kiosk } })
    expect(opened.body.roles).toEqual(['kiosk'])
    expect((await event.call('')).body.roles).toEqual([])
    const cookie = `${kiosk}; ${await event.open('wall')}`
    const both = await event.call('', { headers: { cookie } })
    expect(both.body.roles, 'a browser has every role it was given').toEqual(['kiosk', 'wall'])
    const wrong = await event.call('/open', { json: { role: 'kiosk', key: 'no key' } })
    expect(wrong).toMatchObject({ status: 403, body: { code: 'event_link_unknown' } })
  })

  test('begins anew with each guest, and keeps nothing of the last one', async () => {
    const event = await openEvent(app)
    const kiosk = await event.open('kiosk')
    const first = await event.join({ kiosk })
    const generationId = await makeSelfie(first)
    const { headers } = await first.ask('/leave', { method: 'POST' })
    expect(headers.getSetCookie().join()).toContain(
      `__Host-guest-${event.row.name}=; Path=/; Max-Age=0`,
    )
    const second = await event.join({ kiosk })
    expect(second.userId).not.toBe(first.userId)
    const seen = await second.call(`/api/generations/${generationId}`)
    expect(seen.body).toMatchObject({ code: 'generation_unknown' })
    expect((await first.call(`/api/generations/${generationId}`)).status).toBe(401)
  })

  test('is no kiosk without its cookie', async () => {
    const event = await openEvent(app)
    const answer = await event.call('/join', {
      json: { consentVersion: event.row.consent_version, atKiosk: true },
    })
    expect(answer.body).toMatchObject({ code: 'event_link_unknown' })
  })

  test('hands its guest over to a phone, once and for ten minutes', async () => {
    const event = await openEvent(app)
    const kiosk = await event.open('kiosk')
    const guest = await event.join({ kiosk })
    const generationId = await makeSelfie(guest)
    const offer = async () => (await guest.ask('/hand-over', { method: 'POST' })).body
    const { code, url } = await offer()
    expect(url).toBe(`https://selfie.example/e/${event.row.name}#take=${code}`)
    const take = (given: string) => event.call('/take-over', { json: { code: given } })
    const late = await offer()
    expect((await take(code)).body).toMatchObject({ code: 'hand_over_unknown' })
    await guest.ask('/leave', { method: 'POST' })
    const phone = await asGuest(app, event.row, await take(late.code))
    expect((await phone.call(`/api/generations/${generationId}`)).status).toBe(200)
    expect((await take(late.code)).body).toMatchObject({ code: 'hand_over_unknown' })
    const again = (await phone.ask('/hand-over', { method: 'POST' })).body
    app.passTime(11 * 60_000)
    expect((await take(again.code)).body).toMatchObject({ code: 'hand_over_unknown' })
    app.passTime(-11 * 60_000)
  })

  test('shows nothing of what is made on a phone to who sent that a link', async () => {
    const event = await openEvent(app)
    const sender = await event.join()
    const { code } = (await sender.ask('/hand-over', { method: 'POST' })).body
    const phone = await asGuest(app, event.row, await event.call('/take-over', { json: { code } }))
    await makeSelfie(phone)
    expect((await sender.ask('/guest')).body.guest).toBeNull()
    expect((await phone.ask('/guest')).body.guest.selfies).toHaveLength(1)
  })

  test.each([
    ['/hand-over', { method: 'POST' }],
    ['/keep', { json: newPerson() }],
  ])('takes no %s that began before a phone took its guest over', async (path, options) => {
    const event = await openEvent(app)
    const sender = await event.join()
    const { code } = (await sender.ask('/hand-over', { method: 'POST' })).body
    const { database, pool } = app.context
    let late: Promise<Answer> | undefined
    let taking: Promise<Answer> | undefined
    await inTransaction(database, async (holding) => {
      await findRow(holding, 'users', sql`id = ${sender.userId} for no key update`)
      taking = event.call('/take-over', { json: { code } })
      await untilWaiting(pool, 1, taking)
      late = sender.ask(path, options)
      await untilWaiting(pool, 2, late)
    })
    const phone = await asGuest(app, event.row, (await taking)!)
    expect(await late).toMatchObject({ status: 403, body: { code: 'guest_unknown' } })
    expect((await phone.ask('/guest')).body.guest).not.toBeNull()
    const guest = { user_id: phone.userId }
    expect(await findRow(database, 'event_guests', guest)).toMatchObject({ hand_over_hash: null })
  })

  test('ends its own session with a guest who leaves, and not that of their phone', async () => {
    const event = await openEvent(app)
    const guest = await event.join({ kiosk: await event.open('kiosk') })
    const { code } = (await guest.ask('/hand-over', { method: 'POST' })).body
    const phone = await asGuest(app, event.row, await event.call('/take-over', { json: { code } }))
    await guest.ask('/leave', { method: 'POST' })
    expect((await guest.ask('/guest')).body.guest).toBeNull()
    expect((await phone.ask('/guest')).body.guest).toMatchObject({ selfiesLeft: 2 })
    await phone.lend()
    await phone.ask('/leave', { method: 'POST' })
    expect(await event.budget()).toBe(30)
  })

  test('replaces no guest of a phone that has selfies, unless that is wished for', async () => {
    const event = await openEvent(app)
    const [one, other] = [await event.join(), await event.join()]
    await makeSelfie(other)
    const { code } = (await one.ask('/hand-over', { method: 'POST' })).body
    const take = (replaces?: boolean) => other.ask('/take-over', { json: { code, replaces } })
    expect(await take()).toMatchObject({ status: 409, body: { code: 'guest_has_selfies' } })
    expect((await other.ask('/guest')).body.guest.selfies).toHaveLength(1)
    expect((await asGuest(app, event.row, await take(true))).userId).toBe(one.userId)
  })

  test('and an account made of its guest at once never fail by each other', async () => {
    const event = await openEvent(app, { budget: 100 })
    for (let n = 0; n < 20; n += 1) {
      const guest = await event.join()
      const { code } = (await guest.ask('/hand-over', { method: 'POST' })).body
      const holdId = await holdCredit(guest)
      const [, ...answers] = await Promise.all([
        releaseHold(app.context.database, { holdId, now: app.context.clock() }),
        guest.ask('/keep', { json: newPerson() }),
        event.call('/take-over', { json: { code } }),
        guest.ask('/leave', { method: 'POST' }),
      ])
      expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
    }
    expect((await auditBooks(app.context.database)).findings).toEqual([])
  })

  test('is counted without the phones that its guests go on with', async () => {
    const event = await openEvent(app)
    const guest = await event.join({ kiosk: await event.open('kiosk') })
    const { code } = (await guest.ask('/hand-over', { method: 'POST' })).body
    await event.call('/take-over', { json: { code } })
    const kiosk = app.context.database
      .selectFrom('event_guests')
      .select('kiosk_id')
      .where('user_id', '=', guest.userId)
    expect(await kiosk.executeTakeFirst()).toEqual({ kiosk_id: null })
    expect((await guest.ask('/guest')).body.guest).not.toBeNull()
  })

  test('has a limit of its own, whatever network it shares with others', async () => {
    const settings = { RATE_LIMITS: 'on', SHARES_PER_HOUR: '1' }
    await using limited = await openTestApp({ settings })
    const event = await openEvent(limited, { budget: 200 })
    const [busy, other] = [await event.open('kiosk'), await event.open('kiosk')]
    const share = async (kiosk: string) => {
      const guest = await event.join({ kiosk })
      const path = `/api/generations/${crypto.randomUUID()}/share`
      return (await guest.call(path, { method: 'POST' })).body.code
    }
    for (let n = 0; n < 10; n += 1) expect(await share(busy)).toBe('generation_unknown')
    expect(await share(busy)).toBe('too_many_requests')
    expect(await share(other)).toBe('generation_unknown')
  })
})

describe('the wall', () => {
  test('shows what a guest allowed and a moderator approved, until either says no', async () => {
    const event = await openEvent(app)
    const guest = await event.join()
    const generationId = await makeSelfie(guest)
    const cookie = await event.open('moderator')
    const wish = (isForWall: boolean) =>
      guest.ask(`/selfies/${generationId}`, { method: 'PUT', json: { isForWall } })
    const judge = async (wall: string) =>
      event.call(`/moderation/${generationId}`, {
        method: 'PUT',
        json: { wall, askedAt: await readAskedAt(event, cookie) },
        headers: { cookie },
      })
    const screen = { headers: { cookie: await event.open('wall') } }
    const wall = async () => (await event.call('/wall', screen)).body.pictures
    expect((await judge('approved')).body).toMatchObject({ code: 'generation_unknown' })
    expect((await wish(true)).body.selfies[0].wall).toBe('asked')
    expect(await wall()).toEqual([])
    const { body } = await event.call('/moderation', { headers: { cookie } })
    expect(body.pictures).toMatchObject([{ generationId, wall: 'asked' }])
    expect((await judge('approved')).status).toBe(200)
    const [shown] = await wall()
    expect(shown.generationId).toBe(generationId)
    expect((await app.call(shown.imageUrl)).status).toBe(200)
    await judge('hidden')
    expect(await wall()).toEqual([])
    expect((await wish(true)).body.selfies[0].wall).toBe('hidden')
    await judge('approved')
    await wish(false)
    expect(await wall()).toEqual([])
    await wish(true)
    expect(await wall()).toEqual([])
  })

  test('is empty once the event has none, and a guest may say no to it even then', async () => {
    const event = await openEvent(app)
    const guest = await event.join()
    const generationId = await makeSelfie(guest)
    await approve(event, guest, generationId)
    const hasWall = async (has_wall: boolean) => {
      const { database } = app.context
      await updateRows(database, 'events', { match: { id: event.row.id }, set: { has_wall } })
    }
    const screen = { headers: { cookie: await event.open('wall') } }
    const wall = async () => (await event.call('/wall', screen)).body.pictures
    await hasWall(false)
    expect(await wall()).toEqual([])
    await hasWall(true)
    expect(await wall()).toHaveLength(1)
    await hasWall(false)
    const json = { isForWall: false }
    const { body } = await guest.ask(`/selfies/${generationId}`, { method: 'PUT', json })
    expect(body.selfies).toMatchObject([{ wall: 'private' }])
    await hasWall(true)
    expect(await wall()).toEqual([])
  })

  test('loses the selfies of a guest who makes an account, and could say no no longer', async () => {
    const event = await openEvent(app)
    const [guest, other] = [await event.join(), await event.join()]
    await approve(event, guest, await makeSelfie(guest))
    const generationId = await makeSelfie(other)
    await approve(event, other, generationId)
    const screen = { headers: { cookie: await event.open('wall') } }
    await guest.ask('/keep', { json: newPerson() })
    const { pictures } = (await event.call('/wall', screen)).body
    expect(pictures).toMatchObject([{ generationId }])
    expect(pictures).toHaveLength(1)
  })

  test('takes no selfie whose guest makes an account at the same time', async () => {
    const event = await openEvent(app)
    const guest = await event.join()
    const generationId = await makeSelfie(guest)
    const { database, pool } = app.context
    let wishing: Promise<Answer> | undefined
    await inTransaction(database, async (keeping) => {
      const match = { id: guest.userId }
      await updateRows(keeping, 'users', { match, set: { guest_of: null } })
      const json = { isForWall: true }
      wishing = guest.ask(`/selfies/${generationId}`, { method: 'PUT', json })
      await untilWaiting(pool, 1, wishing)
    })
    expect((await wishing)?.body.selfies).toMatchObject([{ wall: 'private' }])
  })

  test('asks a moderator anew about what they hid once another version is shown, not for a no and a yes', async () => {
    const event = await openEvent(app)
    const guest = await event.join()
    const generationId = await makeSelfie(guest)
    const { database } = app.context
    const cookie = await event.open('moderator')
    const judge = async (wall: string) =>
      event.call(`/moderation/${generationId}`, {
        method: 'PUT',
        json: { wall, askedAt: await readAskedAt(event, cookie) },
        headers: { cookie },
      })
    const wish = async (isForWall: boolean) => {
      const answer = { method: 'PUT', json: { isForWall } }
      return (await guest.ask(`/selfies/${generationId}`, answer)).body.selfies[0].wall
    }
    await wish(true)
    await judge('hidden')
    const askedAt = await readAskedAt(event, cookie)
    expect([await wish(false), await wish(true)]).toEqual(['private', 'hidden'])
    expect(await readAskedAt(event, cookie), 'not the newest again').toBe(askedAt)
    expect(await wish(false)).toBe('private')
    expect((await judge('approved')).body, 'not against a no').toMatchObject({
      code: 'generation_unknown',
    })
    await wish(true)
    await judge('approved')
    expect([await wish(false), await wish(true)]).toEqual(['private', 'asked'])
    await judge('hidden')
    await wish(false)
    const match = { id: generationId }
    const { clean_key } = doneRow(generationId)
    await updateRows(database, 'generations', { match, set: { clean_key } })
    expect(await wish(true)).toBe('asked')
  })

  test('of another event is not judged here', async () => {
    const [event, other] = [await openEvent(app), await openEvent(app)]
    const guest = await event.join()
    const id = await makeSelfie(guest)
    await guest.ask(`/selfies/${id}`, { method: 'PUT', json: { isForWall: true } })
    const askedAt = await readAskedAt(event, await event.open('moderator'))
    const judged = await other.call(`/moderation/${id}`, {
      method: 'PUT',
      json: { wall: 'approved', askedAt },
      headers: { cookie: await other.open('moderator') },
    })
    expect(judged).toMatchObject({ body: { code: 'generation_unknown' } })
    const { body } = await guest.ask('/guest')
    expect(body.guest.selfies).toMatchObject([{ wall: 'asked' }])
  })

  test('is moderated page by page, and a full last page leads to no other', async () => {
    const event = await openEvent(app)
    const { database } = app.context
    const ask = async (minute: number) => {
      const { generationId } = await makeDoneGeneration(database)
      const asked_at = new Date(event.row.starts_at.getTime() + minute * 60_000)
      const wish = { generation_id: generationId, event_id: event.row.id, asked_at }
      await database
        .insertInto('event_selfies')
        .values({ ...wish, wall: 'asked' })
        .execute()
      return generationId
    }
    const oldest = await ask(0)
    for (let n = 1; n < 30; n += 1) await ask(n)
    const headers = { cookie: await event.open('moderator') }
    const page = async (cursor?: string) =>
      (await event.call(`/moderation${cursor ? `?cursor=${cursor}` : ''}`, { headers })).body
    expect(await page()).toMatchObject({ nextCursor: null, pictures: { length: 30 } })
    await ask(30)
    const { nextCursor, pictures } = await page()
    expect(pictures).toHaveLength(30)
    const rest = await page(nextCursor)
    expect(rest).toMatchObject({ nextCursor: null, pictures: [{ generationId: oldest }] })
  })

  test('loses what its guest deletes', async () => {
    const event = await openEvent(app)
    const guest = await event.join()
    const generationId = await makeSelfie(guest)
    const cookie = await event.open('moderator')
    await guest.ask(`/selfies/${generationId}`, { method: 'PUT', json: { isForWall: true } })
    await event.call(`/moderation/${generationId}`, {
      method: 'PUT',
      json: { wall: 'approved', askedAt: await readAskedAt(event, cookie) },
      headers: { cookie },
    })
    await guest.call(`/api/generations/${generationId}`, { method: 'DELETE' })
    const screen = { headers: { cookie: await event.open('wall') } }
    expect((await event.call('/wall', screen)).body.pictures).toEqual([])
  })

  test('shows no other version than the one that a moderator has looked at', async () => {
    const event = await openEvent(app)
    const guest = await event.join()
    const small = await createTestJpeg({ red: 250, green: 0, blue: 0, widthPx: 320 })
    const versions = [0.4, 0.5].map((x) => ({
      arrangement: arrangementAt(x),
      quality: x,
      clean: small,
      watermarked: small,
      widthPx: 410,
      heightPx: 512,
    }))
    app.engine.sheet = { variations: versions, layers: Buffer.from('layers') }
    const generationId = await makeSelfie(guest)
    app.engine.sheet = { variations: [], layers: undefined }
    const cookie = await event.open('moderator')
    const judge = (wall: string, askedAt: string) =>
      event.call(`/moderation/${generationId}`, {
        method: 'PUT',
        json: { wall, askedAt },
        headers: { cookie },
      })
    const screen = { headers: { cookie: await event.open('wall') } }
    const hanging = async () => (await event.call('/wall', screen)).body.pictures.length
    await guest.ask(`/selfies/${generationId}`, { method: 'PUT', json: { isForWall: true } })
    const first = await readAskedAt(event, cookie)
    await judge('approved', first)
    expect(await hanging()).toBe(1)
    const { body } = await guest.call(`/api/generations/${generationId}`)
    const { variationId } = body.generation.variations.find(
      ({ isChosen }: { isChosen: boolean }) => !isChosen,
    )
    const chosen = await guest.call(`/api/generations/${generationId}/chosen`, {
      method: 'PUT',
      json: { variationId },
    })
    expect(chosen.status).toBe(200)
    expect(await hanging()).toBe(0)
    expect((await judge('approved', first)).body).toMatchObject({ code: 'generation_unknown' })
    expect(await hanging()).toBe(0)
    await judge('approved', await readAskedAt(event, cookie))
    expect(await hanging()).toBe(1)
    for (const printFormat of ['strip', '10x15', 'square']) {
      await guest.ask(`/selfies/${generationId}`, { method: 'PUT', json: { printFormat } })
    }
    const attendant = { headers: { cookie: await event.open('attendant') } }
    const [print, ...single] = (await event.call('/prints', attendant)).body.prints
    expect(single).toMatchObject([
      { format: '10x15', furtherUrls: [] },
      { format: 'square', furtherUrls: [] },
    ])
    const now = await guest.call(`/api/generations/${generationId}`)
    const others: { imageUrl: string }[] = now.body.generation.variations.filter(
      ({ isChosen }: { isChosen: boolean }) => !isChosen,
    )
    const places = (addresses: string[]) => addresses.map((each) => each.split('?')[0])
    const beside = others.map(({ imageUrl }) => imageUrl)
    expect(places(print.furtherUrls), 'a strip has the others too').toEqual(places(beside))
  })

  test('opens by a link of its own, to nobody who only knows the address', async () => {
    const event = await openEvent(app)
    for (const cookie of ['', await event.open('moderator')]) {
      const answer = await event.call('/wall', { headers: { cookie } })
      expect(answer).toMatchObject({ status: 403, body: { code: 'event_role_missing' } })
    }
  })

  test('is judged by moderators of this event alone', async () => {
    const [event, other] = [await openEvent(app), await openEvent(app)]
    const refused = { status: 403, body: { code: 'event_role_missing' } }
    for (const cookie of ['', await other.open('moderator'), await event.open('attendant')]) {
      expect(await event.call('/moderation', { headers: { cookie } })).toMatchObject(refused)
    }
    const cookie = await event.open('moderator')
    const path = `/api/events/${event.row.name}/moderation`
    expect(await app.call(path, { headers: { cookie } })).toMatchObject(refused)
    expect((await event.call('/moderation', { headers: { cookie } })).status).toBe(200)
  })

  test.each(['private', 'hidden'])('asks nothing anew of a selfie that is %s', async (state) => {
    const event = await openEvent(app)
    const guest = await event.join()
    const generationId = await makeSelfie(guest)
    const selfie = `/selfies/${generationId}`
    await guest.ask(selfie, { method: 'PUT', json: { isForWall: true } })
    const headers = { cookie: await event.open('moderator') }
    const askedAt = await readAskedAt(event, headers.cookie)
    const verdict = { method: 'PUT', json: { wall: state, askedAt }, headers }
    if (state === 'hidden') await event.call(`/moderation/${generationId}`, verdict)
    else await guest.ask(selfie, { method: 'PUT', json: { isForWall: false } })
    // As choosing another version does.
    await app.context.database
      .updateTable('generations')
      .set({ clean_key: 'pictures/another.jpg' })
      .where('id', '=', generationId)
      .execute()
    expect((await guest.ask('/guest')).body.guest.selfies).toMatchObject([{ wall: state }])
    const { body } = await event.call('/moderation', { headers })
    expect(body.pictures.filter(({ wall }: { wall: string }) => wall === 'asked')).toEqual([])
  })
})

describe('the pictures of an event', () => {
  const green = () => createTestJpeg({ red: 20, green: 200, blue: 20 })
  const change = async (row: EventRow, uploads: EventUploads) => {
    const { database, clock, engine, store } = app.context
    const rules = eventRules.parse({ ...fieldsOf(row), title: 'Another night' })
    await editEvent({ database, clock, engine, store: async () => store }, row, { rules, uploads })
  }

  test('stay with an event that is told otherwise, until others take their place', async () => {
    const event = await openEvent(app, { uploads: { background: await green() } })
    const keys = () => listKeys(app.context.store, `events/${event.row.id}`)
    const address = async () => (await event.call('')).body.event.backgroundUrl
    const [first] = await keys()
    await change(event.row, {})
    expect(await keys()).toEqual([first])
    expect((await app.call(await address())).status).toBe(200)
    await change(event.row, { background: await green() })
    expect(await keys()).toEqual([expect.not.stringContaining(first ?? '')])
    expect((await app.call(await address())).status).toBe(200)
  })

  test('are not kept of an event whose address is taken, or whose data is deleted', async () => {
    const { row } = await openEvent(app)
    const { database, clock, engine, store } = app.context
    const before = await listKeys(store, 'events')
    const parts = { database, clock, engine, store: async () => store }
    const uploads = { background: await green() }
    const rules = eventRules.parse(fieldsOf(row))
    const made = await createEvent(parts, rules, { uploads, budget: 0, createdBy: 'a test' })
    expect(made).toBeUndefined()
    expect(await listKeys(store, 'events')).toEqual(before)
    await database
      .updateTable('events')
      .set({ deleted_at: clock() })
      .where('id', '=', row.id)
      .execute()
    expect(await editEvent(parts, row, { rules, uploads })).toBe(false)
    expect(await listKeys(store, 'events')).toEqual(before)
  })
})

describe('prints', () => {
  test('are asked for until the event ends, and marked by its own attendants alone', async () => {
    const [event, other] = [await openEvent(app), await openEvent(app)]
    const guest = await event.join()
    const id = await makeSelfie(guest)
    const ask = (printFormat: string) =>
      guest.ask(`/selfies/${id}`, { method: 'PUT', json: { printFormat } })
    await ask('strip')
    const queue = async () =>
      (await event.call('/prints', { headers: { cookie: await event.open('attendant') } })).body
        .prints
    const [print] = await queue()
    const marked = await other.call(`/prints/${print.printId}`, {
      method: 'PUT',
      json: { isPrinted: true },
      headers: { cookie: await other.open('attendant') },
    })
    expect(marked).toMatchObject({ body: { code: 'print_unknown' } })
    expect(await queue()).toMatchObject([{ printedAt: null }])
    app.passTime(5 * hourMs)
    expect(await ask('square')).toMatchObject({ body: { code: 'event_over' } })
    app.passTime(-5 * hourMs)
  })

  test.each([
    ['of a format that the event has not', { prints: '10x15' }, { printFormat: 'strip' }],
    ['of a selfie of somebody else', {}, { printFormat: 'strip' }],
    ['for a wall that the event has not', { wall: 'no' }, { isForWall: true }],
  ])('a wish %s is refused', async (what, rules, json) => {
    const event = await openEvent(app, rules)
    const guest = await event.join()
    const own = await makeSelfie(what.includes('else') ? await event.join() : guest)
    const { body } = await guest.ask(`/selfies/${own}`, { method: 'PUT', json })
    const code = what.includes('else') ? 'generation_unknown' : 'event_choice_unknown'
    expect(body).toMatchObject({ code })
  })

  test('wait for the attendant in the order in which guests ask', async () => {
    const event = await openEvent(app)
    const [one, other] = [await event.join(), await event.join()]
    const ids = [await makeSelfie(one), await makeSelfie(other)]
    const ask = (guest: TestGuest, id: string | undefined, printFormat: string) =>
      guest.ask(`/selfies/${id}`, { method: 'PUT', json: { printFormat } })
    expect((await ask(one, ids[0], '10x15')).body.selfies[0].prints).toMatchObject([
      { format: '10x15', printedAt: null },
    ])
    await ask(other, ids[1], 'strip')
    expect((await ask(other, ids[1], 'strip')).body).toMatchObject({ code: 'prints_too_many' })
    const cookie = await event.open('attendant')
    const queue = await event.call('/prints', { headers: { cookie } })
    const of = (...rows: readonly (readonly [number, string, unknown])[]) =>
      rows.map(([number, format, printedAt]) => ({ number, format, printedAt }))
    expect(queue.body.prints).toMatchObject(of([1, '10x15', null], [2, 'strip', null]))
    const mark = (isPrinted: boolean) =>
      event.call(`/prints/${queue.body.prints[0].printId}`, {
        method: 'PUT',
        json: { isPrinted },
        headers: { cookie },
      })
    const marked = await mark(true)
    expect(marked.body.prints).toMatchObject(
      of([2, 'strip', null], [1, '10x15', expect.any(String)]),
    )
    expect((await mark(false)).body.prints).toMatchObject(
      of([1, '10x15', null], [2, 'strip', null]),
    )
    expect((await event.call('/prints')).body).toMatchObject({ code: 'event_role_missing' })
  })
})

describe('the limit of those who join', () => {
  test('counts browsers and networks, and kiosks by themselves', async () => {
    await using limited = await openTestApp({
      settings: { RATE_LIMITS: 'on', JOINS_PER_HOUR: '2' },
    })
    const event = await openEvent(limited, { budget: 200 })
    const kiosk = await event.open('kiosk')
    const join = (cookie: string, atKiosk = false) =>
      event.call('/join', {
        json: { consentVersion: event.row.consent_version, atKiosk },
        headers: { cookie },
      })
    const first = await join('')
    const device = cookiesOf(first.headers)
      .split('; ')
      .find((each) => each.includes('device='))
    expect((await join(device ?? '')).status).toBe(200)
    expect(await join(device ?? '')).toMatchObject({ body: { code: 'too_many_requests' } })
    for (let n = 0; n < 18; n += 1) expect((await join('')).status).toBe(200)
    expect(await join('')).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    for (let n = 0; n < 20; n += 1) expect((await join(kiosk, true)).status).toBe(200)
    expect(await join(kiosk, true)).toMatchObject({ body: { code: 'too_many_requests' } })
  })
})

describe('on its day', () => {
  test('everything of the guests is gone from database and store; counts and books stay', async () => {
    const background = await createTestJpeg({ red: 20, green: 200, blue: 20 })
    const event = await openEvent(app, { uploads: { background, frame: await frameOf('#f008') } })
    const guest = await event.join()
    const generationId = await makeSelfie(guest)
    await guest.ask(`/selfies/${generationId}`, { method: 'PUT', json: { isForWall: true } })
    await guest.ask(`/selfies/${generationId}`, { method: 'PUT', json: { printFormat: 'square' } })
    await guest.call('/api/ai?action=inspect', { form: await inspectForm() })
    await event.open('kiosk')
    const { database, store } = app.context
    const left = async () => {
      const rows = await Promise.all([
        database.selectFrom('users').selectAll().where('id', '=', guest.userId).execute(),
        database.selectFrom('sessions').selectAll().where('user_id', '=', guest.userId).execute(),
        database.selectFrom('generations').selectAll().where('id', '=', generationId).execute(),
        ...(['event_guests', 'event_selfies', 'event_prints', 'event_links'] as const).map(
          (table) =>
            database.selectFrom(table).selectAll().where('event_id', '=', event.row.id).execute(),
        ),
      ])
      const keys = await Promise.all(
        ['inputs', 'pictures', 'variations', 'layers', 'events'].map((prefix) =>
          listKeys(store, prefix),
        ),
      )
      const own = keys
        .flat()
        .filter((key) => key.includes(generationId) || key.includes(event.row.id))
      return { rows: rows.flat().length, objects: own.length }
    }
    app.passTime(hourMs * 5)
    await deleteEndedEvents(app.context, signal)
    expect(await left()).toEqual({ rows: 7, objects: expect.any(Number) })
    expect((await left()).objects).toBeGreaterThan(4)
    app.passTime(dayMs)
    await deleteEndedEvents(app.context, signal)
    expect(await left()).toEqual({ rows: 0, objects: 0 })
    const counted = { star: 'Elena Vassandri', scene: 'cafe', selfies: 1, prints: 1 }
    expect(await countEvent(database, { ...event.row, deleted_at: new Date() })).toMatchObject([
      counted,
    ])
    expect((await event.call('')).body).toMatchObject({ code: 'event_unknown' })
    await returnCredits(app.context, signal)
    expect(await event.budget()).toBe(0)
    expect((await auditBooks(database)).findings).toEqual([])
    app.passTime(-dayMs - hourMs * 5)
  })

  test('its own pictures are gone the next time, where the store failed or another one came meanwhile', async () => {
    const background = () => createTestJpeg({ red: 20, green: 200, blue: 20 })
    const event = await openEvent(app, { uploads: { background: await background() } })
    const { database, clock, engine, store } = app.context
    const ended = { ends_at: clock(), deletion_days: 0 }
    await database.updateTable('events').set(ended).where('id', '=', event.row.id).execute()
    const left = () => listKeys(store, `events/${event.row.id}`)
    const failing = { ...store, delete: () => Promise.reject(new Error('The disk is gone')) }
    await expect(deleteEndedEvents({ ...app.context, store: failing }, signal)).rejects.toThrow()
    expect(await left()).toHaveLength(1)
    const changed = { ...event.row, ...ended }
    const rules = eventRules.parse({ ...fieldsOf(changed), deletionDays: '0' })
    const changing = {
      ...store,
      async delete(key: string) {
        await store.delete(key)
        const parts = { database, clock, engine, store: async () => store }
        await editEvent(parts, changed, { rules, uploads: { background: await background() } })
      },
    }
    await deleteEndedEvents({ ...app.context, store: changing }, signal)
    expect(await left()).toHaveLength(1)
    await deleteEndedEvents(app.context, signal)
    expect(await left()).toEqual([])
  })

  test('what somebody makes with an account of their own is none of the event’s count', async () => {
    const event = await openEvent(app)
    const guest = await event.join()
    await makeSelfie(guest)
    await keepWithCredits(guest)
    const { database, clock } = app.context
    const at = new Date(clock().getTime() + hourMs)
    await makeDoneGeneration(database, { userId: guest.userId, at })
    const counts = await countEvent(database, event.row)
    expect(counts.map(({ selfies }) => selfies)).toEqual([1])
  })

  test('who has an account meanwhile keeps its credits', async () => {
    const event = await openEvent(app)
    const guest = await event.join()
    await keepWithCredits(guest)
    const { clock, database } = app.context
    const returned = { userId: guest.userId, event: event.row, now: clock() }
    await inTransaction(database, (transaction) => returnGuestCredits(transaction, returned))
    expect(await balanceOf(guest.userId)).toBe(7)
  })

  test('who has an account meanwhile is not deleted', async () => {
    const event = await openEvent(app)
    const guests = [await event.join(), await event.join()]
    for (const guest of guests) await makeSelfie(guest)
    const { clock, database, store } = app.context
    const ended = { ends_at: clock(), deletion_days: 0 }
    await database.updateTable('events').set(ended).where('id', '=', event.row.id).execute()
    const known = database
      .selectFrom('users')
      .select(['id', 'guest_of'])
      .where(
        'id',
        'in',
        guests.map(({ userId }) => userId),
      )
    const keepsOther = {
      ...store,
      // The first one's row is gone when its objects are deleted.
      async delete(key: string) {
        const [left] = await known.execute()
        if (left?.guest_of) await keepWithCredits(guests.find(({ userId }) => userId === left.id))
        await store.delete(key)
      },
    }
    await deleteEndedEvents({ ...app.context, store: keepsOther }, signal)
    const left = await known.execute()
    expect(left).toMatchObject([{ guest_of: null }])
    expect(await balanceOf(left[0]?.id ?? '')).toBe(7)
  })

  test('who joined while the last ones were deleted is deleted the next time', async () => {
    const event = await openEvent(app)
    const guest = await event.join()
    const { database } = app.context
    const set = { ends_at: app.context.clock(), deletion_days: 0, deleted_at: app.context.clock() }
    await database.updateTable('events').set(set).where('id', '=', event.row.id).execute()
    await deleteEndedEvents(app.context, signal)
    const left = database.selectFrom('users').select('id').where('id', '=', guest.userId)
    expect(await left.execute()).toEqual([])
  })

  test('an event whose data is deleted is changed no more', async () => {
    const { row } = await openEvent(app)
    const { database, clock, engine, store } = app.context
    const set = { deleted_at: clock() }
    await database.updateTable('events').set(set).where('id', '=', row.id).execute()
    const rules = eventRules.parse({ ...fieldsOf(row), title: 'Too late' })
    const parts = { database, clock, engine, store: async () => store }
    expect(await editEvent(parts, row, { rules, uploads: {} })).toBe(false)
    const read = database.selectFrom('events').select('title').where('id', '=', row.id)
    expect(await read.executeTakeFirst()).toEqual({ title: row.title })
  })

  test('what guests have not used is the event’s again', async () => {
    const event = await openEvent(app, { budget: 10 })
    const guest = await event.join()
    await makeSelfie(guest)
    await guest.lend()
    expect(await event.budget()).toBe(8)
    app.passTime(2 * dayMs)
    await deleteEndedEvents(app.context, signal)
    expect(await event.budget()).toBe(9)
    app.passTime(-2 * dayMs)
    expect((await auditBooks(app.context.database)).findings).toEqual([])
  })

  test('its address is free again', async () => {
    const event = await openEvent(app)
    app.passTime(2 * dayMs)
    await deleteEndedEvents(app.context, signal)
    app.passTime(-2 * dayMs)
    const { row } = await openEvent(app, { name: event.row.name })
    expect(row.id).not.toBe(event.row.id)
  })
})

/** Has a selfie hang on the wall: its guest allows it, and a moderator approves. */
async function approve(event: TestEvent, guest: TestGuest, generationId: string): Promise<void> {
  await guest.ask(`/selfies/${generationId}`, { method: 'PUT', json: { isForWall: true } })
  const cookie = await event.open('moderator')
  const json = { wall: 'approved', askedAt: await readAskedAt(event, cookie) }
  const judged = { method: 'PUT', json, headers: { cookie } }
  expect((await event.call(`/moderation/${generationId}`, judged)).status).toBe(200)
}

/** When a moderator sees that the newest picture was asked for. */
async function readAskedAt(event: TestEvent, cookie: string): Promise<string> {
  const { body } = await event.call('/moderation', { headers: { cookie } })
  return body.pictures[0]?.askedAt ?? new Date(0).toISOString()
}

/** The PNG of a frame in one colour; opaque without an alpha channel. */
function frameOf(background: string, channels: 3 | 4 = 4): Promise<Buffer> {
  return sharp({ create: { width: 40, height: 50, channels, background } })
    .png()
    .toBuffer()
}

async function inspectForm(): Promise<FormData> {
  const form = new FormData()
  form.set('photo', new Blob([Uint8Array.from(await readSmallPhoto())], { type: 'image/jpeg' }))
  return form
}

test('no scenes and languages named are all of them', async () => {
  const event = await openEvent(app, { scenes: '', languages: '' })
  expect(event.row.scenes).toEqual(sceneNames)
  expect(event.row.languages).toEqual(['en', 'zh', 'es'])
})

describe('what is told of an event', () => {
  test('is told again where it is changed, each star and print once', async () => {
    const said = { brandMark: 'yes', wall: 'no', selfiesPerGuest: '4', deletionDays: '3' }
    const { row } = await openEvent(app, {
      ...said,
      stars: 'elena-vassandri elena-vassandri',
      prints: 'strip, square, strip',
      consent_es: 'De acuerdo.',
    })
    expect(fieldsOf(row)).toMatchObject({
      ...said,
      stars: 'elena-vassandri',
      prints: 'strip, square',
      consent_es: 'De acuerdo.',
    })
  })

  test('refuses a frame through which nothing is seen', async () => {
    const kept = await listKeys(app.context.store, 'events/')
    const background = await createTestJpeg({ red: 20, green: 200, blue: 20 })
    const uploads = { background, frame: await frameOf('#f00', 3) }
    await expect(openEvent(app, { uploads })).rejects.toMatchObject({ code: 'photo_format' })
    expect(await listKeys(app.context.store, 'events/'), 'nothing is left').toEqual(kept)
  })

  test.each([
    [1, true],
    [0, false],
  ])(
    'a budget of %i for guests of two selfies each has credits: %s',
    async (budget, hasCredits) => {
      const event = await openEvent(app, { budget })
      expect((await event.call('')).body.event).toMatchObject({ hasCredits })
    },
  )

  test('names its own background as a scene of versions only where it has one', async () => {
    const background = await createTestJpeg({ red: 20, green: 200, blue: 20 })
    const [plain, own] = [await openEvent(app), await openEvent(app, { uploads: { background } })]
    const admit = ({ row }: TestEvent, scene: 'cafe' | 'forest' | 'own') =>
      app.context.guestRules.admitScene({ event: row.name, eventId: row.id } as never, scene)
    await admit(plain, 'cafe')
    await admit(own, 'own')
    const refused = { code: 'event_choice_unknown' }
    await expect(admit(plain, 'own')).rejects.toMatchObject(refused)
    await expect(admit(own, 'forest')).rejects.toMatchObject(refused)
  })

  test('counts a selfie once however often it is printed, on the event’s background too', async () => {
    const event = await openEvent(app)
    const { userId, ask, lend } = await event.join()
    await lend()
    const { database, clock } = app.context
    const row = { has_background_photo: true, background_photo_hash: '0'.repeat(16) }
    const { generationId } = await makeDoneGeneration(database, { userId, at: clock(), row })
    for (const printFormat of ['strip', 'square']) {
      await ask(`/selfies/${generationId}`, { method: 'PUT', json: { printFormat } })
    }
    expect(await countEvent(database, event.row)).toMatchObject([
      { scene: 'background', selfies: 1, prints: 2 },
    ])
  })
})

describe('when the event is over, a guest', () => {
  test('makes no more selfies, and is promised none', async () => {
    const event = await openEvent(app)
    const guest = await event.join()
    await guest.lend()
    const left = async () => (await guest.ask('/guest')).body.guest.selfiesLeft
    expect(await left()).toBe(2)
    app.passTime(5 * hourMs)
    expect(await left()).toBe(0)
    expect((await guest.generate()).body).toMatchObject({ code: 'event_over' })
    app.passTime(-5 * hourMs)
  })

  test('who came just before gives back what they have not used, at once', async () => {
    onTestFinished(app.stopTime())
    const event = await openEvent(app)
    const untilEndMs = event.row.ends_at.getTime() - app.context.clock().getTime()
    app.passTime(untilEndMs - 1)
    const { userId, lend } = await event.join()
    await lend()
    app.passTime(1)
    expect(await balanceOf(userId)).toBe(1)
    await returnCredits(app.context, signal)
    expect(await balanceOf(userId)).toBe(0)
    app.passTime(-untilEndMs)
  })
})

describe('a guest’s browser', () => {
  test('is given a name for its joins once', async () => {
    const [first, second] = [await openEvent(app), await openEvent(app)]
    const { cookie } = await first.join()
    const join = (cookies: string) =>
      second.call('/join', {
        json: { consentVersion: second.row.consent_version },
        headers: { cookie: cookies },
      })
    expect(cookie).toContain('device=')
    expect(cookiesOf((await join(cookie)).headers)).not.toContain('device=')
  })

  test('is nobody’s any more once its guest is suspended', async () => {
    const guest = await (await openEvent(app)).join()
    const { database } = app.context
    const suspended = database.updateTable('users').set({ status: 'suspended' })
    await suspended.where('id', '=', guest.userId).execute()
    expect((await guest.ask('/guest')).body.guest).toBeNull()
  })

  test('wishes nothing for a selfie that is still made', async () => {
    const guest = await (await openEvent(app)).join()
    await guest.lend()
    const { generationId } = await makeGeneration(app.context.database, { userId: guest.userId })
    const json = { isForWall: true }
    const { body } = await guest.ask(`/selfies/${generationId}`, { method: 'PUT', json })
    expect(body).toMatchObject({ code: 'generation_unknown' })
  })

  test('agrees to the terms with the account that it makes', async () => {
    const guest = await (await openEvent(app)).join()
    const before = app.context.clock()
    await guest.ask('/keep', { json: newPerson() })
    const row = await app.context.database
      .selectFrom('users')
      .select(['terms_version', 'terms_at'])
      .where('id', '=', guest.userId)
      .executeTakeFirstOrThrow()
    expect(row.terms_version).toBe(app.context.legalTexts.version('terms'))
    expect(row.terms_at?.getTime()).toBeGreaterThanOrEqual(before.getTime())
  })
})

describe('the rules of an event', () => {
  const good = {
    name: 'gala-2026',
    title: 'Gala',
    from: '2026-12-01 18:00',
    to: '2026-12-01T23:30',
  }

  test('have what is not said, and times are UTC', () => {
    expect(eventRules.parse(good)).toEqual({
      name: 'gala-2026',
      title: 'Gala',
      from: new Date('2026-12-01T18:00:00Z'),
      to: new Date('2026-12-01T23:30:00Z'),
      stars: [],
      scenes: [],
      languages: [],
      ...Object.fromEntries(languages.map((language) => [`consent_${language}`, ''])),
      selfiesPerGuest: 3,
      deletionDays: 7,
      prints: [],
      wall: 'yes',
      brandMark: 'no',
    })
  })

  test.each([
    ['name', ['Gala', 'g', 'g'.repeat(41), '-gala'], 'Small letters, digits and hyphens'],
    ['title', ['', ' '], 'This is needed.'],
    ['title', ['x'.repeat(81)], ''],
    ['from', ['2026-12-01', 'soon'], 'As 2026-12-01 18:00, in UTC.'],
    ['from', ['2026-02-30 18:00', '2026-12-01 25:00'], 'There is no such day or time.'],
    ['to', ['2026-12-01 17:59'], 'The end must not lie before the beginning.'],
    ['scenes', ['moon'], 'Accepted are: own, '],
    ['languages', ['en, klingon'], 'Accepted are: en, zh, es.'],
    ['prints', ['poster'], 'Accepted are: 10x15, strip, square.'],
    ['selfiesPerGuest', ['0', '21', '1.5'], ''],
    ['deletionDays', ['-1', '91'], ''],
    ['consent_en', ['x'.repeat(2_001)], ''],
    ['wall', ['perhaps'], ''],
    ['brandMark', ['perhaps'], ''],
  ])('refuse a wrong %s', (field, values, sentence) => {
    for (const value of values) {
      const { error } = eventRules.safeParse({ ...good, [field]: value })
      expect(error?.issues[0]?.path[0]).toBe(field)
      expect(error?.issues[0]?.message).toContain(sentence)
    }
  })

  test('take what each may be at most', () => {
    const most = {
      name: 'g'.repeat(40),
      title: 'x'.repeat(80),
      selfiesPerGuest: '20',
      deletionDays: '90',
      consent_en: 'x'.repeat(2_000),
    }
    expect(eventRules.safeParse({ ...good, ...most }).success).toBe(true)
    const least = { name: 'g1', selfiesPerGuest: '1', deletionDays: '0' }
    expect(eventRules.safeParse({ ...good, ...least }).success).toBe(true)
  })

  test('ask for consent in each language, in their own words where there are any, by a version of those', () => {
    const of = (more: Record<string, string>) => columnsOf(eventRules.parse({ ...good, ...more }))
    const own = of({ languages: 'es, en', consent_en: 'I agree.' })
    const words = JSON.parse(own.consent) as Record<string, string>
    expect(Object.keys(words)).toEqual(['es', 'en'])
    expect(words['en']).toBe('I agree.')
    expect(words['es']).toBe((JSON.parse(of({}).consent) as Record<string, string>)['es'])
    expect(own.consent_version).toMatch(/^[\w-]{12}$/)
    const again = of({ languages: 'es, en', consent_en: 'I agree.', title: 'Another' })
    const other = of({ languages: 'es, en', consent_en: 'I agree!' })
    expect([again, other].map((each) => each.consent_version === own.consent_version)).toEqual([
      true,
      false,
    ])
  })
})

describe('what is kept of an event', () => {
  test('are its guests without a mailbox, what they agreed to, and how long they keep credits', async () => {
    onTestFinished(app.stopTime())
    const event = await openEvent(app)
    const kiosk = await event.open('kiosk')
    const joined = await event.call('/join', {
      json: { consentVersion: event.row.consent_version, atKiosk: true },
      headers: { cookie: kiosk, 'accept-language': 'es' },
    })
    const { userId, lend } = await asGuest(app, event.row, joined)
    await lend()
    const { database, clock } = app.context
    const link = await database
      .selectFrom('event_links')
      .selectAll()
      .where('event_id', '=', event.row.id)
      .executeTakeFirstOrThrow()
    expect(link).toMatchObject({
      role: 'kiosk',
      made_by: 'a test',
      made_at: clock(),
      opened_at: clock(),
    })
    const guest = await database
      .selectFrom('event_guests')
      .innerJoin('users', 'users.id', 'user_id')
      .selectAll('event_guests')
      .select(['email', 'username', 'language', 'guest_of', 'created_at'])
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    expect(guest).toMatchObject({
      event_id: event.row.id,
      guest_of: event.row.id,
      kiosk_id: link.id,
      consent_version: event.row.consent_version,
      joined_at: clock(),
      created_at: clock(),
      credits_until: new Date(clock().getTime() + 20 * 60_000),
      email: `${userId}@guest.invalid`,
      username: 'Guest',
      language: 'es',
    })
  })

  test('is a budget that is filled and emptied as far as it goes, once, and says what it holds', async () => {
    const event = await openEvent(app, { budget: 10 })
    const { database, clock } = app.context
    const fill = (credits: number, reference = `event-fill:${crypto.randomUUID()}`) =>
      inTransaction(database, (transaction) =>
        fillBudget(transaction, event.row, { credits, reference, now: clock() }),
      )
    const reference = `event-fill:${crypto.randomUUID()}`
    expect([await fill(5, reference), await fill(5, reference)]).toEqual([5, 5])
    expect(await fill(-3)).toBe(-3)
    const [guest, other] = [await event.join(), await event.join()]
    expect(await readBudget(database, event.row)).toEqual({ held: 0, free: 12 })
    await guest.lend()
    expect(await readBudget(database, event.row)).toEqual({ held: 1, free: 11 })
    await holdCredit(guest)
    expect(await readBudget(database, event.row)).toEqual({ held: 1, free: 11 })
    await makeSelfie(other)
    await other.lend()
    expect(await readBudget(database, event.row)).toEqual({ held: 2, free: 9 })
    expect([await fill(-100), await fill(-1)]).toEqual([-9, 0])
    expect(await event.budget()).toBe(0)
    expect((await auditBooks(database)).findings).toEqual([])
  })

  test('are pictures of their own type, which caches may keep and a backup has, and no others', async () => {
    const background = await createTestJpeg({ red: 20, green: 200, blue: 20 })
    const event = await openEvent(app, { uploads: { background, frame: await frameOf('#f008') } })
    const { store } = app.context
    const backedUp = await Promise.all(backedUpPrefixes.map((prefix) => listKeys(store, prefix)))
    expect(backedUp.flat().filter((key) => key.includes(event.row.id))).toHaveLength(2)
    const read = async (name: string) => {
      const { status, headers } = await event.call(`/pictures/${name}`)
      return [status, headers.get('content-type'), headers.get('cache-control')]
    }
    expect(await read('background')).toEqual([200, 'image/jpeg', 'public, max-age=3600'])
    expect(await read('frame')).toEqual([200, 'image/png', 'public, max-age=3600'])
    expect((await read('other'))[0]).toBe(404)
    const { event: told } = (await event.call('')).body
    expect(told.backgroundUrl).toMatch(/\/pictures\/background\?v=[\w-]{12}$/)
    const { starts_at: startsAt, ends_at: endsAt } = event.row
    expect(told).toMatchObject({
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
      deletedAt: new Date(endsAt.getTime() + dayMs).toISOString(),
      printFormats: ['10x15', 'strip', 'square'],
      hasWall: true,
      consent: { version: event.row.consent_version },
    })
    const bare = await openEvent(app)
    expect((await bare.call('/pictures/background')).status).toBe(404)
  })

  test('are prints of each selfie by itself, numbered through the whole event', async () => {
    const event = await openEvent(app)
    const guest = await event.join()
    const [one, other] = [await makeSelfie(guest), await makeSelfie(guest)]
    const ask = async (id: string | undefined, printFormat: string) =>
      (await guest.ask(`/selfies/${id}`, { method: 'PUT', json: { printFormat } })).body.selfies
    await ask(one, 'strip')
    await ask(other, 'square')
    const selfies = await ask(one, '10x15')
    type Told = {
      generation: { generationId: string }
      prints: { number: number; format: string }[]
    }
    const prints = Object.fromEntries(
      selfies.map(({ generation, prints: own }: Told) => [
        generation.generationId,
        own.map(({ number, format }) => `${number} ${format}`),
      ]),
    )
    expect(prints).toEqual({ [one]: ['1 strip', '3 10x15'], [other]: ['2 square'] })
  })

  test('hangs on the wall and before a moderator the newest first, until the cookie of a role ends', async () => {
    const event = await openEvent(app)
    const guest = await event.join()
    const ids = [await makeSelfie(guest), await makeSelfie(guest)]
    const { database } = app.context
    for (const [minutes, id] of ids.entries()) {
      const asked_at = new Date(event.row.starts_at.getTime() + minutes * 60_000)
      const wish = { generation_id: id, event_id: event.row.id, asked_at }
      await database
        .insertInto('event_selfies')
        .values({ ...wish, wall: 'approved' })
        .execute()
    }
    const key = async (role: 'wall' | 'moderator') => ({
      headers: { cookie: await event.open(role) },
    })
    const listed = async (path: string, role: 'wall' | 'moderator') =>
      (await event.call(path, await key(role))).body.pictures.map(
        ({ generationId }: { generationId: string }) => generationId,
      )
    expect(await listed('/wall', 'wall')).toEqual(ids.toReversed())
    expect(await listed('/moderation', 'moderator')).toEqual(ids.toReversed())
    const unread = { json: { wall: 'approved', askedAt: new Date(0).toISOString() }, method: 'PUT' }
    const judged = await event.call('/moderation/none', { ...unread, ...(await key('moderator')) })
    expect(judged.body).toMatchObject({ code: 'generation_unknown' })
    const attendant = { headers: { cookie: await event.open('attendant') } }
    const print = { json: { isPrinted: true }, method: 'PUT', ...attendant }
    expect((await event.call('/prints/none', print)).body).toMatchObject({ code: 'print_unknown' })
  })
})
