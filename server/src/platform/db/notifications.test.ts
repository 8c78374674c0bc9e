import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { createNotifications } from './notifications.ts'
import type { Notifications } from './notifications.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }

let db: Awaited<ReturnType<typeof openTestDatabase>>
let notifications: Notifications
/** Looks at the others. */
let observer: pg.Client
/** How the waits until it connects anew end, the last first. */
let waits: (() => void)[]
beforeEach(async () => {
  db = await openTestDatabase(2)
  observer = new pg.Client({ connectionString: db.url, application_name: 'observer' })
  await observer.connect()
  waits = []
  notifications = await createNotifications({
    databaseUrl: db.url,
    pool: db.pool,
    log,
    wait: (_ms, signal) =>
      new Promise((resolve, reject) => {
        waits.unshift(resolve)
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      }),
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await notifications.close()
  await observer.end()
  await db[Symbol.asyncDispose]()
})

/** How many connections listen, or are about to. */
async function countConnections(): Promise<number> {
  const { rows } = await observer.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and application_name = 'starside-listen'`,
  )
  return rows[0]!.count
}

/** Ends the connection and waits until the next one is planned. */
async function cut(): Promise<void> {
  await observer.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'starside-listen'`,
  )
  await expect.poll(() => waits.length).toBe(1)
}

test('a connection that was lost is opened anew, and the log says why', async () => {
  const warn = vi.spyOn(log, 'warn')
  await cut()
  const err = expect.objectContaining({ message: expect.any(String) })
  expect(warn).toHaveBeenCalledWith({ err }, 'the connection of LISTEN was lost')
  waits[0]!()
  await expect.poll(countConnections).toBe(1)
  const listener = vi.fn()
  notifications.subscribe('word', listener)
  await expect
    .poll(async () => {
      await notifications.publish('word')
      return listener.mock.calls.length
    })
    .toBeGreaterThan(0)
})

test('a connection on which LISTEN fails is ended', async () => {
  await cut()
  const query = Reflect.get(pg.Client.prototype, 'query')
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...words: unknown[]
  ) {
    if (words[0] === 'listen starside') return Promise.reject(new Error('no session'))
    return Reflect.apply(query, this, words)
  })
  for (let n = 1; n <= 3; n += 1) {
    waits[0]!()
    await expect.poll(() => waits.length).toBe(n + 1)
  }
  await expect.poll(countConnections).toBe(0)
})

test('a connection that is being opened at the close is ended too', async () => {
  await cut()
  const connect = vi.spyOn(pg.Client.prototype, 'connect')
  waits[0]!()
  await Promise.resolve()
  expect(connect).toHaveBeenCalledOnce()
  await notifications.close()
  await Promise.allSettled(connect.mock.results.map(({ value }) => value))
  await expect.poll(countConnections).toBe(0)
  expect(waits, 'nothing is tried after it').toHaveLength(1)
})
