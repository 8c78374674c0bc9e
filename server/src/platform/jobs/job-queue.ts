import { PgBoss, fromKysely } from 'pg-boss'
import type { JobWithMetadata } from 'pg-boss'
import type { Transaction } from '../db/database.ts'
import { publishAtCommit } from '../db/notifications.ts'
import type { Notifications } from '../db/notifications.ts'

/** What a handler gets. `isLastAttempt` says that a failure now is final. */
export interface RunningJob {
  id: string
  data: unknown
  isLastAttempt: boolean
  /** Aborts when the job overran its time or the worker is stopping. */
  signal: AbortSignal
}

export interface QueueSettings {
  name: string
  /** Tries after the first one. */
  retryLimit: number
  /** Each try comes twice as late as the one before, from a second on, instead of after a second. */
  backsOff?: boolean
  /** A job that runs longer than this is given to somebody else. */
  expireInSeconds: number
}

export interface JobDefinition extends QueueSettings {
  concurrency: number
  run(job: RunningJob): Promise<void>
  /** Called once when the last attempt ended without an answer, as when its worker was killed. */
  onDead?: (data: unknown) => Promise<void>
}

export interface JobQueue {
  /**
   * Writes the job in the caller's transaction: it exists exactly when that commits, and then the
   * workers of the queue on all nodes are notified.
   */
  enqueue(
    transaction: Transaction,
    name: string,
    data: object,
    options?: { priority?: number },
  ): Promise<void>
  /** Takes work from now on, at once when a node has written a job. */
  work(definition: JobDefinition): Promise<void>
  /** Runs `run` on one node at each match of the cron expression (UTC). */
  schedule(name: string, cron: string, run: (signal: AbortSignal) => Promise<void>): Promise<void>
  depth(name: string): Promise<{ waiting: number; running: number }>
  /** Takes no more work; what still runs after `timeoutMs` goes back to the queue. */
  stop(timeoutMs?: number): Promise<void>
}

/** What became of one run of a job. */
export interface JobEnd {
  queue: string
  outcome: 'done' | 'failed'
  ms: number
}

type WriteLog = (details: object, message: string) => void

/** Where the queue logs its jobs; a program that only enqueues needs the last one alone. */
interface QueueLog {
  info?: WriteLog
  warn?: WriteLog
  error: WriteLog
}

const deadLetterSuffix = '-dead'

/** How soon a job is found of which nobody was told: a retry, or a notification that got lost. */
const pollIntervalMs = 2_000
/** How soon scheduled work begins after its minute, and a job's death is seen. */
const unhurriedPollSeconds = 10
/** A slot is woken; this only bounds how long it sleeps. */
const slotSleepSeconds = 30

type Subscribe = Notifications['subscribe']

/** What is published when a job of the queue was written. */
const topicOf = (queue: string) => `queue:${queue}`

/**
 * The queue on the same PostgreSQL: pg-boss 12 with heartbeats, so that the job of a killed worker
 * comes back within about ten seconds. Queues are created here at the start, because the first
 * look-up of an unseen queue inside a transaction would go over another connection.
 */
export async function startJobQueue(options: {
  databaseUrl: string
  queues: QueueSettings[]
  log: QueueLog
  onJobEnd?: (end: JobEnd) => void
  /** False where jobs are only written: looking after queues and schedules is the workers'. */
  works: boolean
  subscribe: Subscribe
}): Promise<JobQueue> {
  const boss = new PgBoss({
    supervise: options.works,
    schedule: options.works,
    connectionString: options.databaseUrl,
    max: 8,
    monitorIntervalSeconds: 1,
    superviseIntervalSeconds: 1,
    application_name: 'starside-jobs',
  })
  boss.on('error', (error) => options.log.error({ err: error }, 'job queue failed'))
  await boss.start()
  for (const queue of options.queues) await createQueue(boss, queue)
  return new BossJobQueue(boss, options)
}

async function createQueue(boss: PgBoss, queue: QueueSettings) {
  const deadLetter = queue.name + deadLetterSuffix
  await boss.createQueue(deadLetter, { retryLimit: 10, retryDelay: 2 })
  const settings = {
    retryLimit: queue.retryLimit,
    retryDelay: 1,
    retryBackoff: queue.backsOff ?? false,
    expireInSeconds: queue.expireInSeconds,
    heartbeatSeconds: 10,
    deadLetter,
  }
  await boss.createQueue(queue.name, settings)
  await boss.updateQueue(queue.name, settings)
}

class BossJobQueue implements JobQueue {
  readonly #boss: PgBoss
  readonly #log: QueueLog
  readonly #onJobEnd: ((end: JobEnd) => void) | undefined
  readonly #subscribe: Subscribe
  readonly #stopWaking: (() => void)[] = []

  constructor(
    boss: PgBoss,
    options: { log: QueueLog; subscribe: Subscribe; onJobEnd?: (end: JobEnd) => void },
  ) {
    this.#boss = boss
    this.#subscribe = options.subscribe
    this.#log = options.log
    this.#onJobEnd = options.onJobEnd
  }

  /** Runs a job and tells its end, so that a failure that is tried again isn't silent. */
  async #observe(job: { id: string; name: string; data: unknown }, run: () => Promise<void>) {
    const startedAt = performance.now()
    const { id: jobId, name: queue, data: about } = job
    const end = (outcome: JobEnd['outcome']) => {
      const ms = Math.round(performance.now() - startedAt)
      this.#onJobEnd?.({ queue, outcome, ms })
      return { jobId, queue, about, ms }
    }
    try {
      await run()
    } catch (error) {
      this.#log.warn?.({ ...end('failed'), err: error }, 'job failed')
      throw error
    }
    this.#log.info?.(end('done'), 'job done')
  }

  #run(definition: JobDefinition, job: JobWithMetadata<unknown>) {
    return this.#observe(job, () =>
      definition.run({
        id: job.id,
        data: job.data,
        isLastAttempt: job.retryCount >= job.retryLimit,
        signal: job.signal,
      }),
    )
  }

  async enqueue(
    transaction: Transaction,
    name: string,
    data: object,
    options: { priority?: number } = {},
  ) {
    const id = await this.#boss.send(name, data, {
      db: fromKysely(transaction),
      ...(options.priority === undefined ? {} : { priority: options.priority }),
    })
    if (id === null) throw new Error(`the queue ${name} refused a job`)
    await publishAtCommit(transaction, topicOf(name))
  }

  /**
   * Each slot is a worker of pg-boss, which would poll by itself. Here all of them sleep, and one at a
   * time is woken: by a notification, by the timer, and by whoever has found a job, as there may be more.
   * pg-boss's own LISTEN isn't used: it would go through a pooler, which ours need not.
   */
  async work(definition: JobDefinition) {
    const { name, onDead } = definition
    const idle = new Set<string>()
    const wakeOne = () => {
      const [id] = idle
      if (id !== undefined) this.#boss.notifyWorker(id)
    }
    for (let slot = 0; slot < definition.concurrency; slot += 1) {
      const id: string = await this.#boss.work(
        name,
        { includeMetadata: true, pollingIntervalSeconds: slotSleepSeconds, batchSize: 1 },
        async (jobs) => {
          idle.delete(id)
          wakeOne()
          try {
            for (const job of jobs) await this.#run(definition, job)
          } finally {
            idle.add(id)
            this.#boss.notifyWorker(id)
          }
        },
      )
      idle.add(id)
    }
    const timer = setInterval(wakeOne, pollIntervalMs)
    const unsubscribe = this.#subscribe(topicOf(name), wakeOne)
    this.#stopWaking.push(() => clearInterval(timer), unsubscribe)
    if (onDead !== undefined) {
      await this.#boss.work(
        name + deadLetterSuffix,
        { pollingIntervalSeconds: unhurriedPollSeconds },
        async (jobs) => {
          for (const job of jobs) await onDead(job.data)
        },
      )
    }
  }

  async schedule(name: string, cron: string, run: (signal: AbortSignal) => Promise<void>) {
    await this.#boss.createQueue(name, { retryLimit: 0, expireInSeconds: 300 })
    await this.#boss.schedule(name, cron)
    await this.#boss.work(name, { pollingIntervalSeconds: unhurriedPollSeconds }, async (jobs) => {
      for (const job of jobs) await this.#observe(job, () => run(job.signal))
    })
  }

  async depth(name: string) {
    const [stats] = await this.#boss.getQueueStats(name, { force: true })
    return { waiting: stats?.queuedCount ?? 0, running: stats?.activeCount ?? 0 }
  }

  async stop(timeoutMs = 25_000) {
    for (const stopWaking of this.#stopWaking) stopWaking()
    await this.#boss.stop({ graceful: true, timeout: timeoutMs })
  }
}
