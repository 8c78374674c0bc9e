import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { newNetwork } from '../../testing/new-network.ts'
import { newPerson, openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { mailedToken } from '../../testing/mailed-token.ts'
import { hashToken } from './session.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({
    settings: { SIGN_IN_FAILURES_MAX: '5', TRUST_PROXY: '1' },
    worker: false,
  })
})
afterAll(() => app[Symbol.asyncDispose]())

let address: string
beforeEach(() => {
  address = `${newNetwork()}.1`
})
const call: TestApp['call'] = (path, options = {}) =>
  app.call(path, { ...options, headers: { 'x-forwarded-for': address, ...options.headers } })
const newEmail = () => `nobody-${crypto.randomUUID()}@example.test`

const register = (json: unknown) => call('/api/auth?action=register', { json })
const login = (email: string, password: string) =>
  call('/api/auth?action=login', { json: { email, password } })
const profile = (token?: string) => call('/api/user?action=profile', { token })

describe('registration', () => {
  test('makes an account with one free credit and a referral code of its own', async () => {
    const person = newPerson()
    const { status, body } = await register(person)
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      token: expect.any(String),
      user: { userId: expect.any(String), email: person.email, username: person.username },
      notices: [],
    })
    expect((await profile(body.token)).body.user).toEqual({
      ...body.user,
      creditsBalance: 1,
      creditsOwed: 0,
      totalCreditsEverBought: 0,
      friendsReferred: 0,
      selfiesCreated: 0,
      referralCode: expect.stringMatching(/^[A-HJ-NP-Z2-9]{8}$/),
      createdAt: expect.any(String),
      termsToAccept: null,
    })
  })

  test.for([
    [{ email: '' }, 'All fields are required'],
    [{ username: undefined }, 'All fields are required'],
    [{ password: '' }, 'All fields are required'],
    [{ password: '12345' }, 'Password must be at least 6 characters'],
    [{ password: '12345', username: 'ab' }, 'Password must be at least 6 characters'],
    [{ username: 'ab' }, 'Username must be at least 3 characters'],
    [{ username: 'a'.repeat(41) }, 'Username must be at most 40 characters'],
    [{ password: 'x'.repeat(257) }, 'Password must be at most 256 characters'],
    [{ username: 'a\u0000bc' }, "The username has characters we can't use. Please change it."],
    [{ email: 'nobody' }, 'Please enter a valid email address.'],
    [{ email: { evil: true } }, "The field 'email' is not as expected."],
  ] as const)('refuses %j', async ([overrides, sentence]) => {
    const { status, body } = await register({ ...newPerson(), ...overrides })
    expect([status, body.error]).toEqual([400, sentence])
    expect(body).toMatchObject({ success: false, code: expect.any(String) })
  })

  test('says that an e-mail is taken, in whatever case it is written', async () => {
    const person = newPerson()
    await register(person)
    const again = await register({ ...person, email: ` ${person.email.toUpperCase()} ` })
    expect([again.status, again.body.error]).toEqual([
      409,
      'An account with this email already exists.',
    ])
  })

  test('lets one of many registrations with the same e-mail win, with one credit', async () => {
    const person = newPerson()
    const answers = await Promise.all(Array.from({ length: 8 }, () => register(person)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array(7).fill(409),
    ])
    const { body } = await login(person.email, person.password)
    expect((await profile(body.token)).body.user.creditsBalance).toBe(1)
  })

  test('with a referral code gives the bonus and counts the friend', async () => {
    const referrer = await app.register()
    const { referralCode } = (await profile(referrer.token)).body.user
    const friend = await app.register({ referralCode: referralCode.toLowerCase() })
    expect((await profile(friend.token)).body.user.creditsBalance).toBe(3)
    expect((await profile(referrer.token)).body.user).toMatchObject({
      friendsReferred: 1,
      creditsBalance: 1,
    })
  })

  test('with an unknown referral code fails and leaves nothing behind', async () => {
    const person = newPerson()
    const refused = await register({ ...person, referralCode: 'NOSUCH22' })
    expect([refused.status, refused.body.code]).toEqual([400, 'referral_unknown'])
    const { rows } = await sql<{ users: number; accounts: number }>`
      select (select count(*)::int from users where email = ${person.email}) as users,
        (select count(*)::int from credit_accounts
          where kind = 'user' and user_id is null) as accounts
    `.execute(app.context.database)
    expect(rows[0]).toEqual({ users: 0, accounts: 0 })
  })

  test('grants no more bonuses to one address than a day allows', async () => {
    await using strict = await openTestApp({
      settings: { REFERRALS_PER_ADDRESS_PER_DAY: '1' },
      worker: false,
    })
    const referrer = await strict.register()
    const { body } = await strict.call('/api/user?action=profile', { token: referrer.token })
    const balances = []
    for (let friend = 0; friend < 3; friend += 1) {
      const { token } = await strict.register({ referralCode: body.user.referralCode })
      const answer = await strict.call('/api/user?action=profile', { token })
      balances.push(answer.body.user.creditsBalance)
    }
    expect(balances).toEqual([3, 1, 1])
  })
})

describe('signing in', () => {
  test('gives a token that opens the profile; signing out voids it alone', async () => {
    const person = newPerson()
    const phone = (await register(person)).body.token
    const { status, body } = await login(person.email.toUpperCase(), person.password)
    expect([status, body.user.email]).toEqual([200, person.email])
    expect((await profile(body.token)).status).toBe(200)
    await call('/api/auth?action=logout', { method: 'POST', token: body.token })
    expect(await profile(body.token)).toMatchObject({
      status: 401,
      body: { code: 'token_invalid' },
    })
    expect((await profile(phone)).status).toBe(200)
  })

  test('ends with the engine dropping what it keeps of the person’s photos', async () => {
    const forgetting = vi.spyOn(app.context.engine, 'forgetPhotos')
    for (const action of ['logout', 'logout-everywhere']) {
      const { body } = await register(newPerson())
      forgetting.mockClear()
      await call(`/api/auth?action=${action}`, { method: 'POST', token: body.token })
      expect(forgetting.mock.calls).toEqual([[{ account: body.user.userId }]])
    }
    forgetting.mockRestore()
  })

  test('answers a wrong password and an unknown e-mail with the same words', async () => {
    const person = newPerson()
    await register(person)
    const wrong = await login(person.email, 'wrong password')
    const unknown = await login(newEmail(), 'wrong password')
    expect([wrong.status, wrong.body.error]).toEqual([401, 'Wrong email or password.'])
    expect([unknown.status, unknown.body.error]).toEqual([wrong.status, wrong.body.error])
  })

  test('stops guessing on one account, and lets its owner in again later', async () => {
    const person = newPerson()
    await register(person)
    for (let guess = 0; guess < 5; guess += 1) await login(person.email, `guess ${guess}`)
    const refused = await login(person.email, person.password)
    expect([refused.status, refused.body.code]).toEqual([429, 'sign_in_limited'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('counts guesses that are sent all at once', async () => {
    const person = newPerson()
    await register(person)
    const guesses = Array.from({ length: 30 }, (_, guess) => login(person.email, `guess ${guess}`))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(25)
  })

  test('stores neither a token nor a password in readable form', async () => {
    const person = newPerson()
    const { body } = await register(person)
    const { rows } = await sql<{ dump: string }>`
      select coalesce(string_agg(t::text, ' '), '') as dump from (
        select users::text as t from users union all select sessions::text from sessions
      ) as everything
    `.execute(app.context.database)
    expect(rows[0]?.dump).toContain(hashToken(body.token).toString('hex'))
    expect(rows[0]?.dump).not.toContain(body.token)
    expect(rows[0]?.dump).not.toContain(person.password)
  })

  test('stores a password by argon2id with 19 MiB and two passes', async () => {
    const person = newPerson()
    await register(person)
    const { rows } = await sql<{ hash: string }>`
      select password_hash as hash from users where email = ${person.email}
    `.execute(app.context.database)
    expect(rows[0]?.hash).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
  })

  test.for([
    ['nothing', undefined, 'token_missing'],
    ['a made-up token', 'A'.repeat(43), 'token_invalid'],
    ['a header that is no token', 'not a token!', 'token_missing'],
  ] as const)('is asked for with %s', async ([, token, code]) => {
    expect(await profile(token)).toMatchObject({ status: 401, body: { success: false, code } })
  })

  test('is asked for again when the session is over', async () => {
    await using later = await openTestApp({ worker: false })
    const { token } = await later.register()
    later.passTime(31 * 24 * 60 * 60_000)
    expect(await later.call('/api/user?action=profile', { token })).toMatchObject({
      status: 401,
      body: { code: 'token_invalid' },
    })
  })

  test('is refused to a suspended account, and its open sessions end', async () => {
    const person = newPerson()
    const { body } = await register(person)
    await sql`update users set status = 'suspended' where email = ${person.email}`.execute(
      app.context.database,
    )
    expect((await profile(body.token)).body.code).toBe('account_suspended')
    expect((await login(person.email, person.password)).body.code).toBe('account_suspended')
  })
})

describe('passwords', () => {
  test('can be changed: other devices are signed out, the new one works', async () => {
    const person = newPerson()
    const phone = (await register(person)).body.token
    const laptop = (await login(person.email, person.password)).body.token
    const change = await call('/api/auth?action=change-password', {
      token: laptop,
      json: { currentPassword: person.password, newPassword: 'a new password' },
    })
    expect(change.status).toBe(200)
    expect((await profile(phone)).status).toBe(401)
    expect((await profile(laptop)).status).toBe(401)
    expect((await profile(change.body.token)).status).toBe(200)
    expect((await login(person.email, person.password)).status).toBe(401)
    expect((await login(person.email, 'a new password')).status).toBe(200)
  })

  test('are not changed without the current one', async () => {
    const { token } = await app.register()
    const change = await call('/api/auth?action=change-password', {
      token,
      json: { currentPassword: 'wrong', newPassword: 'a new password' },
    })
    expect([change.status, change.body.code]).toEqual([400, 'password_wrong'])
    expect((await profile(token)).status).toBe(200)
  })

  test('can be set by a mailed link, once', async () => {
    const person = newPerson()
    const { token } = (await register(person)).body
    await call('/api/auth?action=forgot-password', { json: { email: person.email } })
    const resetToken = await mailedToken(app, person.email)
    const reset = () =>
      call('/api/auth?action=reset-password', {
        json: { token: resetToken, password: 'fresh password' },
      })
    expect((await reset()).status).toBe(200)
    expect((await reset()).body.code).toBe('reset_token_invalid')
    expect((await profile(token)).status).toBe(401)
    expect((await login(person.email, 'fresh password')).status).toBe(200)
  })

  test('the answer to a forgotten one does not say whether the e-mail exists', async () => {
    const mailsBefore = app.mails.length
    const answer = await call('/api/auth?action=forgot-password', {
      json: { email: newEmail() },
    })
    expect([answer.status, answer.body]).toEqual([200, { success: true }])
    expect(app.mails).toHaveLength(mailsBefore)
  })

  test('signing out everywhere ends every session', async () => {
    const person = newPerson()
    const phone = (await register(person)).body.token
    const laptop = (await login(person.email, person.password)).body.token
    const sessions = await call('/api/auth?action=sessions', { token: laptop })
    expect(sessions.body.sessions).toHaveLength(2)
    await call('/api/auth?action=logout-everywhere', { method: 'POST', token: laptop })
    expect((await profile(phone)).status).toBe(401)
    expect((await profile(laptop)).status).toBe(401)
  })
})

describe('the calls', () => {
  test.for([
    ['/api/auth?action=fly', 'unknown_action', 400],
    ['/api/auth', 'unknown_action', 400],
    ['/api/auth?action=toString', 'unknown_action', 400],
    ['/api/nothing-here', 'not_found', 404],
  ] as const)('answer %s with a sentence', async ([path, code, status]) => {
    const answer = await call(path, { json: {} })
    expect(answer).toMatchObject({
      status,
      body: { success: false, code, error: expect.any(String) },
    })
  })

  test('answer a body that is no JSON with a sentence and no stack', async () => {
    const response = await fetch(`${app.url}/api/auth?action=login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"email":',
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ success: false, code: 'invalid_request' })
  })

  test('refuse a body larger than any of theirs', async () => {
    const answer = await call('/api/auth?action=login', {
      json: { email: 'x'.repeat(100_000), password: 'x' },
    })
    expect([answer.status, answer.body.code]).toEqual([413, 'body_too_large'])
  })
})
