import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUser } from '../../testing/make-user.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { deleteExpiredSecrets } from './jobs.ts'
import { rememberDevice } from './device.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
let userId: string
beforeAll(async () => {
  db = await openTestDatabase(2)
  userId = await makeUser(db.database, 0)
})
afterAll(() => db[Symbol.asyncDispose]())

const dayMs = 24 * 60 * 60_000
const remember = (device: Record<'hash' | 'fallbackHash', Buffer>, now = new Date()) =>
  rememberDevice(db.database, { userId, hashes: [device.hash, device.fallbackHash], now })

test('a device is written down when it is new, and again after a day', async () => {
  const other = { hash: randomBytes(32), fallbackHash: randomBytes(32) }
  const own = { hash: randomBytes(32), fallbackHash: other.fallbackHash }
  const lastSeen = async () => {
    const { rows } = await db.pool.query<{ last_seen_at: Date; version: string }>(
      'select last_seen_at, xmin::text as version from user_devices where device_hash = $1',
      [own.hash],
    )
    return rows[0]
  }
  const first = new Date()
  await remember(other, first)
  // Its network is known already.
  expect(await remember(own, first)).toBe(false)
  const written = await lastSeen()
  expect(written?.last_seen_at).toEqual(first)

  await remember(own, new Date(first.getTime() + dayMs - 1_000))
  expect(await lastSeen()).toEqual(written)
  const next = new Date(first.getTime() + dayMs + 1_000)
  expect(await remember(own, next)).toBe(false)
  expect((await lastSeen())?.last_seen_at).toEqual(next)
})

test('a device of which nothing is known is new, once', async () => {
  const unknown = { hash: randomBytes(32), fallbackHash: randomBytes(32) }
  expect(await remember(unknown)).toBe(true)
  expect(await remember(unknown)).toBe(false)
})

test('a device that only others have used is new for a person', async () => {
  const shared = { hash: randomBytes(32), fallbackHash: randomBytes(32) }
  await remember(shared)
  const other = await makeUser(db.database, 0)
  const hashes = [shared.hash, shared.fallbackHash] as const
  const ofOther = { userId: other, hashes, now: new Date() }
  expect(await rememberDevice(db.database, ofOther)).toBe(true)
  expect(await rememberDevice(db.database, ofOther)).toBe(false)
})

test('a device is forgotten once its cookie must have run out, and not before', async () => {
  const old = { hash: randomBytes(32), fallbackHash: randomBytes(32) }
  const seen = new Date()
  await remember(old, seen)
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
