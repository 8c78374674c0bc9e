import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { inTransaction } from '../db/database.ts'
import { createNotifications } from '../db/notifications.ts'
import type { Notifications } from '../db/notifications.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { startJobQueue } from './job-queue.ts'
import type { JobDefinition, JobQueue, RunningJob } from './job-queue.ts'

const queue = { name: 'some-work', retryLimit: 0, expireInSeconds: 60 }
/** Less than the time after which a sleeping slot wakes by itself. */
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

describe('a worker', () => {
  const subscribe: Notifications['subscribe'] = (topic, listener) =>
    notifications.subscribe(topic, listener)

  /** Works on a queue of this name until the test ends. */
  async function work(
    name: string,
    options: Pick<JobDefinition, 'concurrency' | 'run'> & {
      subscribe?: Notifications['subscribe']
    },
  ): Promise<JobQueue> {
    const definition = { name, retryLimit: 1, expireInSeconds: 60 }
    const worker = await startJobQueue({
      databaseUrl: db.url,
      queues: [definition],
      works: true,
      subscribe,
      log,
      ...options,
    })
    onTestFinished(() => worker.stop())
    await worker.work({ ...definition, ...options })
    return worker
  }

  const enqueue = (worker: JobQueue, name: string, count: number) =>
    inTransaction(db.database, async (transaction) => {
      for (let n = 0; n < count; n += 1) await worker.enqueue(transaction, name, { n })
    })

  test('that is idle asks the database as seldom with 64 slots as with one', async () => {
    const query = vi.spyOn(pg.Client.prototype, 'query')
    onTestFinished(() => query.mockRestore())
    const fetches = () =>
      query.mock.calls.filter(([text]) => JSON.stringify(text).includes(`j.name = 'idle'`)).length
    await work('idle', { concurrency: 64, run: async () => undefined })
    // Each slot looks once when it begins.
    await expect.poll(fetches).toBeGreaterThanOrEqual(64)
    const before = { fetches: fetches(), atMs: performance.now() }
    await setTimeout(4_000)
    const seconds = (performance.now() - before.atMs) / 1_000
    expect((fetches() - before.fetches) / seconds).toBeLessThan(2)
  })

  test('that has stopped leaves no timer behind, which would keep its process alive', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const worker = await work('stopped', { concurrency: 2, run: async () => undefined })
    await worker.stop()
    expect(vi.getTimerCount()).toBe(0)
  })

  describe('whose timer stands still, and whose slots sleep on', () => {
    // Only as long as nothing is polled for: `expect.poll` moves them on.
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'setTimeout'] }))
    afterEach(() => void vi.useRealTimers())

    test('begins a job because it is told of it', async () => {
      const begun = Promise.withResolvers<unknown>()
      const run = async ({ data }: RunningJob) => begun.resolve(data)
      const worker = await work('told', { concurrency: 1, run })
      await enqueue(worker, 'told', 1)
      expect(await begun.promise).toEqual({ n: 0 })
    })

    test('does many jobs of one notification, in all of its slots', async () => {
      let [running, done] = [0, 0]
      const [together, all] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const worker = await work('many', {
        concurrency: 3,
        async run() {
          running += 1
          if (running === 3) together.resolve()
          await together.promise
          done += 1
          if (done === 20) all.resolve()
        },
      })
      await enqueue(worker, 'many', 20)
      await all.promise
    })
  })

  test('that is told of nothing finds a job all the same, and one that failed once more, for the last time', async () => {
    const isLast: boolean[] = []
    const worker = await work('untold', {
      concurrency: 2,
      subscribe: () => () => {},
      async run({ isLastAttempt }) {
        isLast.push(isLastAttempt)
        if (isLast.length === 1) throw new Error('the first try')
      },
    })
    await enqueue(worker, 'untold', 1)
    await expect.poll(() => isLast.length).toBe(2)
    expect(isLast).toEqual([false, true])
  })
})

test('a queue that backs off waits longer before each try, another one doesn’t', async () => {
  const patient = { name: 'patient', retryLimit: 3, backsOff: true, expireInSeconds: 60 }
  const writer = await startJobQueue({
    databaseUrl: db.url,
    queues: [patient],
    works: false,
    subscribe: () => () => {},
    log,
  })
  await writer.stop()
  const { rows } = await db.pool.query(
    `select name, retry_backoff from pgboss.queue where name in ('patient', $1) order by name desc`,
    [queue.name],
  )
  expect(rows).toEqual([
    { name: queue.name, retry_backoff: false },
    { name: 'patient', retry_backoff: true },
  ])
})
