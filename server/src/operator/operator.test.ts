import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../accounts/auth/password.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { operatorPages } from './operator-pages.ts'
import { operatorScript } from './frame.ts'
import { createOperatorToken } from './operator-sessions.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({
    worker: false,
    settings: { ADMIN_PASSWORD_HASH: await hashPassword('a long pass phrase') },
  })
})
afterAll(() => app[Symbol.asyncDispose]())

const pages = operatorPages.map(({ path }) => path).filter((path) => !path.includes(':'))

function submit(
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) {
  return fetch(app.url + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { origin: app.url, ...headers },
    redirect: 'manual',
  })
}

/** The token that the forms of a session's pages carry. */
async function csrfOf(cookie: string): Promise<string> {
  const { text } = await open('/admin', cookie)
  return /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
}

async function signIn(secret: string): Promise<string> {
  const response = await submit('/admin/sign-in', { secret })
  expect([response.status, response.headers.get('location')]).toEqual([303, '/admin'])
  const cookie = response.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/; Path=\/admin; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/)
  return cookie.split(';')[0] ?? ''
}

const makeToken = (lifetimeMs = 60_000) =>
  createOperatorToken({ ...app.context, randomBytes }, { name: 'Kim', lifetimeMs })

async function open(path: string, cookie: string) {
  const response = await fetch(app.url + path, { headers: { cookie } })
  return { status: response.status, text: await response.text() }
}

test.each(pages)('%s is closed to strangers and to signed-in users', async (page) => {
  const { token } = await app.register()
  const tries = await Promise.all([
    app.call(page),
    app.call(page, { token }),
    app.call(page, { headers: { cookie: `starside_operator=${token}` } }),
    makeToken().then((made) =>
      app.call(page, { headers: { cookie: `starside_operator=${made}` } }),
    ),
  ])
  expect(tries.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  for (const { body } of tries) expect(body.toString()).not.toContain('@example.test')
})

test.each(['password', 'token'])(
  'a %s opens every page, without any script but one of ours that is named by its hash',
  async (kind) => {
    const cookie = await signIn(kind === 'password' ? 'a long pass phrase' : await makeToken())
    for (const page of pages) {
      const response = await fetch(app.url + page, { headers: { cookie } })
      const text = await response.text()
      expect([page, response.status]).toEqual([page, 200])
      expect(text).toContain('aria-current="page"')
      const [, script] = /<script>([^]*)<\/script>\s*<\/body>/.exec(text) ?? []
      expect(text.replace(`<script>${script}`, '')).not.toMatch(/<script|style="|\son\w+="/)
      const hash = createHash('sha256').update(operatorScript).digest('base64')
      expect([page, script]).toEqual([page, operatorScript])
      const allowed = /script-src ([^;]*);/.exec(
        response.headers.get('content-security-policy') ?? '',
      )
      expect(allowed?.[1]).toBe(`'sha256-${hash}'`)
      expect(response.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; style-src 'sha256-/,
      )
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
  },
)

test('what people call themselves is text, not markup', async () => {
  await app.register({ username: '<img src=x>&"' })
  const { text } = await open('/admin/users', await signIn(await makeToken()))
  expect(text).toContain('&lt;img src=x&gt;&amp;&quot;')
  expect(text).not.toContain('<img src=x>')
})

test('an account is found, suspended with a reason and opened again', async () => {
  const cookie = await signIn(await makeToken())
  const { token } = await app.register({ email: 'found_100%@example.test' })
  await app.register({ email: 'found-100%@example.test' })
  const { text } = await open('/admin/users?q=found_100%25', cookie)
  expect(text).toContain('found_100%@example.test')
  expect(text).not.toContain('found-100%@example.test')

  const profile = async () => (await app.call('/api/user?action=profile', { token })).status
  const csrf = await csrfOf(cookie)
  const fields = { id: 'found_100%@example.test', reason: 'a test', csrf }
  await submit('/admin/users/suspend', fields, { cookie })
  expect(await profile()).toBe(403)
  await submit('/admin/users/unsuspend', fields, { cookie })
  // It is open, and asks to sign in anew.
  expect(await profile()).toBe(401)
})

test('an account’s row shows its email first, and its act only when it is unfolded', async () => {
  await app.register({ email: 'row@example.test' })
  const { text } = await open('/admin/users?q=row@example.test', await signIn(await makeToken()))
  const row = /<tbody>[\s\S]*?<tr>([\s\S]*?)<\/tr>/.exec(text)?.[1] ?? ''
  expect(row).toMatch(/^\s*<td data-head="Email"><a href="[^"]+">row@example\.test<\/a><\/td>/)
  expect(row).toMatch(/<details>\s*<summary class="danger">Suspend<\/summary>\s*<form/)
})

test('a flag is resolved with what was done', async () => {
  const cookie = await signIn(await makeToken())
  const { id } = await app.context.database
    .insertInto('order_flags')
    .values({
      provider: 'sandbox',
      payment_id: '77',
      order_id: null,
      kind: 'unknown_order',
      note: 'money without an order',
      created_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  expect((await open('/admin/orders', cookie)).text).toContain('money without an order')
  const csrf = await csrfOf(cookie)
  await submit('/admin/orders/resolve', { id, reason: 'sent back', csrf }, { cookie })
  expect((await open('/admin/orders', cookie)).text).not.toContain('money without an order')
})

test('an act without a session, from another site, without its token, or unknown does nothing', async () => {
  const cookie = await signIn(await makeToken())
  const other = await signIn(await makeToken())
  const { token } = await app.register({ email: 'safe@example.test' })
  const csrf = await csrfOf(cookie)
  const fields = { id: 'safe@example.test', reason: 'a test', csrf }
  const path = '/admin/users/suspend'
  const tries = [
    submit(path, fields),
    submit(path, fields, { authorization: `Bearer ${token}` }),
    submit(path, fields, { cookie, 'sec-fetch-site': 'cross-site' }),
    submit(path, fields, { cookie, 'sec-fetch-site': 'same-site' }),
    submit(path, fields, { cookie, origin: 'https://evil.example' }),
    submit(path, fields, { cookie, origin: 'null' }),
    submit(path, { ...fields, csrf: '' }, { cookie }),
    submit(path, { ...fields, csrf: await csrfOf(other) }, { cookie }),
    submit('/admin/users/constructor', fields, { cookie }),
    submit(path, { id: 'safe@example.test', csrf }, { cookie }),
  ]
  const statuses = (await Promise.all(tries)).map(({ status }) => status)
  expect(statuses).toEqual([401, 401, 404, 404, 404, 404, 403, 403, 405, 422])
  expect((await app.call('/api/user?action=profile', { token })).status).toBe(200)
})

test('a form that no browser sent, as it names no origin, is refused', async () => {
  const cookie = await signIn(await makeToken())
  const body = new URLSearchParams({ csrf: await csrfOf(cookie) })
  const { status } = await fetch(`${app.url}/admin/sign-out`, {
    method: 'POST',
    body,
    headers: { cookie },
  })
  expect([status, (await open('/admin', cookie)).status]).toEqual([404, 200])
})

test('signing out ends the session, and an old token opens nothing', async () => {
  const cookie = await signIn(await makeToken())
  const left = await submit('/admin/sign-out', { csrf: await csrfOf(cookie) }, { cookie })
  expect(left.headers.getSetCookie().join()).toMatch(/^starside_operator=;.* Max-Age=0/)
  expect((await open('/admin', cookie)).status).toBe(401)
  const token = await makeToken(1_000)
  app.passTime(2_000)
  expect((await submit('/admin/sign-in', { secret: token })).status).toBe(401)
})

test('guessing is slowed down', async () => {
  let last = 0
  for (let index = 0; index < 12; index += 1) {
    last = (await submit('/admin/sign-in', { secret: `guess ${index}` })).status
  }
  expect(last).toBe(429)
})

describe('strangers who guess the operator’s password', () => {
  let guarded: TestApp
  beforeAll(async () => {
    guarded = await openTestApp({
      worker: false,
      settings: {
        ADMIN_PASSWORD_HASH: await hashPassword('a long pass phrase'),
        TRUST_PROXY: '1',
        SIGN_IN_FAILURES_MAX: '4',
      },
    })
  })
  afterAll(() => guarded[Symbol.asyncDispose]())
  const tryToSignIn = async (secret: string, address: string) => {
    const { status } = await fetch(`${guarded.url}/admin/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ secret }),
      headers: { origin: guarded.url, 'x-forwarded-for': address },
      redirect: 'manual',
    })
    return status
  }

  test('lock nobody’s e-mail and are not helped by one', async () => {
    for (const email of ['operator', 'Operator']) {
      for (let guess = 0; guess < 4; guess += 1) {
        await guarded.call('/api/auth?action=login', { json: { email, password: 'a guess' } })
      }
    }
    expect(await tryToSignIn('a long pass phrase', '192.0.2.200')).toBe(303)
  })

  test('are stopped, also when all ask at once, and keep no valid token out', async () => {
    const guesses = Array.from({ length: 40 }, (_, index) =>
      tryToSignIn(`guess ${index}`, `192.0.2.${index + 1}`),
    )
    const statuses = await Promise.all(guesses)
    expect(statuses.filter((status) => status === 401)).toHaveLength(4)
    expect(statuses.filter((status) => status === 429)).toHaveLength(36)
    expect(await tryToSignIn('a long pass phrase', '192.0.2.201')).toBe(429)
    const token = await createOperatorToken(
      { ...guarded.context, randomBytes },
      { name: 'Kim', lifetimeMs: 60_000 },
    )
    expect(await tryToSignIn(token, '192.0.2.1')).toBe(303)
  })
})
