import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, cp, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { quantile } from './page/figures.ts'
import { table } from './page/write-section.ts'
import type { Section } from './page/write-section.ts'
import { readNumbers } from './read-numbers.ts'
import { makeSelfie, packSelfieForm } from './server/api-client.ts'
import type { ApiClient } from './server/api-client.ts'
import { makePeople, openBenchEnvironment } from './server/bench-environment.ts'
import type { BenchEnvironment, SignedIn } from './server/bench-environment.ts'
import { fillTables } from './server/fill-tables.ts'

const adminFile = fileURLToPath(new URL('../../server/src/admin.ts', import.meta.url))
const owners = 10_000
const creditsOfEach = 10_000
/** How many call while the backup is made. */
const callers = 4
const quietMs = 15_000

/** `npm run bench -- backup [--rows N] [--pictures N]`: backup during selfies, restore, audit. */
export async function run(args: string[]): Promise<Section> {
  const { rows, pictures } = readNumbers(args, { rows: 900_000, pictures: 2_000 })
  await using environment = await openBenchEnvironment({})
  const target = await mkdtemp(path.join(os.tmpdir(), 'starside-restored-'))
  try {
    await chmod(target, 0o755)
    const people = await fillInstallation(environment, rows, pictures)
    const bytes = await measureInstallation(environment)
    const quiet = await whileLoaded(environment, people, () => delay(quietMs))
    const file = path.join(target, 'starside.tar')
    const { databaseUrl, folder } = environment
    const from = { DATABASE_URL: databaseUrl, DATA_DIR: folder }
    const busy = await whileLoaded(environment, people, () => runAdmin(['backup', file], from))
    const restored = await runAdmin(['restore', file], { DATA_DIR: path.join(target, 'data') })
    const { size } = await stat(file)
    return describe({ bytes, size, quiet, busy, restored })
  } finally {
    await rm(target, { recursive: true, force: true })
  }
}

/** Rows by SQL, of which the newest have pictures that the program itself made once. */
async function fillInstallation(
  environment: BenchEnvironment,
  rows: number,
  pictures: number,
): Promise<SignedIn[]> {
  const { pool, client } = environment
  const people = await makePeople(pool, { count: owners, credits: creditsOfEach })
  await fillTables(pool, { to: rows, people, callers })
  // The balances are what the filled entries say.
  await pool.query(
    `update credit_accounts set balance = balance - spent.amount
     from (select debit_account_id as id, sum(amount)::integer as amount from ledger_entries
           where reason = 'usage' group by 1) as spent
     where spent.id = credit_accounts.id`,
  )
  await makeSelfie(client, people[0]?.token ?? '', await packSelfieForm())
  await copyPictures(environment, pictures)
  return people
}

async function copyPictures({ pool, folder }: BenchEnvironment, count: number): Promise<void> {
  const keys = ['clean_key', 'watermarked_key', 'clean_thumbnail_key', 'watermarked_thumbnail_key']
  const { rows } = await pool.query<{ id: string } & Record<string, string | null>>(
    `select id, ${keys.join(', ')} from generations order by created_at desc limit $1`,
    [count],
  )
  const made = rows.find(({ clean_thumbnail_key: key }) => key !== null)
  if (made === undefined) throw new Error('no selfie was made')
  for (const { id } of rows.filter((row) => row !== made)) {
    const own = keys.map((name) => made[name]?.replace(made.id, id) ?? null)
    const from = path.join(folder, 'objects', path.dirname(made['clean_key'] ?? ''))
    const to = path.join(folder, 'objects', path.dirname(own[0] ?? ''))
    await cp(from, to, { recursive: true })
    await pool.query(
      `update generations set ${keys.map((name, at) => `${name} = $${at + 2}`).join(', ')} where id = $1`,
      [id, ...own],
    )
  }
}

async function measureInstallation({ pool, folder }: BenchEnvironment) {
  const { rows } = await pool.query<{ bytes: string }>(
    'select pg_database_size(current_database()) as bytes',
  )
  const objects = path.join(folder, 'objects')
  const entries = await readdir(objects, { recursive: true, withFileTypes: true })
  let pictures = 0
  for (const entry of entries) {
    if (entry.isFile()) pictures += (await stat(path.join(entry.parentPath, entry.name))).size
  }
  return { database: Number(rows[0]?.bytes), pictures }
}

interface Loaded<T> {
  readonly value: T
  /** Milliseconds of each hold that was taken and given back. */
  readonly holds: number[]
  readonly selfies: number
}

/** Runs the act while people hold credits and make selfies, one after the other. */
async function whileLoaded<T>(
  environment: BenchEnvironment,
  people: readonly SignedIn[],
  act: () => Promise<T>,
): Promise<Loaded<T>> {
  const { client } = environment
  const form = await packSelfieForm()
  const ended = new AbortController()
  const holds: number[] = []
  let selfies = 0
  const makeSelfies = async (token: string) => {
    while (!ended.signal.aborted) {
      await makeSelfie(client, token, form)
      selfies += 1
    }
  }
  const load = [
    makeSelfies(people[callers]?.token ?? ''),
    ...people.slice(0, callers).map(async ({ token }) => {
      while (!ended.signal.aborted) {
        holds.push(await holdAndRelease(client, token))
        await delay(20)
      }
    }),
  ]
  try {
    return { value: await act(), holds, selfies }
  } finally {
    ended.abort()
    await Promise.all(load)
  }
}

async function holdAndRelease(client: ApiClient, token: string): Promise<number> {
  const call = (action: string, body: object) =>
    client.call({
      path: `/api/user?action=${action}`,
      method: 'POST',
      token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const held = await call('consume-credits', { amount: 1, description: 'Photo generation' })
  if (held.status !== 200) throw new Error(`consume-credits: ${held.status} ${held.text}`)
  const { holdId } = JSON.parse(held.text) as { holdId: string }
  const released = await call('release-hold', { holdId })
  if (released.status !== 200) throw new Error(`release-hold: ${released.status} ${released.text}`)
  return held.ms
}

/** Seconds that the command took, and what it printed last. Throws when it fails. */
async function runAdmin(words: string[], settings: Record<string, string>) {
  const startedAtMs = performance.now()
  const child = spawn(process.execPath, [adminFile, ...words], {
    env: { PATH: process.env['PATH'], PAYMENT_PROVIDER: 'sandbox', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
  const [status] = (await once(child, 'close')) as [number | null]
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}:\n${printed}`)
  const seconds = (performance.now() - startedAtMs) / 1_000
  return { seconds, last: printed.trimEnd().split('\n').at(-1) ?? '' }
}

interface Figures {
  bytes: { database: number; pictures: number }
  size: number
  quiet: Loaded<unknown>
  busy: Loaded<{ seconds: number }>
  restored: { seconds: number; last: string }
}

function describe(figures: Figures): Section {
  const { bytes, size, quiet, busy, restored } = figures
  const megabytes = (count: number) => (count / 1e6).toFixed(0)
  const total = bytes.database + bytes.pictures
  const row = (what: string, seconds: number) => [
    what,
    `${seconds.toFixed(0)} s`,
    `${(total / 1e6 / seconds).toFixed(0)} MB/s`,
  ]
  const p99 = ({ holds }: Loaded<unknown>) => `${quantile(holds, 0.99).toFixed(0)} ms`
  return {
    title: 'Backup and restore',
    lines: [
      `${megabytes(bytes.database)} MB of database and ${megabytes(bytes.pictures)} MB of pictures become a file of ${megabytes(size)} MB. While it is`,
      `written, one person makes selfies without a pause and ${callers} take and release holds.`,
      '',
      ...table(
        ['What', 'Time', 'Of the installation'],
        [
          row('Backup, under that load, read through at its end', busy.value.seconds),
          row('Restore into an empty folder, with the audit', restored.seconds),
        ],
      ),
      '',
      `${busy.selfies} selfies were made meanwhile, none failed. 99 of 100 holds took at most ${p99(busy)}, and`,
      `${p99(quiet)} without a backup. The audit of what was restored: ${restored.last}`,
    ],
  }
}
