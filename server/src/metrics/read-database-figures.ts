import type pg from 'pg'
import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import { totalsOf } from './metrics.ts'

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
  /** Answers the columns `value` and one for each label. */
  query: string
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
    query: `select name as queue, state::text as state, count(*) as value from pgboss.job
      where state in ('created', 'retry', 'active') group by 1, 2`,
  },
  {
    name: 'starside_queue_oldest_age_seconds',
    help: 'How long the oldest waiting job of a queue has been due.',
    labelNames: ['queue'],
    kind: 'gauge',
    query: `select name as queue, greatest(0, extract(epoch from now() - min(start_after))) as value
      from pgboss.job where state in ('created', 'retry') and start_after <= now() group by 1`,
  },
  {
    name: 'starside_generations_running',
    help: 'Selfies taken on and not finished.',
    labelNames: [],
    kind: 'gauge',
    query: `select count(*) as value from generations where state = 'running'`,
  },
  {
    name: 'starside_credits_total',
    help: 'Credits moved by the ledger since its beginning, by reason.',
    labelNames: ['reason'],
    kind: 'total',
    query: `select reason, sum(amount) as value from ledger_entries group by 1`,
  },
  {
    name: 'starside_holds_total',
    help: 'Credits set aside, by what became of them; released and expired ones are refunds.',
    labelNames: ['state'],
    kind: 'gauge',
    query: `select state, count(*) as value from credit_holds group by 1`,
  },
  {
    name: 'starside_payments',
    help: 'Payments by provider and state.',
    labelNames: ['provider', 'state'],
    kind: 'gauge',
    query: `select provider, state, count(*) as value from payments group by 1, 2`,
  },
  {
    name: 'starside_orders',
    help: 'Orders by provider and status.',
    labelNames: ['provider', 'status'],
    kind: 'gauge',
    query: `select provider, status, count(*) as value from orders group by 1, 2`,
  },
  {
    name: 'starside_order_flags_open',
    help: 'What waits for an operator, by kind.',
    labelNames: ['kind'],
    kind: 'gauge',
    query: `select kind, count(*) as value from order_flags where resolved_at is null group by 1`,
  },
  {
    name: 'starside_users',
    help: 'Accounts by status.',
    labelNames: ['status'],
    kind: 'gauge',
    query: `select status, count(*) as value from users group by 1`,
  },
]

/**
 * Adds the installation's figures to the registry and answers how to refresh them. A figure whose
 * query fails or takes too long keeps its last value and counts in `starside_figure_failures_total`.
 */
export function readDatabaseFigures(
  registry: Registry,
  pool: pg.Pool,
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
    const client = await pool.connect()
    try {
      await client.query(`set statement_timeout = ${statementTimeoutMs}`)
      for (const { figure, set } of writers) {
        const rows = await readRows(client, figure).catch(() => undefined)
        if (rows === undefined) failed.set(figure.name, (failed.get(figure.name) ?? 0) + 1)
        else set(rows)
      }
      await client.query('reset statement_timeout')
    } finally {
      client.release()
    }
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

function openWriter(registry: Registry, figure: Figure): (rows: Row[]) => void {
  const { name, help, labelNames, kind } = figure
  if (kind === 'total') return totalsOf(registry, name, help, labelNames).set
  const gauge = new Gauge({ name, help, labelNames, registers: [registry] })
  return (rows) => {
    gauge.reset()
    for (const { labels, value } of rows) gauge.set(labels, value)
  }
}

async function readRows(client: pg.PoolClient, figure: Figure): Promise<Row[]> {
  const { rows } = await client.query<Record<string, unknown>>(figure.query)
  return rows.map((row) => ({
    labels: Object.fromEntries(figure.labelNames.map((name) => [name, String(row[name])])),
    value: Number(row['value']),
  }))
}
