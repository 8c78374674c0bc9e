/** `npm run bench -- server [seconds]`: the API's figures, each against its peer in the same run. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { hashPassword, verifyPassword } from '@starside/server/auth/password.ts'
import { findFreePort } from '@starside/server/db/embedded/free-port.ts'
import { startEmbeddedPostgres } from '@starside/server/db/embedded-postgres.ts'
import { migrate } from '@starside/server/db/migrate.ts'
import { runProgram } from '@starside/server/testing/run-program.ts'
import type { RunningProgram } from '@starside/server/testing/run-program.ts'
import { hammer } from './server/hammer.ts'

interface Figure {
  what: string
  ours: string
  peer: string
  ratio: number
  aim: string
}

/** What is known of the distance to the aims. */
const remarks = [
  'What remains: a profile read costs the node about 190 µs of CPU and the bare route about 80; of the',
  'difference, half is what every answer of the app pays (security headers, request id, log, metrics),',
  'half the wider row. One prepared statement instead of four made it five times as fast. A sign-in asks',
  'the database six times around its argon2id, one after the other; on a busy machine those waits show.',
]
const rounds = 5
const connections = 16
const email = 'bench@starside.example'
const password = 'correct horse'

export async function run([secondsText = '2']: string[]): Promise<void> {
  const seconds = Number(secondsText)
  const folder = await mkdtemp(path.join(os.tmpdir(), 'starside-bench-'))
  await chmod(folder, 0o755)
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined })
  const startedAt = performance.now()
  await migrate(postgres.url)
  const program = await runProgram({
    NODE_ENV: 'production',
    PAYMENT_PROVIDER: 'sandbox',
    ROLE: 'api',
    LOG_LEVEL: 'warn',
    DATA_DIR: folder,
    DATABASE_URL: postgres.url,
    RATE_LIMITS: 'off',
    SIGN_IN_FAILURES_MAX: '1000',
  })
  const coldStartSeconds = (performance.now() - startedAt) / 1_000
  try {
    const token = await register(program)
    const figures = [
      await compareProfile(program, token, postgres.url, seconds),
      await compareSignIn(program),
    ]
    const coldStart = `Migrated on an empty database and ready in ${coldStartSeconds.toFixed(1)} s.`
    const text = report(figures, coldStart)
    console.log(text)
    await writeReport(text)
  } finally {
    await program.stop()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function register(program: RunningProgram): Promise<string> {
  const response = await fetch(`${program.url}/api/auth?action=register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password, username: 'Bench' }),
  })
  const { token } = (await response.json()) as { token: string }
  return token
}

/** Turn and turn about, so that what else the machine does meets both alike. */
async function compareProfile(
  program: RunningProgram,
  token: string,
  databaseUrl: string,
  seconds: number,
): Promise<Figure> {
  const bare = await startBare(databaseUrl)
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const mine = await hammer(`${program.url}/api/user?action=profile`, {
      connections,
      seconds,
      headers: { authorization: `Bearer ${token}` },
    })
    const peer = await hammer(`${bare.url}/user/${email}`, { connections, seconds })
    if (mine.failures + peer.failures > 0) throw new Error('an answer was not 200')
    // The first round warms both up.
    if (round === 0) continue
    ours.push(mine.requestsPerSecond)
    theirs.push(peer.requestsPerSecond)
  }
  bare.child.kill()
  return {
    what: 'Profile reads a second, signed in, against bare Fastify with one indexed read',
    ours: `${median(ours).toFixed(0)}/s`,
    peer: `${median(theirs).toFixed(0)}/s`,
    ratio: median(ours.map((value, index) => value / (theirs[index] ?? Number.NaN))),
    aim: '≥ 0.8',
  }
}

async function startBare(databaseUrl: string): Promise<{ url: string; child: ChildProcess }> {
  const port = await findFreePort()
  const file = fileURLToPath(new URL('server/bare-server.ts', import.meta.url))
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: databaseUrl, PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const url = `http://127.0.0.1:${port}`
  const exited = once(child, 'exit').then(() => {
    throw new Error('the bare server ended at its start')
  })
  const ready = async () => {
    while (
      !(await fetch(`${url}/user/none`).then(
        ({ ok }) => ok,
        () => false,
      ))
    )
      await delay(50)
  }
  await Promise.race([ready(), exited])
  exited.catch(() => undefined)
  return { url, child }
}

/** One sign-in after the other, against the check of its password alone. */
async function compareSignIn(program: RunningProgram): Promise<Figure> {
  const hash = await hashPassword(password)
  const ours: number[] = []
  const theirs: number[] = []
  for (let index = 0; index < 40; index += 1) {
    const aloneAt = performance.now()
    await verifyPassword(hash, password)
    theirs.push(performance.now() - aloneAt)
    const signInAt = performance.now()
    const response = await fetch(`${program.url}/api/auth?action=login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`sign-in answered ${response.status}`)
    ours.push(performance.now() - signInAt)
  }
  return {
    what: 'A sign-in against argon2id alone, medians of 40',
    ours: `${median(ours).toFixed(1)} ms`,
    peer: `${median(theirs).toFixed(1)} ms`,
    ratio: median(ours) / median(theirs),
    aim: '≤ 1.1',
  }
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function report(figures: Figure[], coldStart: string): string {
  const cpu = os.cpus()[0]?.model ?? 'unknown'
  const rows = figures.map(
    ({ what, ours, peer, ratio, aim }) =>
      `| ${what} | ${ours} | ${peer} | ${ratio.toFixed(2)} | ${aim} |`,
  )
  return [
    '## The API',
    '',
    `Made by \`npm run bench -- server\` on ${os.cpus().length} cores (${cpu}), Node ${process.versions.node},`,
    `load average ${os.loadavg()[0]?.toFixed(1)}: other work ran beside, so only the ratios count.`,
    '',
    '| What | Starside | Peer | Ratio | Aim |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    coldStart,
    '',
    ...remarks,
  ].join('\n')
}

const reportFile = fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url))
const title = '# Benchmarks'

/** Puts the section into `docs/benchmarks.md`, and leaves the other sections alone. */
async function writeReport(section: string): Promise<void> {
  const page = await readFile(reportFile, 'utf8').catch(() => `${title}\n`)
  const others = page
    .replace(`${title}\n`, '')
    .split(/^(?=## )/m)
    .map((text) => text.trim())
    .filter((text) => text !== '' && !text.startsWith('## The API\n'))
  await writeFile(reportFile, `${[title, ...others, section].join('\n\n')}\n`)
}
