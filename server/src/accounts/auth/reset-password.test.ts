import argon2 from '@node-rs/argon2'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { newNetwork } from '../../testing/new-network.ts'
import { newPerson, openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { mailedToken } from '../../testing/mailed-token.ts'
import { openBrowser } from '../../testing/open-browser.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ settings: { TRUST_PROXY: '1' }, worker: false })
})
afterAll(() => app[Symbol.asyncDispose]())

const newAddress = () => `${newNetwork()}.1`
const newEmail = () => `nobody-${crypto.randomUUID()}@example.test`

async function registerPerson() {
  const person = newPerson()
  await app.call('/api/auth?action=register', { json: person })
  return person
}
const forgot = (email: string, address = newAddress()) =>
  openBrowser(app, { address }).call('/api/auth?action=forgot-password', { email })
const reset = (token: string, address = newAddress()) =>
  openBrowser(app, { address }).call('/api/auth?action=reset-password', {
    token,
    password: 'a fresh password',
  })
const logIn = async (email: string, secret: string) =>
  (await app.call('/api/auth?action=login', { json: { email, password: secret } })).status

async function mailToken(email: string): Promise<string> {
  const after = app.mails.length
  await forgot(email)
  return mailedToken(app, email, { after })
}

test('an e-mail that no database can hold is refused, and not looked up after the answer', async () => {
  const answer = await forgot('a\u0000@example.test')
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request'])
})

describe('a mailed reset link', () => {
  test('works for an hour and no longer', async () => {
    const person = await registerPerson()
    const first = await mailToken(person.email)
    app.passTime(59 * 60_000)
    expect((await reset(first)).status).toBe(200)
    const second = await mailToken(person.email)
    app.passTime(60 * 60_000)
    expect((await reset(second)).body.code).toBe('reset_token_invalid')
    expect(await logIn(person.email, 'a fresh password')).toBe(200)
  })

  test('voids the others that were mailed to the same person when it is used', async () => {
    const person = await registerPerson()
    const [first, second] = [await mailToken(person.email), await mailToken(person.email)]
    const other = await registerPerson()
    const ofOther = await mailToken(other.email)
    expect((await reset(second)).status).toBe(200)
    expect((await reset(first)).body.code).toBe('reset_token_invalid')
    expect((await reset(ofOther)).status).toBe(200)
  })

  test('is used once, also by many at once', async () => {
    const person = await registerPerson()
    const token = await mailToken(person.email)
    const answers = await Promise.all(Array.from({ length: 6 }, () => reset(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('ends all sessions', async () => {
    const person = newPerson()
    const { body } = await app.call('/api/auth?action=register', { json: person })
    await reset(await mailToken(person.email))
    const profile = await app.call('/api/user?action=profile', { token: body.token })
    expect(profile.status).toBe(401)
  })
})

test('a token that opens nothing is refused before anything is hashed, and counted', async () => {
  const hashed = vi.spyOn(argon2, 'hash')
  const address = newAddress()
  const codes = []
  for (let index = 0; index < 33; index += 1) codes.push((await reset('x', address)).body.code)
  expect(hashed).not.toHaveBeenCalled()
  hashed.mockRestore()
  expect(codes).toEqual([
    ...Array<string>(30).fill('reset_token_invalid'),
    ...Array<string>(3).fill('too_many_requests'),
  ])
  // A valid one is not kept out by that, and others aren't concerned.
  const person = await registerPerson()
  expect((await reset(await mailToken(person.email), address)).status).toBe(200)
  expect((await reset('x')).body.code).toBe('reset_token_invalid')
})

test('confirmation links that open nothing are counted too', async () => {
  const browser = openBrowser(app, { address: newAddress() })
  const confirm = async () =>
    (await browser.call('/api/auth?action=confirm-email', { token: 'x' })).body.code
  for (let index = 0; index < 30; index += 1) {
    expect(await confirm()).toBe('confirmation_token_invalid')
  }
  expect(await confirm()).toBe('too_many_requests')
})

describe('asking for a link', () => {
  test('is answered before it is looked up whether there is an account', async () => {
    const person = await registerPerson()
    const held = await app.context.pool.connect()
    try {
      // Whoever waits for the account waits for this lock.
      await held.query('begin')
      await held.query('lock table users in access exclusive mode')
      const after = app.mails.length
      expect((await forgot(person.email)).body).toEqual({ success: true })
      expect((await forgot(newEmail())).body).toEqual({ success: true })
      expect(app.mails.slice(after)).toEqual([])
      await held.query('commit')
      expect(await mailedToken(app, person.email, { after })).toMatch(/^[\w-]{43}$/)
      expect(app.mails.slice(after).map(({ to }) => to)).toEqual([person.email])
    } finally {
      held.release()
    }
  })

  test('mails nothing to a suspended account', async () => {
    const suspended = await registerPerson()
    const active = await registerPerson()
    await sql`update users set status = 'suspended' where email = ${suspended.email}`.execute(
      app.context.database,
    )
    const after = app.mails.length
    await forgot(suspended.email)
    await forgot(active.email)
    await mailedToken(app, active.email, { after })
    const { rows } = await sql<{ email: string }>`
      select email from users join password_resets on user_id = users.id
      where email in (${suspended.email}, ${active.email})
    `.execute(app.context.database)
    expect(rows).toEqual([{ email: active.email }])
    expect(app.mails.slice(after).map(({ to }) => to)).toEqual([active.email])
  })

  test('is limited for one e-mail, whoever asks, and whether it has an account or not', async () => {
    const person = await registerPerson()
    for (const email of [person.email, newEmail()]) {
      const statuses = []
      for (let index = 0; index < 5; index += 1) statuses.push((await forgot(email)).status)
      expect(statuses).toEqual([200, 200, 200, 429, 429])
    }
    expect((await forgot((await registerPerson()).email)).status).toBe(200)
  })

  test('is limited for one network, whatever it asks for', async () => {
    const site = crypto.randomUUID().slice(0, 4)
    const statuses = []
    for (let index = 0; index < 32; index += 1) {
      statuses.push((await forgot(newEmail(), `2001:db8:5:${site}::${index}`)).status)
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(30)
  })
})
