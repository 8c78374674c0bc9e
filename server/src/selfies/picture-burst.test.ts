import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { generateForm } from '../testing/generate-form.ts'
import { openEvent } from '../testing/open-event.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'

/*
 * A burst of requests for pictures or an event from one network: others are served in their turn.
 */

let app: TestApp
let token: string
let paths: Record<string, string>
beforeAll(async () => {
  app = await openTestApp({ settings: { TRUST_PROXY: '1', DATABASE_CONNECTIONS_MAX: '4' } })
  ;({ token } = await app.register())
  const { body } = await app.call('/api/ai?action=generate', { token, form: await generateForm() })
  const { generationId, imageUrl, thumbnailUrl, downloadUrl } = body.generation
  const shared = await app.call(`/api/generations/${generationId}/share`, { token, json: {} })
  const share = `/api/shares/${new URL(shared.body.generation.shareUrl).searchParams.get('selfie')}`
  paths = {
    picture: imageUrl,
    thumbnail: thumbnailUrl,
    PNG: downloadUrl,
    'shared picture': `${share}/picture.jpg`,
    card: `${share}/card.jpg`,
    event: `/api/events/${(await openEvent(app)).row.name}`,
  }
  expect(Object.values(paths).every((path) => path.startsWith('/api/'))).toBe(true)
})
afterAll(() => app[Symbol.asyncDispose]())

const burstSize = 60
const ask = (path: string, network: string, method = 'GET') =>
  app.call(path, { method, token, headers: { 'x-forwarded-for': network } })

/** Keeps whoever reads the generations waiting in the database until `release` is called. */
async function lockGenerations() {
  const client = new pg.Client({ connectionString: app.databaseUrl })
  await client.connect()
  await client.query('begin; lock table generations in access exclusive mode')
  return {
    /** How many connections wait for the lock. */
    async countWaiting() {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::integer as count from pg_locks
         where relation = 'generations'::regclass and not granted`,
      )
      return rows[0]?.count ?? 0
    },
    async release() {
      await client.query('commit')
      await client.end()
    },
  }
}

describe.each(['picture', 'thumbnail', 'PNG', 'shared picture', 'card', 'event'])(
  'a burst for a %s',
  (kind) => {
    // What has no bytes is no JSON to the helper.
    test.each(kind === 'event' ? ['GET'] : ['GET', 'HEAD'])(
      'by %s leaves connections to the database for others',
      async (method) => {
        const path = paths[kind] ?? ''
        await ask(path, '192.0.2.1')
        const lock = await lockGenerations()
        const burst = Array.from({ length: burstSize }, () => ask(path, '192.0.2.1', method))
        await expect.poll(lock.countWaiting).toBeGreaterThan(0)
        try {
          // It reads the database, but not what is locked.
          expect((await ask('/api/auth?action=sessions', '198.51.100.1')).status).toBe(200)
          expect(await lock.countWaiting()).toBeLessThanOrEqual(2)
        } finally {
          await lock.release()
        }
        const statuses = (await Promise.all(burst)).map(({ status }) => status)
        expect(new Set(statuses)).toEqual(new Set([200]))
      },
    )
  },
)

/** Keeps whoever reads the store waiting until `release` is called. */
function holdStore() {
  const { store } = app.context
  const get = store.get.bind(store)
  const go = Promise.withResolvers<void>()
  let begun = 0
  store.get = async (key) => {
    begun += 1
    await go.promise
    return get(key)
  }
  return {
    countBegun: () => begun,
    release() {
      store.get = get
      go.resolve()
    },
  }
}

test('a picture for another network comes before the rest of a burst', async () => {
  const held = holdStore()
  const answered: string[] = []
  const askFor = async (network: string) => {
    await ask(paths['picture'] ?? '', network)
    answered.push(network)
  }
  const burst = Array.from({ length: burstSize }, () => askFor('192.0.2.1'))
  await expect.poll(held.countBegun).toBeGreaterThan(0)
  const other = askFor('198.51.100.1')
  await expect.poll(held.countBegun).toBe(2)
  held.release()
  await Promise.all([...burst, other])
  expect(answered.indexOf('198.51.100.1')).toBeLessThan(burstSize / 2)
})

test('a deleted picture is closed to whoever waits for it in the line', async () => {
  const person = await app.register()
  const { body } = await app.call('/api/ai?action=generate', {
    token: person.token,
    form: await generateForm(),
  })
  const { generationId, imageUrl } = body.generation
  const held = holdStore()
  const burst = Array.from({ length: burstSize }, () => ask(imageUrl, '192.0.2.1'))
  await expect.poll(held.countBegun).toBeGreaterThan(0)
  const method = 'DELETE'
  await app.call(`/api/generations/${generationId}`, { method, token: person.token })
  held.release()
  const statuses = (await Promise.all(burst)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 404).length).toBeGreaterThan(burstSize / 2)
})
