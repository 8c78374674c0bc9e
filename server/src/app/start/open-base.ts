import { randomBytes } from 'node:crypto'
import type { Config } from '../../config.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { createNotifications } from '../../platform/db/notifications.ts'
import { generationQueue } from '../../selfies/generation-job.ts'
import { attemptQueue } from '../../selfies/providers/attempt-job.ts'
import { startJobQueue } from '../../platform/jobs/job-queue.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { createMetrics } from '../../platform/metrics/metrics.ts'
import { receiptQueue } from '../../payments/payments.ts'
import { deriveKeys } from '../../platform/secrets/keys.ts'
import { readSecrets } from '../../platform/secrets/read-secrets.ts'
import { starQueue } from '../../stars/star-job.ts'
import { traceFetch } from '../../platform/tracing/trace-fetch.ts'
import { traceJobs } from '../../platform/tracing/trace-jobs.ts'
import { traceStatements } from '../../platform/tracing/trace-statements.ts'

/** What every feature is built on: the database, notifications, jobs, figures, keys and `fetch`. */
export async function openBase(config: Config, options: { databaseUrl: string; log: Logger }) {
  const { databaseUrl, log } = options
  const handle = openDatabase({
    url: databaseUrl,
    connectionsMax: config.databaseConnectionsMax,
    onError: (error) => log.warn({ err: error }, 'a database connection died'),
  })
  const isTraced = config.tracing !== undefined
  if (isTraced) traceStatements(handle.pool)
  const metrics = createMetrics()
  const notifications = await createNotifications({
    databaseUrl: config.databaseDirectUrl ?? databaseUrl,
    pool: handle.pool,
    log,
  })
  const jobs = await startJobQueue({
    databaseUrl,
    queues: [generationQueue, attemptQueue, receiptQueue, starQueue],
    log,
    works: config.role !== 'api',
    subscribe: notifications.subscribe,
    onJobEnd: ({ queue, outcome, ms }) => metrics.jobs.observe({ queue, outcome }, ms / 1_000),
  })
  const secrets = await readSecrets(config.secrets, {
    dataFolder: config.dataFolder,
    randomBytes,
    warn: (details, message) => log.warn(details, message),
  })
  return {
    handle,
    metrics,
    notifications,
    jobs: isTraced ? traceJobs(jobs) : jobs,
    keys: deriveKeys(secrets),
    fetch: isTraced ? traceFetch(fetch) : fetch,
  }
}
