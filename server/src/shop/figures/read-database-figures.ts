import { sql } from 'kysely'
import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import { readLedgerTotals } from '../../ledger/credits/ledger-totals.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { totalsOf } from '../../platform/metrics/metrics.ts'
import { readCounters } from '../../platform/metrics/counters.ts'

/** A scraper that asks often costs the database no more than this. */
const cacheMs = 30_000
const statementTimeoutMs = 5_000

interface Row {
  labels: Record<string, string>
  value: number
}

interface Figure {
  name: string
  help: string
  labelNames: string[]
  kind: 'gauge' | 'total'
  read(transaction: Transaction): Promise<Row[]>
}

/**
 * What the whole installation has in common, whichever node is asked: join the nodes' series with
 * `max`, never with `sum`.
 */
const figures: Figure[] = [
  {
    name: 'starside_queue_jobs',
    help: 'Jobs in a queue by state.',
    labelNames: ['queue', 'state'],
    kind: 'gauge',
    read: rowsOf(`select name as queue, state::text as state, count(*) as value from pgboss.job
      where state in ('created', 'retry', 'active') group by 1, 2`),
  },
  {
    name: 'starside_queue_oldest_age_seconds',
    help: 'How long the oldest waiting job of a queue has been due.',
    labelNames: ['queue'],
    kind: 'gauge',
    read: rowsOf(`select name as queue, greatest(0, extract(epoch from now() - min(start_after))) as value
      from pgboss.job where state in ('created', 'retry') and start_after <= now() group by 1`),
  },
  {
    name: 'starside_generations_running',
    help: 'Selfies taken on and not finished.',
    labelNames: [],
    kind: 'gauge',
    read: rowsOf(`select count(*) as value from generations where state = 'running'`),
  },
  {
    name: 'starside_credits_total',
    help: 'Credits moved by the ledger since its beginning, by reason.',
    labelNames: ['reason'],
    kind: 'total',
    read: async (transaction) =>
      (await readLedgerTotals(transaction))
        .filter(({ entries }) => entries > 0)
        .map(({ reason, amount }) => ({ labels: { reason }, value: amount })),
  },
  {
    name: 'starside_holds_total',
    help: 'Credits set aside, by what became of them; released and expired ones are refunds.',
    labelNames: ['state'],
    kind: 'gauge',
    read: readHolds,
  },
  {
    name: 'starside_payments',
    help: 'Payments by provider and state.',
    labelNames: ['provider', 'state'],
    kind: 'gauge',
    read: async (transaction) =>
      (await readCounters(transaction, 'payments')).map(({ provider, state, count }) => ({
        labels: { provider, state },
        value: count,
      })),
  },
  {
    name: 'starside_orders',
    help: 'Orders by provider and status.',
    labelNames: ['provider', 'status'],
    kind: 'gauge',
    read: async (transaction) =>
      (await readCounters(transaction, 'orders')).map(({ provider, state, count }) => ({
        labels: { provider, status: state },
        value: count,
      })),
  },
  {
    name: 'starside_order_flags_open',
    help: 'What waits for an operator, by kind.',
    labelNames: ['kind'],
    kind: 'gauge',
    read: rowsOf(
      `select kind, count(*) as value from order_flags where resolved_at is null group by 1`,
    ),
  },
  {
    name: 'starside_users',
    help: 'Accounts by status.',
    labelNames: ['status'],
    kind: 'gauge',
    read: async (transaction) =>
      (await readCounters(transaction, 'users')).map(({ state, count }) => ({
        labels: { status: state },
        value: count,
      })),
  },
]

/** The rows of a statement that has a column `value`; the others are labels. */
function rowsOf(query: string): Figure['read'] {
  return async (transaction) => {
    const { rows } = await sql.raw<Record<string, unknown>>(query).execute(transaction)
    return rows.map(({ value, ...labels }) => ({
      labels: Object.fromEntries(Object.entries(labels).map(([name, of]) => [name, String(of)])),
      value: Number(value),
    }))
  }
}

/**
 * Open holds lie in an index of their own, each captured one has its entry, the rest is tallied.
 */
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
 * Adds the installation's figures to the registry and answers how to refresh them. A figure that
 * can't be read or takes too long keeps its last value and counts in
 * `starside_figure_failures_total`.
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
      return figure.read(transaction)
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
