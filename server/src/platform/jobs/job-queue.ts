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

export type JobQueue = Awaited<ReturnType<typeof startJobQueue>>

const deadLetterSuffix = '-dead'

/** How soon a job is found of which nobody was told: a retry, or a notification that got lost. */
const pollIntervalMs = 2_000
/** How soon scheduled work begins after its minute, and a job's death is seen. */
const unhurriedPollSeconds = 10
/** A slot is woken; this only bounds how long it sleeps. */
const slotSleepSeconds = 30

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
  log: Record<'info' | 'warn' | 'error', (details: object, message: string) => void>
  /** Told what became of each run of a job. */
  onJobEnd?: (end: { queue: string; outcome: 'done' | 'failed'; ms: number }) => void
  /** False where jobs are only written: looking after queues and schedules is the workers'. */
  works: boolean
  subscribe: Notifications['subscribe']
}) {
  const { log } = options
  const boss = new PgBoss({
    supervise: options.works,
    schedule: options.works,
    connectionString: options.databaseUrl,
    max: 8,
    monitorIntervalSeconds: 1,
    superviseIntervalSeconds: 1,
    application_name: 'starside-jobs',
  })
  boss.on('error', (error) => log.error({ err: error }, 'job queue failed'))
  await boss.start()
  for (const queue of options.queues) await createQueue(boss, queue)
  const stopWaking: (() => void)[] = []

  /** Runs a job and tells its end, so that a failure that is tried again isn't silent. */
  async function observe(
    job: { id: string; name: string; data: unknown },
    run: () => Promise<void>,
  ): Promise<void> {
    const startedAt = performance.now()
    const { id: jobId, name: queue, data: about } = job
    const end = (outcome: 'done' | 'failed') => {
      const ms = Math.round(performance.now() - startedAt)
      options.onJobEnd?.({ queue, outcome, ms })
      return { jobId, queue, about, ms }
    }
    try {
      await run()
    } catch (error) {
      log.warn({ ...end('failed'), err: error }, 'job failed')
      throw error
    }
    log.info(end('done'), 'job done')
  }

  return {
    /** Writes the job in the caller's transaction; its commit notifies the workers on all nodes. */
    async enqueue(
      transaction: Transaction,
      name: string,
      data: object,
      { priority }: { priority?: number } = {},
    ): Promise<void> {
      const id = await boss.send(name, data, {
        db: fromKysely(transaction),
        ...(priority === undefined ? {} : { priority }),
      })
      if (id === null) throw new Error(`the queue ${name} refused a job`)
      await publishAtCommit(transaction, topicOf(name))
    },

    /**
     * Takes work from now on, at once when a node has written a job. Each slot is a worker of pg-boss, which
     * would poll by itself. Here all of them sleep, and one at a time is woken: by a notification, by the
     * timer, and by whoever has found a job, as there may be more. pg-boss's own LISTEN isn't used: it would go
     * through a pooler, which ours need not.
     */
    async work({ name, concurrency, run, onDead }: JobDefinition): Promise<void> {
      const idle = new Set<string>()
      const wakeOne = () => {
        const [id] = idle
        if (id !== undefined) boss.notifyWorker(id)
      }
      const runJob = (job: JobWithMetadata<unknown>) => {
        const { id, data, signal, retryCount, retryLimit } = job
        return observe(job, () =>
          run({ id, data, signal, isLastAttempt: retryCount >= retryLimit }),
        )
      }
      for (let slot = 0; slot < concurrency; slot += 1) {
        const id: string = await boss.work(
          name,
          { includeMetadata: true, pollingIntervalSeconds: slotSleepSeconds, batchSize: 1 },
          async (jobs) => {
            idle.delete(id)
            wakeOne()
            try {
              for (const job of jobs) await runJob(job)
            } finally {
              idle.add(id)
              boss.notifyWorker(id)
            }
          },
        )
        idle.add(id)
      }
      const timer = setInterval(wakeOne, pollIntervalMs)
      const unsubscribe = options.subscribe(topicOf(name), wakeOne)
      stopWaking.push(() => clearInterval(timer), unsubscribe)
      if (onDead === undefined) return
      await boss.work(
        name + deadLetterSuffix,
        { pollingIntervalSeconds: unhurriedPollSeconds },
        async (jobs) => {
          for (const job of jobs) await onDead(job.data)
        },
      )
    },

    /** Runs `run` on one node at each match of the cron expression (UTC). */
    async schedule(
      name: string,
      cron: string,
      run: (signal: AbortSignal) => Promise<void>,
    ): Promise<void> {
      await boss.createQueue(name, { retryLimit: 0, expireInSeconds: 300 })
      await boss.schedule(name, cron)
      await boss.work(name, { pollingIntervalSeconds: unhurriedPollSeconds }, async (jobs) => {
        for (const job of jobs) await observe(job, () => run(job.signal))
      })
    },

    async depth(name: string): Promise<{ waiting: number; running: number }> {
      const [stats] = await boss.getQueueStats(name, { force: true })
      return { waiting: stats?.queuedCount ?? 0, running: stats?.activeCount ?? 0 }
    },

    /** Takes no more work; what still runs after `timeoutMs` goes back to the queue. */
    async stop(timeoutMs = 25_000): Promise<void> {
      for (const stop of stopWaking) stop()
      await boss.stop({ graceful: true, timeout: timeoutMs })
    },
  }
}

async function createQueue(boss: PgBoss, queue: QueueSettings): Promise<void> {
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
