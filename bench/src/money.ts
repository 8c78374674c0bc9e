import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { createHoldBatcher } from '@starside/server/credits/batch-holds.ts'
import { captureHold } from '@starside/server/credits/capture.ts'
import { placeHold } from '@starside/server/credits/hold.ts'
import { startEmbeddedPostgres } from '@starside/server/db/embedded-postgres.ts'
import { migrate } from '@starside/server/db/migrate.ts'
import type { Tables } from '@starside/server/db/tables.ts'
import { settlePayment } from '@starside/server/orders/settle-payment.ts'
import { finishedPayment } from '@starside/server/testing/finished-payment.ts'
import { Kysely, PostgresDialect } from 'kysely'
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import { median } from './page/figures.ts'
import { table } from './page/write-section.ts'
import type { Section } from './page/write-section.ts'

/*
 * The books against pgbench: the very SQL that the program sends, recorded from it, is run by
 * pgbench (prepared, 32 clients) on the same PostgreSQL in the same run, in turns with the program.
 */

const accounts = 20_000
const clients = 32
const batchCallers = 256

interface Settings {
  /** Seconds of one round. */
  seconds: number
  rounds: number
  /** Entries in the ledger for the last figure. */
  ledgerRows: number
}

/** One comparison: transactions a second of both, and their ratio. */
interface MoneyFigure {
  name: string
  perSecond: number
  pgbenchPerSecond: number
  ratio: number
  /** What the ratio should reach, where that was set. */
  goal: string
}

/** What is known of the distance to the aims. */
const remarks = [
  'A hold outside a transaction goes through the batcher (decision 0032), so the second and third row',
  'are what callers meet. A statement alone costs Node a good half of what it costs pgbench, which',
  'has no promises to keep. At ten million rows (`--ledger-rows 10000000`, seven minutes) a hold took',
  '0.902 ms against 0.853 ms at ten thousand, a ratio of 1.06.',
]

/** `npm run bench -- money [--seconds N] [--rounds N] [--ledger-rows N]`. */
export async function run(args: string[]): Promise<Section> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
      'ledger-rows': { type: 'string', default: '1000000' },
    },
  })
  const settings = {
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
    ledgerRows: Number(values['ledger-rows']),
  }
  const folder = await mkdtemp(join(tmpdir(), 'starside-bench-'))
  await chmod(folder, 0o755)
  const server = await startEmbeddedPostgres({ dataDir: folder, log: () => {} })
  try {
    await migrate(server.url)
    const bench = await openBench(server.url, folder)
    try {
      return {
        title: 'The books',
        command: ['npm run bench -- money', ...args].join(' '),
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

interface Bench {
  url: string
  folder: string
  pool: pg.Pool
  database: Kysely<Tables>
  /** Statements that the program sent since the last call. */
  takeStatements(): CompiledQuery[]
  close(): Promise<void>
}

async function openBench(url: string, folder: string): Promise<Bench> {
  const pool = new pg.Pool({ connectionString: url, max: clients })
  const sent: CompiledQuery[] = []
  let isRecording = true
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log: (event) => {
      if (isRecording) sent.push(event.query)
    },
  })
  await pool.query(
    `insert into users (id, email, username, password_hash, referral_code)
     select ${userExpression('n')}, 'u' || n || '@bench.test', 'u' || n, '', 'c' || n
     from generate_series(1, ${accounts}) as n`,
  )
  await pool.query(
    `insert into credit_accounts (kind, user_id, balance)
     select 'user', ${userExpression('n')}, 1000000 from generate_series(1, ${accounts}) as n`,
  )
  await pool.query('vacuum analyze')
  return {
    url,
    folder,
    pool,
    database,
    takeStatements: () => {
      isRecording = false
      return sent.splice(0)
    },
    close: () => database.destroy(),
  }
}

/** All figures as the lines of their section. */
async function measureAll(bench: Bench, settings: Settings): Promise<string[]> {
  const figures: MoneyFigure[] = []
  const add = (figure: MoneyFigure) => {
    figures.push(figure)
    // The whole takes minutes: what is there already is told.
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

function randomUser(): number {
  return 1 + Math.floor(Math.random() * accounts)
}

/** The id of the n-th user, in SQL. */
function userExpression(n: string): string {
  return `('00000000-0000-4000-8000-' || lpad(to_hex((${n})::bigint), 12, '0'))::uuid`
}

function userId(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
}

function holdRequest(user: number) {
  return {
    userId: userId(user),
    amount: 1,
    description: 'Photo generation',
    reference: crypto.randomUUID(),
    now: new Date(),
  }
}

/** The scripts of pgbench, made of the statements that the program sends for one act of each kind. */
async function recordScripts(bench: Bench) {
  const request = holdRequest(1)
  const held = await placeHold(bench.database, request)
  if (held.outcome !== 'held') throw new Error('the bench could not place its first hold')
  await captureHold(bench.database, { holdId: held.holdId, now: new Date() })
  await makeOrders(bench, 0, 1)
  await settleOrder(bench, 1)
  const [hold, capture, ...settle] = bench.takeStatements()
  if (hold === undefined || capture === undefined) throw new Error('nothing was recorded')
  return {
    hold: `\\set user random(1, ${accounts})\n${toScript(
      [hold],
      new Map<unknown, string>([
        [request.userId, userExpression(':user')],
        [request.reference, 'gen_random_uuid()::text'],
      ]),
    )}`,
    capture: toScript(
      [capture],
      new Map<unknown, string>([
        [
          held.holdId,
          `(select hold_id from bench_holds where n = (select nextval('bench_next_hold')))`,
        ],
      ]),
    ),
    settle: `select nextval('bench_next_order') as n \\gset\n${toScript(
      settle,
      new Map<unknown, string>([
        [orderId(1), orderExpression(':n')],
        [paymentId(1), paymentExpression(':n')],
        [`order:${orderId(1)}`, `'order:' || ${orderExpression(':n')}`],
        [userId(1 + (1 % accounts)), userExpression(`1 + :n::bigint % ${accounts}`)],
      ]),
    )}`,
  }
}

/** Puts literals in the place of parameters: expressions where the value changes from run to run. */
function toScript(statements: readonly CompiledQuery[], expressions: Map<unknown, string>): string {
  return statements
    .map(({ sql, parameters }) =>
      sql.replace(/\s+/g, ' ').replace(/\$(\d+)/g, (_match, number: string) => {
        const value = parameters[Number(number) - 1]
        const toText = (one: unknown) => expressions.get(one) ?? literal(one)
        return Array.isArray(value) ? `array[${value.map(toText).join(', ')}]` : toText(value)
      }),
    )
    .map((sql) => `${sql.trim()};\n`)
    .join('')
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Date) return `'${value.toISOString()}'::timestamptz`
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string') throw new Error(`no literal for a ${typeof value}`)
  return `'${value.replaceAll("'", "''")}'`
}

interface Comparison {
  name: string
  goal: string
  script: string
  callers: number
  act: () => Promise<void>
}

/** Both in turns, so that what else the machine does hits both; the ratio of the medians. */
async function compare(
  bench: Bench,
  settings: Settings,
  comparison: Comparison,
): Promise<MoneyFigure> {
  const own: number[] = []
  const reference: number[] = []
  for (let round = 0; round < settings.rounds; round += 1) {
    reference.push(await runPgbench(bench, comparison.script, settings.seconds))
    own.push(await runCallers(comparison.callers, settings.seconds, comparison.act))
  }
  const [perSecond, pgbenchPerSecond] = [median(own), median(reference)]
  const { name, goal } = comparison
  return { name, goal, perSecond, pgbenchPerSecond, ratio: perSecond / pgbenchPerSecond }
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

const ordersForEach = 60_000

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

function orderId(n: number): string {
  return `order_${String(n).padStart(8, '0')}_bench0`
}

function orderExpression(n: string): string {
  return `('order_' || lpad((${n})::bigint::text, 8, '0') || '_bench0')`
}

function paymentId(n: number): string {
  return String(9_000_000_000 + n)
}

function paymentExpression(n: string): string {
  return `(9000000000 + (${n})::bigint)::text`
}

async function makeOrders(bench: Bench, from: number, count: number): Promise<void> {
  await bench.pool.query(
    `insert into orders (id, user_id, package_type, price_cents, credits, status, provider,
       created_at, updated_at)
     select ${orderExpression('n')}, ${userExpression(`1 + (n % ${accounts})`)}, 'basic',
       1000, 100, 'pending', 'nowpayments', now(), now()
     from generate_series(${from + 1}, ${from + count}) as n`,
  )
}

/** A whole settlement: event, payment, order and ledger in one transaction, as the program does it. */
async function settleOrder(bench: Bench, n: number): Promise<void> {
  const outcome = await settlePayment(bench.database, {
    provider: 'nowpayments',
    now: new Date(),
    enqueueReceipt: async () => {},
    facts: finishedPayment({
      paymentId: paymentId(n),
      orderId: orderId(n),
      updatedAtMs: Date.now(),
    }),
  })
  if (outcome !== 'credited') throw new Error(`order ${n} was not credited but ${outcome}`)
}

/** The median time of a hold before and after the ledger has grown, as lines of the section. */
async function measureGrowth(bench: Bench, settings: Settings): Promise<string[]> {
  await bench.pool.query(
    `alter table ledger_entries disable trigger user; truncate ledger_entries;
     alter table ledger_entries enable trigger user`,
  )
  const times: { rows: number; medianMs: number }[] = []
  for (const rows of [10_000, settings.ledgerRows]) {
    await growLedger(bench, rows)
    await medianHoldMs(bench, 500)
    times.push({ rows, medianMs: await medianHoldMs(bench, 4_000) })
  }
  const [small, large] = times
  if (small === undefined || large === undefined) throw new Error('no hold was timed')
  return table(
    ['Entries in the ledger', 'Median hold, one caller', 'Ratio', 'Aim'],
    times.map(({ rows, medianMs }) => [
      rows.toLocaleString('en'),
      `${medianMs.toFixed(3)} ms`,
      (medianMs / small.medianMs).toFixed(2),
      rows === small.rows ? '' : '≤ 1.2',
    ]),
  )
}

async function growLedger(bench: Bench, rows: number): Promise<void> {
  const chunk = 1_000_000
  const { rows: counted } = await bench.pool.query<{ count: number }>(
    'select count(*)::integer as count from ledger_entries',
  )
  for (let from = counted[0]?.count ?? 0; from < rows; from += chunk) {
    await bench.pool.query(
      `insert into ledger_entries (reference, reason, debit_account_id, credit_account_id, amount)
       select 'grow ' || n, 'usage', account.id, usage.id, 1
       from generate_series(${from + 1}, ${Math.min(rows, from + chunk)}) as n
       join credit_accounts as account on account.user_id = ${userExpression(`1 + (n % ${accounts})`)}
       cross join credit_accounts as usage
       where usage.name = 'usage'`,
    )
  }
  await bench.pool.query('vacuum analyze ledger_entries')
  await bench.pool.query('checkpoint').catch(() => undefined)
}

/** One hold after the other, so that only the statement itself counts. */
async function medianHoldMs(bench: Bench, count: number): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now()
    await placeHold(bench.database, holdRequest(randomUser()))
    times.push(performance.now() - startedAt)
  }
  return median(times)
}

async function runCallers(
  callers: number,
  seconds: number,
  act: () => Promise<void>,
): Promise<number> {
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  let done = 0
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (performance.now() < endsAt) {
        await act()
        done += 1
      }
    }),
  )
  return (done * 1000) / (performance.now() - startedAt)
}

/** Transactions a second of pgbench, prepared, with as many clients, without its connection time. */
async function runPgbench(bench: Bench, script: string, seconds: number): Promise<number> {
  const file = join(bench.folder, 'script.sql')
  await writeFile(file, script)
  const url = new URL(bench.url)
  const { stdout } = await promisify(execFile)(
    'pgbench',
    [
      '--no-vacuum',
      '--protocol=prepared',
      `--client=${clients}`,
      '--jobs=2',
      `--time=${seconds}`,
      `--file=${file}`,
    ],
    {
      env: {
        PATH: process.env['PATH'],
        PGHOST: url.hostname,
        PGPORT: url.port,
        PGUSER: decodeURIComponent(url.username),
        PGPASSWORD: decodeURIComponent(url.password),
        PGDATABASE: url.pathname.slice(1),
      },
    },
  ).catch((error: unknown) => {
    const { message } = error as Error
    const reason = message.split('\n').slice(0, 5).join('\n')
    throw new Error(`pgbench failed (on Debian it comes with postgresql-15): ${reason}`)
  })
  const failed = /number of failed transactions: (\d+)/.exec(stdout)?.[1]
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  if (!(perSecond > 0) || (failed !== undefined && failed !== '0')) {
    throw new Error(`pgbench gave no figure:\n${stdout}`)
  }
  return perSecond
}
