import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { hashPassword, verifyPassword } from '@starside/server/accounts/auth/password.ts'
import { median } from './page/figures.ts'
import { table } from './page/write-section.ts'
import type { Section } from './page/write-section.ts'
import { readNumbers } from './read-numbers.ts'
import { startBare } from './server/start-child.ts'
import { compareAlternately } from './server/compare-alternately.ts'
import type { Contender, Comparison } from './server/compare-alternately.ts'
import { makePeople, openBenchEnvironment } from './server/bench-environment.ts'
import type { SignedIn, BenchEnvironment } from './server/bench-environment.ts'

/** What is known of the distance to the aims. */
const remarks = [
  'The reads of many requests share a statement (decision 0165); the bare route sends one for each. A',
  'sign-in from a known browser waits for the database twice, once before its argon2id and once after,',
  'and there for the disk, which the bare route doesn’t (decision 0165).',
]
const password = 'correct horse'
const reading = { connections: 16, rounds: 5 }
/** Different people sign in at once, not the same one. */
const peopleCount = 500
/** More than there are cores, so that waits are filled. */
const signInCallers = 8

/** `npm run bench -- server [--seconds N]`: the API's figures, each against its peer. */
export async function run(args: string[]): Promise<Section> {
  const { seconds } = readNumbers(args, { seconds: 2 })
  await using environment = await openBenchEnvironment({ ROLE: 'api' })
  const bare = await startBare(environment.databaseUrl)
  try {
    const passwordHash = await hashPassword(password)
    const people = await makePeople(environment.pool, {
      count: peopleCount,
      credits: 1,
      passwordHash,
    })
    const [person] = people
    if (person === undefined) throw new Error('nobody was made')
    await environment.pool.query('vacuum analyze')
    const emails = await environment.pool.query<{ email: string }>('select email from users')
    const email = emails.rows[0]?.email ?? ''
    const logins = emails.rows.map((row) => ({ email: row.email, password }))
    const rows = [
      ...(await compareReads(environment, {
        person,
        bareUrl: `${bare.url}/user/${email}`,
        seconds,
      })),
      ...(await compareSignIns(environment, { logins, bareUrl: `${bare.url}/check`, seconds })),
    ]
    return {
      title: 'The API',
      lines: [
        ...table(['What', 'Starside', 'Peer', 'Ratio', 'Aim'], rows),
        '',
        `Reads by ${reading.connections} callers, ${reading.rounds} rounds of ${seconds} s, in alternation; argon2id with the settings of the program.`,
        '',
        ...remarks,
      ],
    }
  } finally {
    await bare.stop()
  }
}

/** Signed-in reads against bare Fastify with one indexed read. */
async function compareReads(
  { program, pool }: BenchEnvironment,
  options: { person: SignedIn; bareUrl: string; seconds: number },
): Promise<string[][]> {
  const { person, bareUrl, seconds } = options
  const headers = { authorization: `Bearer ${person.token}` }
  const paths = {
    'Profile reads a second, signed in': '/api/user?action=profile',
    'Polls of an order’s status': `/api/orders/status?order_id=${await makeOrder(pool, person)}`,
    'Polls of a generation’s status': `/api/generations/${await makeGeneration(pool, person)}`,
  }
  const rows: string[][] = []
  for (const [what, path] of Object.entries(paths)) {
    const ours: Contender = { url: program.url + path, headers }
    const turns = await compareAlternately(ours, { url: bareUrl }, { ...reading, seconds })
    rows.push(rateRow(`${what}, against bare Fastify with one indexed read`, turns, '≥ 0.8'))
  }
  return rows
}

function rateRow(what: string, { ours, peer, rateRatio }: Comparison, aim: string): string[] {
  const rate = (perSecond: number) => `${perSecond.toFixed(0)}/s`
  return [what, rate(ours.perSecond), rate(peer.perSecond), rateRatio.toFixed(2), aim]
}

async function compareSignIns(
  { program, pool }: BenchEnvironment,
  options: { logins: readonly unknown[]; bareUrl: string; seconds: number },
): Promise<string[][]> {
  const { logins, bareUrl, seconds } = options
  // As a browser sends them that has signed in before: its cookie is noted once a day.
  const headers = { cookie: await openKnownDevice(program.url, pool, logins[0]) }
  const ours = { url: `${program.url}/api/auth?action=login`, jsons: logins, headers }
  const peer = { url: bareUrl, jsons: [{ password }] }
  const many = await compareAlternately(ours, peer, {
    connections: signInCallers,
    rounds: 5,
    seconds,
  })
  const lone = await compareAlternately(ours, peer, { connections: 1, rounds: 5, seconds })
  const aloneMs = await timeCheckAlone()
  const ms = (value: number) => `${value.toFixed(1)} ms`
  return [
    [
      `A sign-in beside others (${signInCallers} callers), against a bare route with argon2id alone`,
      ms(1_000 / many.ours.perSecond),
      ms(1_000 / many.peer.perSecond),
      (1 / many.rateRatio).toFixed(2),
      '≤ 1.25',
    ],
    [
      'A lone sign-in, against the same route',
      ms(lone.ours.p50Ms),
      ms(lone.peer.p50Ms),
      lone.timeRatio.toFixed(2),
      '≤ 1.25',
    ],
    [
      'A lone sign-in, against argon2id without HTTP',
      ms(lone.ours.p50Ms),
      ms(aloneMs),
      (lone.ours.p50Ms / aloneMs).toFixed(2),
      '',
    ],
  ]
}

/** The cookie of a browser that everybody has signed in with today. */
async function openKnownDevice(url: string, pool: pg.Pool, login: unknown): Promise<string> {
  const response = await fetch(`${url}/api/auth?action=login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login),
  })
  await pool.query(
    `insert into user_devices (user_id, device_hash, first_seen_at, last_seen_at)
     select users.id, device_hash, first_seen_at, last_seen_at from users, user_devices
     on conflict do nothing`,
  )
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** Milliseconds of one check in this process, the median of forty. */
async function timeCheckAlone(): Promise<number> {
  const hash = await hashPassword(password)
  const times: number[] = []
  for (let index = 0; index < 40; index += 1) {
    const startedAt = performance.now()
    await verifyPassword(hash, password)
    times.push(performance.now() - startedAt)
  }
  return median(times)
}

/** An open order, as browsers ask for while its buyer pays. */
async function makeOrder(pool: BenchEnvironment['pool'], { userId }: SignedIn): Promise<string> {
  const orderId = `order_bench_${randomBytes(3).toString('hex')}`
  await pool.query(
    `insert into orders (id, user_id, package_type, price_cents, credits, status, provider,
       created_at, updated_at)
     values ($1, $2, 'basic', 1000, 100, 'pending', 'sandbox', now(), now())`,
    [orderId, userId],
  )
  return orderId
}

/** A generation under way; no worker runs that could end it. */
async function makeGeneration(
  pool: BenchEnvironment['pool'],
  { userId }: SignedIn,
): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `with hold as (
       insert into credit_holds (account_id, amount, reference, description, created_at, expires_at)
       select id, 1, 'bench', 'bench', now(), now() + interval '1 day'
       from credit_accounts where user_id = $1
       returning id
     )
     insert into generations (user_id, hold_id, request_digest, celebrity, aspect, resolution,
       created_at)
     select $1, id, '', 'Elena Vassandri', 'portrait', 'standard', now() from hold
     returning id`,
    [userId],
  )
  return rows[0]?.id ?? ''
}
