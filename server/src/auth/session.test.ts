import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction, openDatabase } from '../db/database.ts'
import { makeUser } from '../testing/make-user.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { deleteExpiredSecrets } from './jobs.ts'
import { openSession, openSessionQuickly } from './session.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
let userId: string
beforeAll(async () => {
  // One connection, so that what a session leaves behind on it shows.
  db = await openTestDatabase(1)
  await db.pool.query('set synchronous_commit = on')
  userId = await makeUser(db.database, 0)
})
afterAll(() => db[Symbol.asyncDispose]())

const dayMs = 24 * 60 * 60_000
const device = { hash: randomBytes(32), fallbackHash: randomBytes(32) }
const request = (now = new Date()) => ({
  userId,
  now,
  randomBytes,
  origin: { address: '127.0.0.1', userAgent: 'test' },
  device,
})
const show = async () =>
  (await db.pool.query<{ synchronous_commit: string }>('show synchronous_commit')).rows[0]
    ?.synchronous_commit

test('a sign-in alone does not wait for the disk, and nothing after it is affected', async () => {
  const client = await db.pool.connect()
  const commitOf = async () =>
    (await client.query<{ synchronous_commit: string }>('show synchronous_commit')).rows[0]
  await client.query('begin')
  await openSessionQuickly(client, request())
  expect(await commitOf()).toEqual({ synchronous_commit: 'off' })
  await client.query('commit')
  expect(await commitOf()).toEqual({ synchronous_commit: 'on' })
  client.release()
  await openSessionQuickly(db.pool, request())
  expect(await show()).toBe('on')
})

test('a session of a larger transaction leaves its commit as it is', async () => {
  const during = await inTransaction(db.database, async (transaction) => {
    await openSession(transaction, request())
    const { rows } = await sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(
      transaction,
    )
    return rows[0]?.synchronous_commit
  })
  expect(during).toBe('on')
})

test('a device is written down when it is new, and again after a day', async () => {
  const own = { hash: randomBytes(32), fallbackHash: device.fallbackHash }
  const lastSeen = async () => {
    const { rows } = await db.pool.query<{ last_seen_at: Date; version: string }>(
      'select last_seen_at, xmin::text as version from user_devices where device_hash = $1',
      [own.hash],
    )
    return rows[0]
  }
  const signIn = (now: Date) => openSessionQuickly(db.pool, { ...request(now), device: own })
  const first = new Date()
  await openSessionQuickly(db.pool, request(first))
  // Its network is known already.
  expect((await signIn(first)).isNewDevice).toBe(false)
  const written = await lastSeen()
  expect(written?.last_seen_at).toEqual(first)

  await signIn(new Date(first.getTime() + dayMs - 1_000))
  expect(await lastSeen()).toEqual(written)
  const next = new Date(first.getTime() + dayMs + 1_000)
  expect((await signIn(next)).isNewDevice).toBe(false)
  expect((await lastSeen())?.last_seen_at).toEqual(next)
})

test('a device of which nothing is known is new, once', async () => {
  const unknown = { hash: randomBytes(32), fallbackHash: randomBytes(32) }
  const open = () => openSessionQuickly(db.pool, { ...request(), device: unknown })
  expect((await open()).isNewDevice).toBe(true)
  expect((await open()).isNewDevice).toBe(false)
})

test('a device is forgotten once its cookie must have run out, and not before', async () => {
  const old = { hash: randomBytes(32), fallbackHash: randomBytes(32) }
  const seen = new Date()
  await openSessionQuickly(db.pool, { ...request(seen), device: old })
  const isKnown = async () => {
    const { rowCount } = await db.pool.query('select from user_devices where device_hash = $1', [
      old.hash,
    ])
    return rowCount === 1
  }
  await deleteExpiredSecrets(db.database, new Date(seen.getTime() + 399 * dayMs))
  expect(await isKnown()).toBe(true)
  await deleteExpiredSecrets(db.database, new Date(seen.getTime() + 401 * dayMs))
  expect(await isKnown()).toBe(false)
})

test('the statement of a sign-in is planned once, not each time, in filled tables too', async () => {
  await db.pool.query(
    `insert into user_devices (user_id, device_hash, first_seen_at, last_seen_at)
     select $1, sha256(n::text::bytea), now(), now() from generate_series(1, 30000) as n`,
    [userId],
  )
  await db.pool.query('vacuum analyze user_devices')
  const fresh = openDatabase({ url: db.url, connectionsMax: 1, onError: () => undefined })
  for (let n = 0; n < 20; n += 1) await openSessionQuickly(fresh.pool, request())
  const { rows } = await fresh.pool.query<{ custom: number }>(
    `select custom_plans::integer as custom from pg_prepared_statements where name = 'open-session'`,
  )
  await fresh.close()
  expect(rows).toEqual([{ custom: 5 }])
})
