import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { auditBooks } from '../../ledger/credits/audit.ts'
import { failInserts } from '../../testing/fail-inserts.ts'
import { mailedToken } from '../../testing/mailed-token.ts'
import { newNetwork } from '../../testing/new-network.ts'
import { openEvent } from '../../testing/open-event.ts'
import { newPerson, openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'

let app: TestApp
let listFolder: string
beforeAll(async () => {
  listFolder = await mkdtemp(join(tmpdir(), 'starside-domains-'))
  const list = join(listFolder, 'domains.txt')
  await writeFile(list, '# throw-away mail\nmailinator.example\n\n')
  app = await openTestApp({
    settings: {
      REFERRAL_BONUS_AFTER_CONFIRMATION: 'true',
      REFERRALS_PER_ADDRESS_PER_DAY: '100',
      DISPOSABLE_MAIL_FILE: list,
      TRUST_PROXY: '1',
    },
    worker: false,
  })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await rm(listFolder, { recursive: true })
})

/** A browser in a network of its own: keeps the one cookie that it is given. */
function openBrowser(in_: TestApp = app, agent = `agent ${crypto.randomUUID()}`) {
  const address = `${newNetwork()}.1`
  let cookie: string | undefined
  let lastSetCookie: string | null = null
  const call = async (action: string, json: unknown) => {
    const answer = await in_.call(`/api/auth?action=${action}`, {
      json,
      headers: {
        'user-agent': agent,
        'x-forwarded-for': address,
        ...(cookie === undefined ? {} : { cookie }),
      },
    })
    lastSetCookie = answer.headers.get('set-cookie')
    cookie = lastSetCookie?.split(';')[0] ?? cookie
    return answer
  }
  return { address, call, setCookie: () => lastSetCookie }
}

const profile = async (token: string, in_ = app) =>
  (await in_.call('/api/user?action=profile', { token })).body.user

describe('the device cookie', () => {
  test('is random, readable by no script, sent to no other site, and stored as a digest', async () => {
    const browser = openBrowser()
    await browser.call('register', newPerson())
    const text = browser.setCookie() ?? ''
    expect(text).toMatch(
      /^__Host-device=(?:[\w-]{22}\.){2}[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/,
    )
    const ids = text.slice('__Host-device='.length).split('.').slice(0, 2)
    const { rows } = await sql<{ dump: string }>`
      select coalesce(string_agg(user_devices::text, ' '), '') as dump from user_devices
    `.execute(app.context.database)
    for (const id of ids) expect(rows[0]?.dump).not.toContain(id)
  })

  test('is noted at a sign-in once a day', async () => {
    const person = newPerson()
    const browser = openBrowser()
    await browser.call('register', person)
    const { database } = app.context
    const noted = async () =>
      await database
        .selectFrom('user_devices')
        .select(['last_seen_at', sql<string>`user_devices.xmin::text`.as('version')])
        .where('user_id', '=', (from) =>
          from.selectFrom('users').select('id').where('email', '=', person.email),
        )
        .orderBy('device_hash')
        .execute()
    const first = await noted()
    expect(first).toHaveLength(2)
    await browser.call('login', person)
    expect(await noted()).toEqual(first)
    await database
      .updateTable('user_devices')
      .set({ last_seen_at: new Date(Date.now() - 25 * 60 * 60_000) })
      .execute()
    await browser.call('login', person)
    for (const [index, { last_seen_at }] of (await noted()).entries()) {
      expect(last_seen_at.getTime()).toBeGreaterThan(first[index]?.last_seen_at.getTime() ?? NaN)
    }
  })

  test('is not set for visitors', async () => {
    expect((await app.call('/api/config')).headers.get('set-cookie')).toBeNull()
  })
})

describe('a sign-in alert', () => {
  const alerts = (email: string) =>
    app.mails.filter(({ to, subject }) => to === email && subject === 'New sign-in to Starside')

  test('is mailed for a new device, once, and not for a known one', async () => {
    const person = newPerson()
    const home = openBrowser()
    await home.call('register', person)
    await home.call('login', person)
    expect(alerts(person.email)).toHaveLength(0)
    const stranger = openBrowser(app, 'Evil Browser 1.0')
    await stranger.call('login', person)
    await stranger.call('login', person)
    expect(alerts(person.email)).toHaveLength(1)
    expect(alerts(person.email)[0]?.text).toContain(`Address: ${stranger.address}`)
  })

  test('is not mailed where the operator wants none', async () => {
    await using quiet = await openTestApp({
      settings: { SIGN_IN_ALERTS: 'off', TRUST_PROXY: '1' },
      worker: false,
    })
    const person = newPerson()
    await openBrowser(quiet).call('register', person)
    expect((await openBrowser(quiet).call('login', person)).status).toBe(200)
    expect(quiet.mails.filter(({ to }) => to === person.email)).toEqual([])
  })

  test('is not mailed for a failed sign-in', async () => {
    const person = newPerson()
    await openBrowser().call('register', person)
    await openBrowser().call('login', { ...person, password: 'wrong password' })
    expect(alerts(person.email)).toHaveLength(0)
  })
})

describe('sessions', () => {
  test('can be ended one by one, by their owner only', async () => {
    const person = newPerson()
    const phone = (await openBrowser().call('register', person)).body.token
    const laptop = (await openBrowser().call('login', person)).body.token
    const other = await app.register()
    const list = await app.call('/api/auth?action=sessions', { token: laptop })
    const sessionId = list.body.sessions.find((session: any) => !session.isCurrent).id
    const end = (token: string, id: unknown = sessionId) =>
      app.call('/api/auth?action=end-session', { token, json: { sessionId: id } })

    expect((await end(other.token)).body.code).toBe('session_unknown')
    expect((await profile(phone)).email).toBe(person.email)
    expect((await end(laptop)).status).toBe(200)
    expect(await profile(phone)).toBeUndefined()
    expect((await profile(laptop)).email).toBe(person.email)
    expect((await end(laptop)).status).toBe(404)
    expect((await end(laptop, 'x')).status).toBe(400)
  })

  test('of an account are a hundred at most, all in the list: the oldest gives way', async () => {
    const browser = openBrowser()
    const person = newPerson()
    const { token: first, user } = (await browser.call('register', person)).body
    // As if the owner had signed in every second since.
    await app.context.pool.query(
      `insert into sessions (token_hash, user_id, created_at, expires_at, address, user_agent)
       select sha256(n::text::bytea), user_id, created_at + n * interval '1 second', expires_at, '', ''
       from sessions, generate_series(1, 99) as n where user_id = $1`,
      [user.userId],
    )
    expect((await profile(first)).email).toBe(person.email)
    const newest = (await browser.call('login', person)).body.token
    expect(await profile(first)).toBeUndefined()
    const { sessions } = (await app.call('/api/auth?action=sessions', { token: newest })).body
    expect(sessions).toHaveLength(100)
  })
})

describe('registration', () => {
  test.for([
    'me@mailinator.example',
    'ME@sub.Mailinator.example',
    'me@ｍailinator.example',
    'me@mailinator。example',
    ' me@mailinator.example ',
  ])('with the throw-away address %s is refused', async (email) => {
    const { status, body } = await openBrowser().call('register', { ...newPerson(), email })
    expect([status, body.code]).toEqual([400, 'email_disposable'])
  })

  test('of a guest of an event with a throw-away address is refused too', async () => {
    const guest = await (await openEvent(app)).join()
    const json = { ...newPerson(), email: 'me@mailinator.example' }
    expect((await guest.ask('/keep', { json })).body).toMatchObject({ code: 'email_disposable' })
  })

  test('with a domain that merely ends alike is taken', async () => {
    const email = `${crypto.randomUUID()}@notmailinator.example`
    expect((await openBrowser().call('register', { ...newPerson(), email })).status).toBe(200)
  })

  test('stores which terms were agreed to, and when', async () => {
    const person = newPerson()
    await openBrowser().call('register', person)
    const { rows } = await sql<{ terms_version: string; terms_at: Date }>`
      select terms_version, terms_at from users where email = ${person.email}
    `.execute(app.context.database)
    expect(rows).toEqual([{ terms_version: '2026-11-28', terms_at: expect.any(Date) }])
  })
})

test('registering succeeds where the confirmation can’t be written, which can be asked for again', async () => {
  const { pool, log } = app.context
  const told = vi.spyOn(log, 'error')
  onTestFinished(() => told.mockRestore())
  await failInserts(pool, 'email_confirmations')
  const person = newPerson()
  const { status, body } = await openBrowser().call('register', person)
  expect(status).toBe(200)
  expect((await profile(body.token)).email).toBe(person.email)
  await expect.poll(() => told).toHaveBeenCalled()
  await pool.query('drop trigger fails on email_confirmations')
  await app.call('/api/auth?action=send-confirmation', {
    method: 'POST',
    token: body.token,
    headers: { 'accept-language': 'es' },
  })
  const token = await mailedToken(app, person.email)
  const subject = app.mails.find(({ to }) => to === person.email)?.subject
  expect(subject).toBe('Confirma tu correo en Starside')
  expect((await openBrowser().call('confirm-email', { token })).status).toBe(200)
})

test('a mail to somebody else’s address has no words of who registered with it', async () => {
  const person = { ...newPerson(), username: 'Prize: evil.example/x' }
  await openBrowser().call('register', person)
  await mailedToken(app, person.email)
  await app.call('/api/auth?action=forgot-password', { json: { email: person.email } })
  await expect.poll(() => app.mails.filter(({ to }) => to === person.email)).toHaveLength(2)
  const mails = app.mails.filter(({ to }) => to === person.email)
  expect(JSON.stringify(mails)).not.toContain('evil')
})

test('one link that confirms an address ends the others, which were sent before it', async () => {
  const person = newPerson()
  const { body } = await openBrowser().call('register', person)
  const first = await mailedToken(app, person.email)
  const after = app.mails.length
  await app.call('/api/auth?action=send-confirmation', { method: 'POST', token: body.token })
  const second = await mailedToken(app, person.email, { after })
  const confirm = (token: string) => openBrowser().call('confirm-email', { token })
  expect((await confirm(second)).status).toBe(200)
  expect((await confirm(first)).body.code).toBe('confirmation_token_invalid')
})

describe('the referral bonus', () => {
  test('waits for the confirmed e-mail, and comes once', async () => {
    const referrer = await app.register()
    const { referralCode } = await profile(referrer.token)
    const friend = newPerson()
    const { body } = await openBrowser().call('register', { ...friend, referralCode })
    expect((await profile(body.token)).creditsBalance).toBe(1)
    expect((await profile(referrer.token)).friendsReferred).toBe(1)

    const token = await mailedToken(app, friend.email)
    const after = app.mails.length
    const other = openBrowser()
    const confirm = () => other.call('confirm-email', { token })
    const answers = await Promise.all([confirm(), confirm(), confirm()])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
    expect((await profile(body.token)).creditsBalance).toBe(3)
    await app.call('/api/auth?action=send-confirmation', { method: 'POST', token: body.token })
    const again = await app.call('/api/auth?action=confirm-email', {
      json: { token: await mailedToken(app, friend.email, { after }) },
    })
    expect(again.status).toBe(200)
    expect((await profile(body.token)).creditsBalance).toBe(3)
    expect((await auditBooks(app.context.database)).findings).toEqual([])
  })

  test('is not given by a link that is too old or made up', async () => {
    await using later = await openTestApp({
      settings: { REFERRAL_BONUS_AFTER_CONFIRMATION: 'true', TRUST_PROXY: '1' },
      worker: false,
    })
    const person = newPerson()
    const browser = openBrowser(later)
    await browser.call('register', person)
    const token = await mailedToken(later, person.email)
    later.passTime(8 * 24 * 60 * 60_000)
    for (const tried of [token, 'A'.repeat(43)]) {
      const answer = await later.call('/api/auth?action=confirm-email', { json: { token: tried } })
      expect(answer.body.code).toBe('confirmation_token_invalid')
    }
  })

  test('is given to one browser only as often as the setting says', async () => {
    await using strict = await openTestApp({
      settings: { REFERRALS_PER_DEVICE_MAX: '1', TRUST_PROXY: '1' },
      worker: false,
    })
    const { token } = await strict.register()
    const { referralCode } = await profile(token, strict)
    const joinBy = async (browser: ReturnType<typeof openBrowser>) => {
      const { body } = await browser.call('register', { ...newPerson(), referralCode })
      return (await profile(body.token, strict)).creditsBalance
    }
    const friend = openBrowser(strict)
    expect(await joinBy(friend)).toBe(3)
    expect(await joinBy(friend)).toBe(1)
    expect(await joinBy(openBrowser(strict))).toBe(3)
  })
})
