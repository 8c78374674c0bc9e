import Fastify from 'fastify'
import { sql } from 'kysely'
import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import { z } from 'zod'
import { readLedgerTotals } from '../../ledger/credits/ledger-totals.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import type { PlatformParts } from '../../platform/parts.ts'
import { readCounters } from '../../platform/metrics/counters.ts'
import { totalsOf } from '../../platform/metrics/metrics.ts'
import type { Metrics } from '../../platform/metrics/metrics.ts'
import databaseFigures from './database-figures.json' with { type: 'json' }

export type MetricsServer = Awaited<ReturnType<typeof serveMetrics>>

/** `GET /metrics` for Prometheus on a private address; without the database its figures stay. */
export async function serveMetrics(
  options: Pick<PlatformParts, 'database' | 'log' | 'pool'> & {
    metrics: Metrics
    port: number
    host: string
  },
) {
  const { metrics, pool, database, log } = options
  const { registry } = metrics
  const connections = new Gauge({
    name: 'starside_database_pool_connections',
    help: 'Connections of this node by state; waiting counts the callers in line.',
    labelNames: ['state'],
    registers: [registry],
  })
  const refreshFigures = readDatabaseFigures(registry, database)

  async function read(): Promise<string> {
    connections.set({ state: 'idle' }, pool.idleCount)
    connections.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
    connections.set({ state: 'waiting' }, pool.waitingCount)
    await refreshFigures().catch((error: unknown) => {
      log.warn({ err: error }, 'the figures of the database could not be read')
    })
    return registry.metrics()
  }

  const app = Fastify({ exposeHeadRoutes: false })
  app.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await read()),
  )
  app.setErrorHandler((error, _request, reply) => {
    log.error({ err: error }, 'the metrics could not be written')
    return reply.status(500).send()
  })
  const address = await app.listen({ port: options.port, host: options.host })
  return {
    url: `${address}/metrics`,
    async close(): Promise<void> {
      app.server.closeAllConnections()
      await app.close()
    },
  }
}

/** A scraper that asks often costs the database no more than this. */
const cacheMs = 30_000
const statementTimeoutMs = 5_000

type Row = { labels: Record<string, string>; value: number }

/** Figures of the whole installation, the same from every node: join with `max`, never `sum`. */
const figureSchema = z.object({
  name: z.string(),
  help: z.string(),
  labelNames: z.array(z.string()),
  kind: z.enum(['gauge', 'total']),
  sql: z.string().optional(),
  counters: z.enum(['payments', 'orders', 'users']).optional(),
  reader: z.enum(['credits', 'holds']).optional(),
})
type Figure = z.output<typeof figureSchema>

const figures = z.array(figureSchema).parse(databaseFigures)
const readers = { credits: readCredits, holds: readHolds }

async function readRows(transaction: Transaction, figure: Figure): Promise<Row[]> {
  const { sql: statement, counters, reader, labelNames } = figure
  if (statement !== undefined) return rowsOf(transaction, statement)
  if (counters === undefined) return reader === undefined ? [] : readers[reader](transaction)
  return (await readCounters(transaction, counters)).map(({ provider, state, count }) => ({
    labels: Object.fromEntries(
      labelNames.map((name) => [name, name === 'provider' ? provider : state]),
    ),
    value: count,
  }))
}

async function readCredits(transaction: Transaction): Promise<Row[]> {
  return (await readLedgerTotals(transaction))
    .filter(({ entries }) => entries > 0)
    .map(({ reason, amount }) => ({ labels: { reason }, value: amount }))
}

/** The rows of a statement that has a column `value`; the others are labels. */
async function rowsOf(transaction: Transaction, statement: string): Promise<Row[]> {
  const { rows } = await sql.raw<Record<string, unknown>>(statement).execute(transaction)
  return rows.map(({ value, ...labels }) => ({
    labels: Object.fromEntries(Object.entries(labels).map(([name, of]) => [name, String(of)])),
    value: Number(value),
  }))
}

/** Open holds have an index of their own, each captured one its entry, the rest is tallied. */
async function readHolds(transaction: Transaction): Promise<Row[]> {
  const { rows: open } = await sql<{ count: string }>`
    select count(*) as count from credit_holds where state = 'held'
  `.execute(transaction)
  const usage = (await readLedgerTotals(transaction)).find(({ reason }) => reason === 'usage')
  const returned = await readCounters(transaction, 'credit_holds')
  return [
    { state: 'held', count: Number(open[0]?.count ?? 0) },
    { state: 'captured', count: usage?.entries ?? 0 },
    ...returned,
  ]
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => ({ labels: { state }, value: count }))
}

/**
 * Adds the installation's figures and answers how to refresh them. One that fails or is late keeps
 * its value and counts in `starside_figure_failures_total`.
 */
export function readDatabaseFigures(
  registry: Registry,
  database: Database,
  nowMs: () => number = () => performance.now(),
): () => Promise<void> {
  const writers = figures.map((figure) => ({ figure, set: openWriter(registry, figure) }))
  const failures = totalsOf(
    registry,
    'starside_figure_failures_total',
    'Figures that could not be read from the database.',
    ['figure'],
  )
  const failed = new Map<string, number>()
  let freshUntilMs = -Infinity
  let refreshing: Promise<void> | undefined

  async function refresh(): Promise<void> {
    // One connection for all: where there is none, that is reported once and not waited for each
    // time.
    await database.connection().execute(async (connection) => {
      for (const { figure, set } of writers) {
        const rows = await readFigure(connection, figure).catch(() => undefined)
        if (rows === undefined) failed.set(figure.name, (failed.get(figure.name) ?? 0) + 1)
        else set(rows)
      }
    })
    failures.set([...failed].map(([figure, value]) => ({ labels: { figure }, value })))
    freshUntilMs = nowMs() + cacheMs
  }

  return async () => {
    if (nowMs() < freshUntilMs) return
    refreshing ??= refresh().finally(() => {
      refreshing = undefined
    })
    await refreshing
  }
}

/** Reads a figure at one moment, within the time that a figure may take. */
function readFigure(database: Database, figure: Figure): Promise<Row[]> {
  return database
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (transaction) => {
      await sql`set local statement_timeout = ${sql.lit(statementTimeoutMs)}`.execute(transaction)
      return readRows(transaction, figure)
    })
}

function openWriter(registry: Registry, figure: Figure): (rows: Row[]) => void {
  const { name, help, labelNames, kind } = figure
  if (kind === 'total') return totalsOf(registry, name, help, labelNames).set
  const gauge = new Gauge({ name, help, labelNames, registers: [registry] })
  return (rows) => {
    gauge.reset()
    for (const { labels, value } of rows) gauge.set(labels, value)
  }
}
