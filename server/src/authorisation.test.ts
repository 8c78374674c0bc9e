import { listRoutes } from '@starside/contract/routes/list-routes.ts'
import type { RouteDescription } from '@starside/contract/routes/list-routes.ts'
import { sql } from 'kysely'
import argon2 from '@node-rs/argon2'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { arrangementAt } from './testing/arrangement-at.ts'
import { generateForm } from './testing/generate-form.ts'
import { newPerson, openTestApp } from './testing/open-test-app.ts'
import type { TestApp } from './testing/open-test-app.ts'

/*
 * Each call of the API, asked by nobody, by its owner, by somebody else, by a suspended account and
 * with an expired token.
 */

let app: TestApp
let owner: { token: string; userId: string }
let other: { token: string; userId: string }
let suspended: { token: string; userId: string }
let expired: { token: string; userId: string }
let generationId: string
let orderId: string
let sessionId: string

beforeAll(async () => {
  app = await openTestApp()
  const people = await Promise.all([1, 2, 3, 4].map(() => app.register()))
  ;[owner, other, suspended, expired] = people as [
    typeof owner,
    typeof other,
    typeof suspended,
    typeof expired,
  ]
  const made = await app.call('/api/ai?action=generate', {
    token: owner.token,
    form: await generateForm(),
  })
  generationId = made.body.generation.generationId
  const order = await app.call('/api/orders', {
    token: owner.token,
    json: { packageType: 'basic' },
  })
  orderId = order.body.data.orderId
  const sessions = await app.call('/api/auth?action=sessions', { token: owner.token })
  sessionId = sessions.body.sessions[0].id
  const { database } = app.context
  await sql`update users set status = 'suspended' where id = ${suspended.userId}`.execute(database)
  await sql`
    update sessions set created_at = now() - interval '2 days', expires_at = now() - interval '1 day'
    where user_id = ${expired.userId}
  `.execute(database)
})
afterAll(() => app[Symbol.asyncDispose]())

/** Asks for what belongs to the owner. */
async function ask(route: RouteDescription, token: string | undefined) {
  const path = route.path.replace(':generationId', generationId)
  const query = new URLSearchParams({
    ...(route.action === undefined ? {} : { action: route.action }),
    ...(path === '/api/orders/status' ? { order_id: orderId } : {}),
  })
  const form = route.body?.mediaType === 'multipart/form-data' ? await generateForm() : undefined
  const json = {
    orderId,
    sessionId,
    password: 'not the password',
    packageType: 'basic',
    arrangement: arrangementAt(0.4),
    withPeople: false,
    isLarge: false,
    variationId: crypto.randomUUID(),
  }
  return app.call(`${path}?${query}`, {
    method: route.method,
    token,
    ...(form === undefined
      ? route.body === undefined && route.method !== 'POST'
        ? {}
        : { json }
      : { form }),
  })
}

const guarded = listRoutes().filter(({ access }) => access !== 'anybody')
const cases = guarded.map((route) => [route.key, route] as const)

test('the table has guarded calls in it', () => {
  expect(guarded.length).toBeGreaterThan(20)
})

describe.each(cases)('%s', (_name, route) => {
  test('is refused to nobody, to an expired token and to a suspended account', async () => {
    expect(await ask(route, undefined)).toMatchObject({
      status: 401,
      body: { code: 'token_missing' },
    })
    expect(await ask(route, expired.token)).toMatchObject({
      status: 401,
      body: { code: 'token_invalid' },
    })
    expect(await ask(route, suspended.token)).toMatchObject({
      status: 403,
      body: { code: 'account_suspended' },
    })
  })
})

type OwnersCall = { method: string; suffix: string }
const share = { method: 'POST', suffix: '/share' }
const remove = { method: 'DELETE', suffix: '' }
const restore = { method: 'POST', suffix: '/restore' }
const preparations: Record<string, OwnersCall[]> = {
  'POST /api/generations/:generationId/restore': [remove],
  'DELETE /api/generations/:generationId/share': [share],
}
const repairs: Record<string, OwnersCall[]> = {
  'POST /api/generations/:generationId/restore': [restore],
}

/** All rows of the owner that a call could change. */
async function readOwned() {
  const { database } = app.context
  const { rows } = await sql`
    select 'account' as kind, to_jsonb(it) as row from credit_accounts as it
      where user_id = ${owner.userId}
    union all select 'user', to_jsonb(it) from users as it where id = ${owner.userId}
    union all select 'generation', to_jsonb(it) from generations as it
      where user_id = ${owner.userId}
    union all select 'order', to_jsonb(it) from orders as it where user_id = ${owner.userId}
    union all select 'session', to_jsonb(it) from sessions as it where user_id = ${owner.userId}
    union all select 'hold', to_jsonb(it) from credit_holds as it
      where account_id = (select id from credit_accounts where user_id = ${owner.userId})
  `.execute(database)
  return rows
}

const owned = guarded.filter(
  ({ path, action }) =>
    // Nobody but guests has anything at events: their tests have somebody else ask.
    (path.includes(':generationId') && !path.startsWith('/api/events/')) ||
    ['/api/orders/status', '/api/orders/cancel'].includes(path) ||
    action === 'end-session',
)

describe.each(owned.map((route) => [route.key, route] as const))(
  '%s of somebody else',
  (_name, route) => {
    test('is answered as if it did not exist, and changes nothing', async () => {
      // As it must be for the owner's own call to do something.
      for (const { method, suffix } of preparations[route.key] ?? []) {
        const prepared = await app.call(`/api/generations/${generationId}${suffix}`, {
          method,
          token: owner.token,
        })
        expect(prepared.status).toBe(200)
      }
      const before = await readOwned()
      const { status, body } = await ask(route, other.token)
      expect([status, body.success]).toEqual([404, false])
      expect(JSON.stringify(body)).not.toContain(owner.userId)
      expect(await readOwned()).toEqual(before)
      for (const { method, suffix } of repairs[route.key] ?? []) {
        await app.call(`/api/generations/${generationId}${suffix}`, { method, token: owner.token })
      }
    })
  },
)

test('lists hold one’s own only', async () => {
  for (const path of ['/api/generations', '/api/orders', '/api/user?action=export']) {
    const { body } = await app.call(path, { token: other.token })
    const text = JSON.stringify(body)
    expect(text).not.toContain(generationId)
    expect(text).not.toContain(orderId)
  }
})

test('after all of this the owner still has everything', async () => {
  const generation = await app.call(`/api/generations/${generationId}`, { token: owner.token })
  const order = await app.call(`/api/orders/status?order_id=${orderId}`, { token: owner.token })
  expect([generation.status, order.status, order.body.data.status]).toEqual([200, 200, 'pending'])
  expect((await app.call('/api/user?action=profile', { token: owner.token })).status).toBe(200)
})

test('an unknown e-mail is refused after the same work as a wrong password', async () => {
  const person = newPerson()
  await app.call('/api/auth?action=register', { json: person })
  const { pool } = app.context
  const workOf = async (email: string) => {
    const [verify, hash] = [vi.spyOn(argon2, 'verify'), vi.spyOn(argon2, 'hash')]
    const query = vi.spyOn(pool, 'query')
    try {
      await app.call('/api/auth?action=login', { json: { email, password: 'a wrong guess' } })
      return {
        // Of a hash in PHC format what costs time: algorithm, version and parameters.
        checks: verify.mock.calls.map(([phc]) => String(phc).split('$').slice(1, 4)),
        hashes: hash.mock.calls.length,
        statements: query.mock.calls.map(([statement]: unknown[]) =>
          typeof statement === 'string' ? statement : (statement as { text: string }).text,
        ),
      }
    } finally {
      for (const spy of [verify, hash, query]) spy.mockRestore()
    }
  }
  // The first unknown one makes the decoy.
  await workOf('nobody-0@example.test')
  const unknown = await workOf('nobody-1@example.test')
  expect(unknown.checks).toEqual([['argon2id', 'v=19', 'm=19456,t=2,p=1']])
  expect(unknown.statements.length).toBeGreaterThan(0)
  expect(unknown).toEqual(await workOf(person.email))
})
