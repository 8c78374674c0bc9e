import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../db/database.ts'
import { createNotifications } from '../db/notifications.ts'
import type { Notifications } from '../db/notifications.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { startJobQueue } from './job-queue.ts'
import type { JobQueue } from './job-queue.ts'

const queue = { name: 'some-work', retryLimit: 0, expireInSeconds: 60 }
const log = { debug() {}, info() {}, warn() {}, error() {} }

let db: Awaited<ReturnType<typeof openTestDatabase>>
let jobs: JobQueue
/** Of another node. */
let notifications: Notifications
beforeAll(async () => {
  db = await openTestDatabase(4)
  notifications = await createNotifications({ databaseUrl: db.url, pool: db.pool, log })
  jobs = await startJobQueue({
    databaseUrl: db.url,
    queues: [queue],
    works: false,
    subscribe: () => () => {},
    log,
  })
})
afterAll(async () => {
  await jobs.stop()
  await notifications.close()
  await db[Symbol.asyncDispose]()
})

test('the workers of all nodes are told of a job when it is there, and of none that is undone', async () => {
  const depths: number[] = []
  notifications.subscribe(`queue:${queue.name}`, () => {
    void jobs.depth(queue.name).then(({ waiting }) => depths.push(waiting))
  })
  await inTransaction(db.database, async (transaction) => {
    await jobs.enqueue(transaction, queue.name, {})
    throw new Error('undone')
  }).catch(() => undefined)
  await inTransaction(db.database, (transaction) => jobs.enqueue(transaction, queue.name, {}))
  await expect.poll(() => depths).toEqual([1])
})
