import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHoldBatcher, placeHold } from '@starside/server/ledger/credits/hold.ts'
import { captureHold } from '@starside/server/ledger/credits/close-hold.ts'
import { startEmbeddedPostgres } from '@starside/server/platform/db/embedded-postgres.ts'
import { migrate } from '@starside/server/platform/db/migrate.ts'
import type { Settings, MoneyFigure } from './money/compare.ts'
import { compare } from './money/compare.ts'
import type { Bench } from './money/open-bench.ts'
import { openBench } from './money/open-bench.ts'
import { table } from './page/write-section.ts'
import type { Section } from './page/write-section.ts'
import { readNumbers } from './read-numbers.ts'
import { clients, randomUser, holdRequest } from './money/people.ts'
import { ordersForEach, makeOrders, settleOrder } from './money/orders.ts'
import { recordScripts } from './money/record-scripts.ts'
import { measureGrowth } from './money/measure-growth.ts'

/*
 * The books against pgbench: the very SQL that the program sends, recorded from it, is run by
 * pgbench (prepared, 32 clients) on the same PostgreSQL in the same run, in turns with the program.
 */

const batchCallers = 256

/** What is known of the distance to the aims. */
const remarks = [
  'A hold outside a transaction goes through the batcher (decision 0165), so the second and third row',
  'are what callers meet. The other rows are planned at each sending, and pgbench prepares them',
  'there. At ten million rows (`--ledger-rows 10000000`, seven minutes) a hold took 0.902 ms',
  'against 0.853 ms at ten thousand, a ratio of 1.06.',
]

/** `npm run bench -- money [--seconds N] [--rounds N] [--ledger-rows N]`. */
export async function run(args: string[]): Promise<Section> {
  const numbers = readNumbers(args, { seconds: 5, rounds: 3, 'ledger-rows': 1_000_000 })
  const settings = { ...numbers, ledgerRows: numbers['ledger-rows'] }
  const folder = await mkdtemp(join(tmpdir(), 'starside-bench-'))
  await chmod(folder, 0o755)
  const server = await startEmbeddedPostgres({ dataDir: folder, log: () => {} })
  try {
    await migrate(server.url)
    const bench = await openBench(server.url, folder)
    try {
      return {
        title: 'The books',
        lines: await measureAll(bench, settings),
      }
    } finally {
      await bench.close()
    }
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** All figures as the lines of their section. */
async function measureAll(bench: Bench, settings: Settings): Promise<string[]> {
  const figures: MoneyFigure[] = []
  const add = (figure: MoneyFigure) => {
    figures.push(figure)
    // The whole takes minutes: what is there already is printed.
    console.log(`${figure.name}: ${figure.ratio.toFixed(2)}`)
  }
  const scripts = await recordScripts(bench)
  const batched = createHoldBatcher(bench)
  const hold = (user: number) => placeHold(bench.database, holdRequest(user))
  const holdBatched = (user: number) => batched(holdRequest(user))

  add(
    await compare(bench, settings, {
      name: `hold, ${clients} callers, one statement each`,
      goal: '',
      script: scripts.hold,
      callers: clients,
      act: async () => void (await hold(randomUser())),
    }),
  )
  add(
    await compare(bench, settings, {
      name: `hold, ${clients} callers, as the program does it`,
      goal: '≥ 0.8',
      script: scripts.hold,
      callers: clients,
      act: async () => void (await holdBatched(randomUser())),
    }),
  )
  add(
    await compare(bench, settings, {
      name: `hold, ${batchCallers} callers, as the program does it`,
      goal: '≥ 2',
      script: scripts.hold,
      callers: batchCallers,
      act: async () => void (await holdBatched(randomUser())),
    }),
  )
  add(await compareCaptures(bench, settings, scripts.capture))
  add(await compareSettlements(bench, settings, scripts.settle))
  const growth = await measureGrowth(bench, settings)
  const rows = figures.map(({ name, perSecond, pgbenchPerSecond, ratio, goal }) => [
    name,
    `${perSecond.toFixed(0)}/s`,
    `${pgbenchPerSecond.toFixed(0)}/s`,
    ratio.toFixed(2),
    goal,
  ])
  return [
    ...table(['What', 'Starside', 'pgbench', 'Ratio', 'Aim'], rows),
    '',
    `pgbench runs the program's own SQL, prepared, with ${clients} clients, in turns with it.`,
    '',
    ...growth,
    '',
    ...remarks,
  ]
}

async function compareCaptures(
  bench: Bench,
  settings: Settings,
  script: string,
): Promise<MoneyFigure> {
  await bench.pool.query('create sequence bench_next_hold')
  await bench.pool.query('create table bench_holds (n bigint primary key, hold_id uuid not null)')
  await bench.pool.query(
    `with placed as (
       insert into credit_holds (account_id, amount, reference, description, created_at, expires_at)
       select account.id, 1, 'bench ' || account.id || ' ' || copy, '', now(), now() + interval '1 day'
       from credit_accounts as account, generate_series(1, 15) as copy
       where account.kind = 'user'
       returning id
     )
     insert into bench_holds select row_number() over (), id from placed`,
  )
  await bench.pool.query('vacuum analyze')
  const { rows } = await bench.pool.query<{ hold_id: string }>(
    'select hold_id from bench_holds order by n desc',
  )
  // pgbench takes them from one end, the program from the other.
  let next = 0
  return compare(bench, settings, {
    name: `capture, ${clients} callers`,
    goal: '',
    script,
    callers: clients,
    act: async () => {
      const holdId = rows[(next += 1)]?.hold_id
      if (holdId === undefined) throw new Error('the bench ran out of holds')
      await captureHold(bench.database, { holdId, now: new Date() })
    },
  })
}

async function compareSettlements(
  bench: Bench,
  settings: Settings,
  script: string,
): Promise<MoneyFigure> {
  await bench.pool.query('create sequence bench_next_order start 2')
  await makeOrders(bench, 1, 2 * ordersForEach)
  await bench.pool.query('vacuum analyze')
  let next = ordersForEach
  return compare(bench, settings, {
    name: `settlement of an order, ${clients} callers`,
    goal: '',
    script,
    callers: clients,
    act: () => settleOrder(bench, (next += 1)),
  })
}
