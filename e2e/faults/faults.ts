import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { adjustments } from './adjusting.ts'
import type { Act, ActsUnderWay } from './adjusting.ts'
import type { Role, TestEnvironment } from './test-environment.ts'

/** Something that goes wrong for a while. Afterwards everything runs again. */
export interface Fault {
  name: string
  /** Whether it can be done in this environment; always, where it doesn't say. */
  isPossible?(environment: TestEnvironment): boolean
  /** @param underWay what people are doing at each moment */
  run(environment: TestEnvironment, random: () => number, underWay: ActsUnderWay): Promise<void>
}

const between = (random: () => number, minMs: number, maxMs: number) =>
  minMs + random() * (maxMs - minMs)

const killed = (role: Role): Fault => ({
  name: `kill -9 of the ${role}`,
  async run(environment, random) {
    await environment.nodes[role].kill()
    await delay(between(random, 0, 2_000))
    await environment.startNode(role)
  },
})

/** How long a fault waits for somebody to do what it is to interrupt. */
const actMs = 300_000

const killedDuring = (role: Role, act: Act): Fault => ({
  name: `kill -9 of the ${role} during: ${act}`,
  async run(environment, random, underWay) {
    const deadline = performance.now() + actMs
    for (;;) {
      while ((underWay.get(act) ?? 0) === 0) {
        if (performance.now() > deadline)
          throw new Error(`nobody was at '${act}': nothing is proven`)
        await delay(5)
      }
      await delay(between(random, 0, 400))
      // It may have ended meanwhile: then there is nothing to interrupt.
      if ((underWay.get(act) ?? 0) > 0) break
    }
    await environment.nodes[role].kill()
    await delay(between(random, 0, 2_000))
    await environment.startNode(role)
  },
})

const stopped = (role: Role): Fault => ({
  name: `SIGTERM to the ${role}`,
  async run(environment) {
    const status = await environment.nodes[role].stop()
    if (status !== 0) throw new Error(`the ${role} ended with ${status} instead of 0`)
    await environment.startNode(role)
  },
})

/** All connections are taken by others, as by a runaway report. */
async function takeAllConnections(environment: TestEnvironment, forMs: number): Promise<void> {
  const clients: pg.Client[] = []
  const deadline = performance.now() + forMs
  while (performance.now() < deadline) {
    const client = new pg.Client({ connectionString: environment.postgres.superuserUrl })
    client.on('error', () => undefined)
    try {
      await client.connect()
      clients.push(client)
    } catch {
      await delay(50)
    }
  }
  await Promise.all(clients.map((client) => client.end()))
}

async function cutOffConnections(environment: TestEnvironment): Promise<void> {
  const client = new pg.Client({ connectionString: environment.postgres.superuserUrl })
  await client.connect()
  await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = 'starside' and pid <> pg_backend_pid()`,
  )
  await client.end()
}

const shifted = (role: Role, minutes: number): Fault => ({
  name: `the ${role}'s clock jumps by ${minutes} minutes`,
  async run(environment, random) {
    await environment.nodes[role].kill()
    const clock = new URL('shifted-clock.ts', import.meta.url).href
    await environment.startNode(role, {
      NODE_OPTIONS: `--import=${clock}`,
      CLOCK_SHIFT_MS: String(minutes * 60_000),
    })
    await delay(between(random, 8_000, 12_000))
    await environment.nodes[role].stop()
    await environment.startNode(role)
  },
})

/** No room on a disk for a while; PostgreSQL may give up and is started again once there is some. */
const full = (which: 'database' | 'objects', name: string): Fault => ({
  name,
  // The S3 server of tests knows nothing of full disks; a real one answers as a failing one does.
  isPossible: ({ disks, storeLine }) =>
    disks !== undefined && (which === 'database' || storeLine === undefined),
  async run(environment, random) {
    const disk = environment.disks?.[which]
    await disk?.fill()
    await delay(between(random, 2_000, 8_000))
    await disk?.makeRoom()
    // It recovers by itself, unless the recovery itself had no room.
    await delay(1_000)
    if (!isRunning(environment.postgres.pid)) await environment.revivePostgres()
  },
})

const line = (
  which: 'databaseLine' | 'storeLine',
  state: 'silent' | 'refusing' | 'slow' | 'breaking',
  name: string,
): Fault => ({
  name,
  isPossible: (environment) => environment[which] !== undefined,
  async run(environment, random) {
    environment[which]?.setState(state)
    await delay(between(random, 2_000, 8_000))
    // What went into silence is lost for good: such a connection is of no more use.
    if (state === 'silent') environment[which]?.setState('refusing')
    environment[which]?.setState('open')
  },
})

export const faults: Fault[] = [
  killed('api'),
  killed('worker'),
  killedDuring('worker', 'sheet'),
  ...adjustments.map((act) => killedDuring('api', act)),
  {
    name: 'kill -9 of PostgreSQL',
    async run(environment, random) {
      process.kill(environment.postgres.pid, 'SIGKILL')
      await delay(between(random, 0, 2_000))
      await environment.revivePostgres()
    },
  },
  {
    name: 'PostgreSQL restarts',
    async run(environment) {
      await environment.revivePostgres()
    },
  },
  {
    name: 'PostgreSQL is paused (SIGSTOP)',
    async run(environment, random) {
      const { pid } = environment.postgres
      const pids = [pid, ...(await childrenOf(pid))]
      for (const each of pids) signal(each, 'SIGSTOP')
      await delay(between(random, 2_000, 8_000))
      for (const each of pids) signal(each, 'SIGCONT')
    },
  },
  {
    name: 'PostgreSQL is out of connections',
    async run(environment, random) {
      // The programs' own connections end too, so that they compete with all others.
      await cutOffConnections(environment)
      await takeAllConnections(environment, between(random, 3_000, 6_000))
    },
  },
  line('databaseLine', 'refusing', 'the line to PostgreSQL breaks'),
  line('databaseLine', 'silent', 'the line to PostgreSQL goes silent'),
  line('storeLine', 'refusing', 'the S3 store refuses'),
  line('storeLine', 'slow', 'the S3 store is slow'),
  line('storeLine', 'breaking', 'the S3 store breaks off half-way'),
  stopped('api'),
  stopped('worker'),
  // An S3 store refuses requests whose clock is off by more than 15 minutes.
  shifted('worker', 14),
  shifted('worker', -14),
  shifted('api', 14),
  shifted('api', -14),
  full('database', 'the disk of PostgreSQL is full'),
  full('objects', 'the disk of the pictures is full'),
]

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // A backend that has ended meanwhile.
  }
}

/** The server's own processes, from the process table of Linux and macOS alike. */
async function childrenOf(pid: number): Promise<number[]> {
  const { spawn } = await import('node:child_process')
  const ps = spawn('ps', ['-A', '-o', 'pid=,ppid='], { stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  ps.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  await once(ps, 'close')
  return text
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []))
}
