import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { createApp } from './app/app.ts'
import { deleteExpiredLimits, deleteExpiredSecrets } from './accounts/auth/jobs.ts'
import type { Context } from './app/context.ts'
import { readProcessConfig } from './config.ts'
import type { Config } from './config.ts'
import { createContext } from './app/context.ts'
import { expireHolds } from './ledger/credits/close-hold.ts'
import { closeLedger } from './ledger/credits/ledger-totals.ts'
import { migrate } from './platform/db/migrate.ts'
import { startDatabase } from './platform/db/start-database.ts'
import { compactDailyFigures } from './shop/figures/figure-report.ts'
import { workOnEvents } from './events/jobs.ts'
import { workOnGenerations } from './selfies/jobs.ts'
import { listen } from './platform/http/listen.ts'
import { takeBatches } from './platform/jobs/take-batches.ts'
import { loggerOptions } from './platform/logging/logger.ts'
import { deleteOldRequestNotes } from './operator/note-requests.ts'
import { workOnOrders } from './payments/jobs.ts'
import { describeMissingMail } from './platform/mail/mailer.ts'
import { serveMetrics } from './shop/figures/serve-metrics.ts'
import { compactCounters } from './platform/metrics/counters.ts'
import { warnAboutPayments } from './payments/payments.ts'
import { workOnStars } from './stars/jobs.ts'
import { removeEndedStars } from './trust/reports/remove-picture.ts'
import { watchReports } from './trust/reports/watch-reports.ts'
import { explainFailure } from './operator/commands/operator-command.ts'
import { systemVersion } from './platform/settings/system-version.ts'
import { createWorkerApp } from './app/service/public-routes.ts'

/** Starts the program: database, API, worker, as the role says; stops it at the first signal. */
async function main(): Promise<void> {
  const config = readProcessConfig()
  const log = pino(loggerOptions(config.logLevel))
  const tracing = await openTracing(config)
  const database = await startDatabase(config, print)
  try {
    await migrate(config.databaseDirectUrl ?? database.url)
    const stopping = new AbortController()
    const context = await createContext(config, {
      databaseUrl: database.url,
      log,
      overrides: { stopping: stopping.signal },
    })
    try {
      await serve(config, context, { lost: database.lost, stopping })
    } finally {
      await context.close()
    }
  } finally {
    await database.stop()
    await tracing?.close()
  }
}

/** Serves and works until the first signal, or until the database is gone, which ends with status 1. */
async function serve(
  config: Config,
  context: Context,
  { lost, stopping }: { lost: Promise<Error>; stopping: AbortController },
): Promise<void> {
  const missingMail = describeMissingMail(context.mailer)
  if (missingMail !== undefined) context.log.warn({}, missingMail)
  const metrics =
    config.metrics === undefined ? undefined : await serveMetrics({ ...context, ...config.metrics })
  const app = await startRoles(config, context)
  const loss = await Promise.race([untilSignal(), lost])
  if (loss !== undefined) context.log.error({ err: loss }, 'the database is gone')
  stopping.abort()
  // Until every proxy has seen that this node isn't ready, requests still come and are answered.
  if (loss === undefined && config.role !== 'worker') await delay(config.stopDelayMs)
  await app.close()
  await metrics?.close()
  if (loss !== undefined) process.exitCode = 1
}

/** The tracer is loaded only where it is used: its packages cost every start some memory. */
async function openTracing({ tracing, role }: Config) {
  if (tracing === undefined) return undefined
  const { startTracing } = await import('./platform/tracing/start-tracing.ts')
  return startTracing(tracing, { version: systemVersion, role })
}

async function startRoles(config: Config, context: Context): Promise<FastifyInstance> {
  if (config.role !== 'api') await startWorker(context)
  if (config.role === 'worker') {
    const app = await createWorkerApp(context)
    await listen(app, { port: config.port, host: config.listenAddress })
    print('Starside works.')
    return app
  }
  const app = await createApp(context)
  void warnAboutPayments(context.payments.active, config, {
    pricesCents: context.site.values().packages.map(({ priceCents }) => priceCents),
    log: context.log,
  })
  await listen(app, { port: config.port, host: config.listenAddress })
  print(`Starside is ready: ${config.publicUrl}`)
  return app
}

async function startWorker(context: Context): Promise<void> {
  const { database, clock, jobs } = context
  await workOnGenerations(context)
  await workOnOrders(context)
  await workOnStars(context)
  await workOnEvents(context)
  await jobs.schedule('expire-holds', '* * * * *', (signal) =>
    takeBatches(signal, 1_000, (limit) => expireHolds(database, { now: clock(), limit })),
  )
  await jobs.schedule('delete-expired-secrets', '17 * * * *', () =>
    deleteExpiredSecrets(database, clock()),
  )
  await jobs.schedule('watch-reports', '*/5 * * * *', () => watchReports(context))
  await jobs.schedule('remove-ended-stars', '37 * * * *', (signal) =>
    removeEndedStars(context, signal),
  )
  await jobs.schedule('delete-expired-limits', '*/5 * * * *', () =>
    deleteExpiredLimits(database, clock()),
  )
  await jobs.schedule('delete-request-notes', '23 3 * * *', () =>
    deleteOldRequestNotes(database, clock()),
  )
  await jobs.schedule('keep-figures', '* * * * *', async (signal) => {
    await closeLedger(database, signal)
    await compactCounters(database)
    await compactDailyFigures(database)
  })
}

/** A sentence for the person at the terminal. */
function print(sentence: string): void {
  process.stdout.write(`${sentence}\n`)
}

function untilSignal(): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  // Ctrl-C arrives twice, from the terminal and from npm: the second must not end us half-way.
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => resolve(undefined))
  return promise
}

try {
  await main()
} catch (error) {
  // What an operator can put right is reported in a sentence; everything else is a bug with its
  // stack.
  const stack = error instanceof Error ? error.stack : String(error)
  process.stderr.write(`${explainFailure(error) ?? stack}\n`)
  // A part that was half built may still hold the program open.
  process.exit(1)
}
