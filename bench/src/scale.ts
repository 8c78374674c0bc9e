import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { placeHold } from '@starside/server/credits/hold.ts'
import { readCreditHistory } from '@starside/server/credits/queries.ts'
import { openDatabase } from '@starside/server/db/database.ts'
import { startEmbeddedPostgres } from '@starside/server/db/embedded-postgres.ts'
import { migrate } from '@starside/server/db/migrate.ts'
import pg from 'pg'
import { median, quantile } from './page/figures.ts'
import { table } from './page/write-section.ts'
import type { Section } from './page/write-section.ts'
import { fillCopies, timePartitions } from './scale/partitions.ts'
import { startReplica } from './scale/replica.ts'
import { makePeople } from './server/bench-environment.ts'
import type { SignedIn } from './server/bench-environment.ts'
import { fillTables } from './server/fill-tables.ts'

const owners = 5_000
const seconds = 15

/**
 * `npm run bench -- scale [--rows N]`: tries what docs/scale.md says of a read replica and of partitions,
 * on PostgreSQL servers of its own.
 */
export async function run(args: string[]): Promise<Section> {
  const { values } = parseArgs({ args, options: { rows: { type: 'string', default: '5000000' } } })
  const rows = Number(values.rows)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'starside-scale-'))
  await chmod(folder, 0o755)
  const primary = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined })
  const pool = openPool(primary.url, 2)
  try {
    await migrate(primary.url)
    const people = await makePeople(pool, { count: owners, credits: 10_000 })
    await fillTables(pool, { to: Math.min(rows, 500_000), people, callers: 16 })
    const replica = await startReplica(primary, path.join(folder, 'replica'))
    let lines: string[]
    try {
      lines = await tryReplica(primary.url, replica.url, people)
    } finally {
      await replica.stop()
    }
    await fillCopies(pool, rows, owners)
    lines.push('', ...(await tryPartitions(pool, rows)))
    return { title: 'Scale', command: ['npm run bench -- scale', ...args].join(' '), lines }
  } finally {
    await pool.end()
    await primary.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Holds on the primary, while histories and figures are read there or at the replica. */
async function tryReplica(
  primaryUrl: string,
  replicaUrl: string,
  people: readonly SignedIn[],
): Promise<string[]> {
  const readsAt = { primary: primaryUrl, replica: replicaUrl }
  const rows: string[][] = []
  let lag: number[] = []
  for (const [place, url] of Object.entries(readsAt)) {
    const end = AbortSignal.timeout(seconds * 1_000)
    const [holds, reads, lags] = await Promise.all([
      holdCredits(primaryUrl, people, end),
      readHistories(url, people, end),
      place === 'replica' ? measureLag(primaryUrl, replicaUrl, end) : [],
    ])
    lag = lags
    rows.push([
      `at the ${place}`,
      `${(holds.length / seconds).toFixed(0)}/s`,
      `${quantile(holds, 0.99).toFixed(1)} ms`,
      `${(reads.length / seconds).toFixed(0)}/s`,
      `${median(reads).toFixed(1)} ms`,
    ])
  }
  return [
    'A replica by streaming replication on the same machine, whose cores both share. Four callers hold',
    'credits, four read first pages of histories, and one sums the ledger once a second:',
    '',
    ...table(['Reads', 'Holds', '99 of 100 within', 'Histories', 'Median'], rows),
    '',
    `A row of the primary was seen at the replica after ${median(lag).toFixed(1)} ms, 99 of 100 after ${quantile(lag, 0.99).toFixed(0)} ms.`,
  ]
}

/** A server that stops may still end connections that the pool is closing. */
function openPool(url: string, max: number): pg.Pool {
  return new pg.Pool({ connectionString: url, max }).on('error', () => undefined)
}

async function withDatabase<T>(
  url: string,
  act: (database: ReturnType<typeof openDatabase>['database']) => Promise<T>,
): Promise<T> {
  const handle = openDatabase({ url, connectionsMax: 4, onError: () => undefined })
  try {
    return await act(handle.database)
  } finally {
    await handle.close()
  }
}

/** The milliseconds of each call of four callers. */
async function callUntil(end: AbortSignal, act: (n: number) => Promise<unknown>) {
  const times: number[] = []
  let n = 0
  const callers = Array.from({ length: 4 }, async () => {
    while (!end.aborted) {
      const startedAtMs = performance.now()
      await act((n += 1))
      times.push(performance.now() - startedAtMs)
    }
  })
  await Promise.all(callers)
  return times
}

function holdCredits(url: string, people: readonly SignedIn[], end: AbortSignal) {
  const prefix = `scale:${Date.now()}`
  return withDatabase(url, (database) =>
    callUntil(end, (n) =>
      placeHold(database, {
        userId: people[n % people.length]?.userId ?? '',
        amount: 1,
        description: 'Photo generation',
        reference: `${prefix}:${n}`,
        now: new Date(),
      }),
    ),
  )
}

async function readHistories(url: string, people: readonly SignedIn[], end: AbortSignal) {
  const pool = openPool(url, 1)
  const sums = (async () => {
    while (!end.aborted) {
      await pool.query('select reason, sum(amount) from ledger_entries group by reason')
      await delay(1_000)
    }
  })()
  try {
    return await withDatabase(url, (database) =>
      callUntil(end, (n) =>
        readCreditHistory(database, {
          userId: people[n % people.length]?.userId ?? '',
          after: undefined,
          limit: 20,
        }),
      ),
    )
  } finally {
    await sums
    await pool.end()
  }
}

async function measureLag(primaryUrl: string, replicaUrl: string, end: AbortSignal) {
  const primary = openPool(primaryUrl, 1)
  const replica = openPool(replicaUrl, 1)
  const times: number[] = []
  try {
    while (!end.aborted) {
      const { rows } = await primary.query<{ at: string }>(
        'select pg_current_wal_lsn()::text as at',
      )
      const startedAtMs = performance.now()
      const hasCome = async () =>
        (
          await replica.query<{ come: boolean }>(
            'select pg_last_wal_replay_lsn() >= $1::pg_lsn as come',
            [rows[0]?.at],
          )
        ).rows[0]?.come
      while (!(await hasCome())) await delay(1)
      times.push(performance.now() - startedAtMs)
      await delay(50)
    }
  } finally {
    await primary.end()
    await replica.end()
  }
  return times
}

async function tryPartitions(pool: pg.Pool, rows: number): Promise<string[]> {
  const { whole, parted } = await timePartitions(pool, owners)
  const row = (what: string, key: keyof typeof whole) => [
    what,
    `${whole[key].toFixed(2)} ms`,
    `${parted[key].toFixed(2)} ms`,
    (parted[key] / whole[key]).toFixed(2),
  ]
  return [
    `A ledger of ${rows.toLocaleString('en')} entries of a year as one table, and parted by month with its references in a`,
    'table of their own:',
    '',
    ...table(
      ['What', 'One table', 'By month', 'Ratio'],
      [
        row('An entry is written, with its reference', 'insert'),
        row('First page of a history', 'page'),
        row('The sum of the last month', 'month'),
        row('The oldest month is removed', 'drop'),
      ],
    ),
  ]
}
