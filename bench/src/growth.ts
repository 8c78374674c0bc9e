import { expireHolds } from '@starside/server/ledger/credits/close-hold.ts'
import { closeLedger } from '@starside/server/ledger/credits/ledger-totals.ts'
import { openDatabase } from '@starside/server/platform/db/database.ts'
import {
  readDailyFigures,
  daysUntil,
  reportFigures,
} from '@starside/server/shop/figures/figure-report.ts'
import { sweepGenerations } from '@starside/server/selfies/sweep.ts'
import { createMetrics } from '@starside/server/platform/metrics/metrics.ts'
import { readDatabaseFigures } from '@starside/server/shop/figures/serve-metrics.ts'
import { compactCounters } from '@starside/server/platform/metrics/counters.ts'
import { expireOrders } from '@starside/server/payments/cancel-order.ts'
import { openFolderStore } from '@starside/server/platform/storage/folder-store.ts'
import type pg from 'pg'
import { quantile } from './page/figures.ts'
import { table } from './page/write-section.ts'
import type { Section } from './page/write-section.ts'
import { readNumbers } from './read-numbers.ts'
import { packSelfieForm } from './server/api-client.ts'
import type { ApiCall, ApiClient } from './server/api-client.ts'
import type { SignedIn, BenchEnvironment } from './server/bench-environment.ts'
import { fillTables } from './server/fill-tables.ts'
import { openHostedEnvironment } from './server/hosted-environment.ts'
import { runLiveLoad, defaultLoadProfile } from './server/live-load.ts'
import { makePeople, openBenchEnvironment } from './server/bench-environment.ts'

const userCounts = [10, 100, 1_000]
/** People that the rows belong to; some of them call, who have more than a page at any time. */
const owners = 20_000
const callers = 16
const callsOfEach = 1_000
const runsOfEach = 40

/** `npm run bench -- growth [--rows N] [--seconds N]`: what more people and more rows do. */
export async function run(args: string[]): Promise<Section> {
  const { rows, seconds } = readNumbers(args, { rows: 1_000_000, seconds: 30 })
  const byUsers = await measureUsers(seconds)
  console.log(byUsers.join('\n'))
  const byRows = await measureRows(rows)
  return {
    title: 'Growth',
    lines: [
      `People as in the load above, ${seconds} s each; memory is that of the program with its engine.`,
      '',
      ...byUsers,
      '',
      `Rows are finished generations, each with its hold and its ledger entry, of ${owners.toLocaleString('en')} people; ${callers} of`,
      `them, whose pages are full in every column, call one after the other, ${callsOfEach.toLocaleString('en')} times each call;`,
      'medians.',
      '',
      ...byRows,
    ],
  }
}

async function measureUsers(seconds: number): Promise<string[]> {
  await using environment = await openHostedEnvironment()
  const { client } = environment
  const form = await packSelfieForm()
  const rows: string[][] = []
  for (const count of userCounts) {
    const people = await makePeople(environment.pool, { count, credits: 100 })
    const result = await runLiveLoad({
      client,
      people,
      form,
      // Sooner than people are, so that the few make some selfies too.
      profile: { ...defaultLoadProfile, selfieIntervalMs: 300_000 },
      seconds,
      pool: environment.pool,
      programPid: environment.program.process.pid ?? 0,
    })
    const reads = [...result.times.profile, ...result.times.order]
    rows.push([
      count.toLocaleString('en'),
      `${(reads.length / seconds).toFixed(0)}/s`,
      `${quantile(reads, 0.5).toFixed(1)} ms`,
      `${quantile(reads, 0.99).toFixed(1)} ms`,
      String(result.selfiesMs.length),
      `${result.queueAgeMaxSeconds.toFixed(1)} s`,
      `${result.memoryMaxMb.toFixed(0)} MB`,
      String(result.errors.length),
    ])
    for (const error of new Set(result.errors)) console.log(error)
  }
  return table(['People', 'Reads', 'p50', 'p99', 'Selfies', 'Queue age', 'Memory', 'Errors'], rows)
}

async function measureRows(rowsMax: number): Promise<string[]> {
  await using environment = await openBenchEnvironment({ ROLE: 'api' })
  const { client } = environment
  const people = await makePeople(environment.pool, { count: owners, credits: 10_000 })
  const columns: { rows: number; medians: Map<string, number> }[] = []
  const steps = [1_000, 1_000_000, rowsMax].filter((rows) => rows <= rowsMax)
  for (const rows of new Set(steps)) {
    await fillTables(environment.pool, { to: rows, people, callers })
    await fillFigures(environment.pool)
    console.log(`filled to ${rows}`)
    const calls = await timeCalls(client, environment.pool, people.slice(0, callers))
    const jobs = await timeJobs(environment)
    columns.push({ rows, medians: new Map([...calls, ...jobs]) })
  }
  const [first] = columns
  const last = columns.at(-1)
  if (first === undefined || last === undefined) throw new Error('nothing was measured')
  const ms = (value: number | undefined) => `${(value ?? Number.NaN).toFixed(2)} ms`
  return table(
    [
      'Call',
      ...columns.map(({ rows }) => `${rows.toLocaleString('en')} rows`),
      'Last against first',
    ],
    [...first.medians].map(([call, ms0]) => [
      call,
      ...columns.map(({ medians }) => ms(medians.get(call))),
      ((last.medians.get(call) ?? Number.NaN) / ms0).toFixed(2),
    ]),
  )
}

/** The median time of each call, one caller after the other. */
async function timeCalls(
  client: ApiClient,
  pool: pg.Pool,
  people: readonly SignedIn[],
): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ user_id: string; id: string }>(
    `select distinct on (user_id) user_id, id from generations where user_id = any ($1)`,
    [people.map(({ userId }) => userId)],
  )
  const generationOf = new Map(rows.map(({ user_id, id }) => [user_id, id]))
  const nowhere = '00000000-0000-4000-8000-000000000000'
  const calls: Record<string, (person: SignedIn) => ApiCall> = {
    Profile: () => ({ path: '/api/user?action=profile' }),
    'Credit history, first page': () => ({ path: '/api/user?action=credit-history' }),
    'Gallery, first page': () => ({ path: '/api/generations' }),
    'Status of a generation': ({ userId }) => ({
      path: `/api/generations/${generationOf.get(userId) ?? nowhere}`,
    }),
    'Hold of a credit': () => ({
      path: '/api/user?action=consume-credits',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"amount":1,"description":"Photo generation"}',
    }),
  }
  const medians = new Map<string, number>()
  for (const [name, makeCall] of Object.entries(calls)) {
    const times: number[] = []
    for (let n = 0; n < callsOfEach; n += 1) {
      const person = people[n % people.length]
      if (person === undefined) break
      const answer = await client.call({ token: person.token, ...makeCall(person) })
      // Not everybody has a generation while there are few.
      if (answer.status !== 200 && answer.status !== 404) {
        throw new Error(`${name}: ${answer.status} ${answer.text}`)
      }
      if (n >= callers && answer.status === 200) times.push(answer.ms)
    }
    medians.set(name, quantile(times, 0.5))
  }
  return medians
}

/** The filled generations' kept sums, as of the last 90 days: filling leaves triggers aside. */
async function fillFigures(pool: pg.Pool): Promise<void> {
  await pool.query('truncate daily_figures, daily_changes')
  await pool.query(
    `insert into daily_figures (day, figure, label, amount)
     select current_date - (extract(epoch from created_at)::bigint % 90)::integer, 'selfies',
       (extract(epoch from created_at)::bigint % 17 + 1)::text, count(*)
     from generations group by 1, 2, 3`,
  )
}

/** The median time of what runs every minute or so, whoever is there. */
async function timeJobs({ databaseUrl, folder }: BenchEnvironment): Promise<Map<string, number>> {
  const { database, close } = openDatabase({
    url: databaseUrl,
    connectionsMax: 2,
    onError: (error) => {
      throw error
    },
  })
  const { signal } = new AbortController()
  const notifications = {
    publish: async () => {},
    subscribe: () => () => {},
    close: async () => {},
  }
  const parts = { database, store: openFolderStore(folder), clock: () => new Date(), notifications }
  let now = 0
  const readFigures = readDatabaseFigures(createMetrics().registry, database, () => (now += 1e9))
  const jobs: Record<string, () => Promise<unknown>> = {
    'Figures for Prometheus': readFigures,
    'Figures of operators, 90 days': async () => {
      const days = daysUntil(new Date(), 90)
      return reportFigures(await readDailyFigures(database, days[0] ?? ''), days)
    },
    'Job: holds and orders that ran out': async () => {
      await expireHolds(database, { now: new Date(), limit: 1_000 })
      await expireOrders(database, { now: new Date() })
    },
    'Job: what crashes left': () => sweepGenerations(parts, signal),
    'Job: figures kept': async () => {
      await closeLedger(database, signal)
      await compactCounters(database)
    },
  }
  try {
    // What was filled in is closed by the runs before it is measured: one marks, the next one sums.
    for (let n = 0; n < 3; n += 1) await jobs['Job: figures kept']?.()
    const medians = new Map<string, number>()
    for (const [name, runJob] of Object.entries(jobs)) {
      const times: number[] = []
      for (let n = 0; n < runsOfEach; n += 1) {
        const startedAt = performance.now()
        await runJob()
        if (n > 0) times.push(performance.now() - startedAt)
      }
      medians.set(name, quantile(times, 0.5))
    }
    return medians
  } finally {
    await close()
  }
}
