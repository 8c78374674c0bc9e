import { randomBytes } from 'node:crypto'
import type { LimitedCall } from '@starside/contract/routes/limited-calls.ts'
import type { Engine } from '@starside/engine/engine-calls.ts'
import { createEngineHost } from '@starside/engine/engine-host.ts'
import { createAnonymousLimits } from '../../accounts/auth/anonymous-limits.ts'
import { createGuessLimits } from '../../accounts/auth/guess-limits.ts'
import { createProofsOfWork } from '../../accounts/auth/proof-of-work.ts'
import type { Config } from '../../config.ts'
import type { Clock } from '../../platform/clock.ts'
import { likenessCheck, saveCheck } from '../../operator/doctor/check.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { createNotifications } from '../../platform/db/notifications.ts'
import { createRateLimits } from '../../platform/http/rate-limits.ts'
import { createMailer } from '../../platform/mail/mailer.ts'
import type { Mailer } from '../../platform/mail/mailer.ts'
import { observeEngine } from '../../platform/metrics/observe-engine.ts'
import { createKeyedDigest } from '../../platform/secrets/keyed-digest.ts'
import { mailSender } from '../../platform/site/present-brand.ts'
import type { Site } from '../../platform/site/site.ts'
import { generationQueue } from '../../selfies/providers/begin-step.ts'
import type { FaceComparison } from '../../selfies/likeness/face-comparison.ts'
import { comparesFaces, tryComparison } from '../../selfies/likeness/face-comparison.ts'
import { attemptQueue } from '../../selfies/providers/attempts.ts'
import { startJobQueue } from '../../platform/jobs/job-queue.ts'
import type { Logger } from '../../platform/logging/logger.ts'
import { createMetrics } from '../../platform/metrics/metrics.ts'
import { receiptQueue } from '../../payments/payments.ts'
import { deriveKeys } from '../../platform/secrets/keys.ts'
import { readSecrets } from '../../platform/secrets/read-secrets.ts'
import { starQueue } from '../../stars/star-objects.ts'
import { traceFetch, traceJobs } from '../../platform/tracing/trace-jobs.ts'
import { traceStatements } from '../../platform/tracing/trace-statements.ts'
import {
  createStampClient,
  readProvenanceSettings,
} from '../../trust/provenance/provenance-settings.ts'

type Base = Awaited<ReturnType<typeof openBase>>

/** What every feature is built on: the database, notifications, jobs, figures, keys and `fetch`. */
export async function openBase(
  config: Config,
  { databaseUrl, log, clock }: { databaseUrl: string; log: Logger; clock: Clock },
) {
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
    config,
    log,
    clock,
    randomBytes,
    database: handle.database,
    pool: handle.pool,
    closeDatabase: () => handle.close(),
    metrics,
    notifications,
    jobs: isTraced ? traceJobs(jobs) : jobs,
    keys: deriveKeys(secrets),
    fetch: isTraced ? traceFetch(fetch) : fetch,
  }
}

export function openMailer({ config, log }: Base, site: Site): Mailer {
  return createMailer({
    smtpUrl: config.smtpUrl,
    from: () => mailSender(site.values(), config.siteFallbacks),
    // In production the console is a log, which may hold neither an address nor a link.
    writeToConsole:
      config.environment === 'production' ? undefined : (text) => process.stdout.write(text),
    log,
  })
}

/** Everything that counts calls and guesses, and what opens some of it. */
export function openLimits({ config, pool, keys, clock }: Base) {
  const digest = createKeyedDigest(keys.limits)
  const now = () => clock().getTime()
  const proofs = createProofsOfWork(pool, { key: keys.proofOfWork, now, randomBytes })
  return {
    limits: createRateLimits<LimitedCall>(pool, config.limits, digest),
    guessLimits: createGuessLimits(pool, { failuresMax: config.signInFailuresMax, digest }),
    anonymousLimits: createAnonymousLimits(pool, {
      registrationsPerDay: config.registrationsPerAddressPerDay,
      digest,
      proofs,
    }),
    proofs,
  }
}

/**
 * The comparison of faces, where hosted models make pictures and LIKENESS_CHECK isn't off. Where its
 * packages are missing pictures are made without it, and log and operator's page say so.
 */
export async function openLikeness({
  config,
  database,
  clock,
  log,
}: Base): Promise<FaceComparison | undefined> {
  if (!comparesFaces(config)) return undefined
  const { comparison, fault } = await tryComparison()
  if (fault !== undefined) log.warn(`Hosted pictures are not compared with the photos: ${fault}`)
  await saveCheck(database, {
    name: likenessCheck,
    checked_at: clock(),
    is_good: fault === undefined,
    finding: fault ?? 'Hosted pictures are compared with the photos.',
  })
  return comparison
}

/** The engine in its own process, counted and traced; `brought` takes its place in tests. */
export async function openEngine(
  { config, keys, metrics, log, fetch: tracedFetch }: Base,
  brought: Engine | undefined,
): Promise<Engine> {
  const { timeStampUrl } = config.safety
  const engine =
    brought ??
    createEngineHost({
      generationsMax: config.generationsAtOnce,
      niceness: config.engineNiceness,
      provenance: await readProvenanceSettings(config, keys.invisibleMark),
      askStamp:
        timeStampUrl === undefined
          ? undefined
          : createStampClient(timeStampUrl, { fetch: tracedFetch, now: Date.now, log }),
      onCrash: (error) => log.warn({ err: error }, 'the engine was lost and starts anew'),
    })
  const isObserved = brought === undefined || config.tracing !== undefined
  return isObserved ? observeEngine(engine, metrics) : engine
}
