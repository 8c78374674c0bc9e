import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { PostgresBinaries } from './binaries.ts'
import type { BoundedLog } from './bounded-log.ts'
import { EmbeddedPostgresError, saysDiskIsFull } from './embedded-postgres-error.ts'
import { isPostgresOf, readPostmasterFile } from './postmaster-file.ts'
import { childEnvironment, runCommand, type SystemUser } from './run-command.ts'

/** A PostgreSQL that answers on 127.0.0.1. */
export interface RunningServer {
  readonly pid: number
  readonly port: number
  /** True when an earlier program had started it. */
  readonly adopted: boolean
}

interface StartOptions {
  readonly cluster: string
  readonly binaries: PostgresBinaries
  readonly user: SystemUser | undefined
  readonly serverLog: BoundedLog
  readonly log: (sentence: string) => void
  /** False only for tests: then a power cut may destroy the data. */
  readonly durable: boolean
  readonly signal: AbortSignal | undefined
}

const pollIntervalMs = 20
/** Crash recovery of a busy database takes minutes on a slow disk. */
const readyWithinMs = 10 * 60_000

/** Starts PostgreSQL on a free port and waits until it takes connections. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const giveUpAtMs = performance.now() + 15_000
  for (;;) {
    const port = await findFreePort()
    const child = spawnServer(options, port)
    const outcome = await waitUntilReady(options, child)
    if (outcome === 'ready') {
      child.unref()
      return { pid: assertPid(child), port, adopted: false }
    }
    const words = await options.serverLog.readTail()
    const passes = /Address already in use|pre-existing shared memory block/u.test(words)
    if (!passes || performance.now() > giveUpAtMs) throw startFailed(options.cluster, words)
    await delay(200)
  }
}

function spawnServer(options: StartOptions, port: number): ChildProcess {
  const { binaries, cluster, user, serverLog } = options
  const risky = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    ...(options.durable ? [] : risky),
  ]
  return spawn(binaries.postgres, ['-D', cluster, ...settings.flatMap((s) => ['-c', s])], {
    cwd: cluster,
    env: childEnvironment(),
    // Its own process group: Ctrl-C in the terminal must reach the program first.
    detached: true,
    windowsHide: true,
    stdio: ['ignore', serverLog.descriptor, serverLog.descriptor],
    ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
  })
}

async function waitUntilReady(
  { cluster, log, signal }: StartOptions,
  child: ChildProcess,
): Promise<'ready' | 'ended'> {
  let ended = false
  child.once('exit', () => (ended = true)).once('error', () => (ended = true))
  const startedAtMs = performance.now()
  let toldAtMs = startedAtMs
  while (performance.now() - startedAtMs < readyWithinMs) {
    if (ended) return 'ended'
    if (signal?.aborted === true) {
      child.kill('SIGINT')
      await once(child, 'exit')
      signal.throwIfAborted()
    }
    const file = await readPostmasterFile(cluster)
    if (file?.pid === child.pid && file?.status === 'ready') return 'ready'
    if (performance.now() - toldAtMs > 5000) {
      toldAtMs = performance.now()
      log('PostgreSQL is still getting ready (it may be recovering from a crash).')
    }
    await delay(pollIntervalMs)
  }
  child.kill('SIGINT')
  return 'ended'
}

function assertPid(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('a ready PostgreSQL has a process id')
  return child.pid
}

function startFailed(cluster: string, words: string): EmbeddedPostgresError {
  if (saysDiskIsFull(words)) {
    return new EmbeddedPostgresError(
      'disk-full',
      `The disk that holds the database folder ${cluster} is full. Free some space and start again.`,
    )
  }
  return new EmbeddedPostgresError(
    /Permission denied/u.test(words) ? 'no-permission' : 'start-failed',
    `PostgreSQL could not start on ${cluster}. Its last words: ${words === '' ? 'none' : words}`,
  )
}

/**
 * Looks for a PostgreSQL that an earlier, killed program left running on this folder. One that is
 * starting is waited for, one that is stopping is waited out.
 */
export async function findRunningServer(
  cluster: string,
  signal: AbortSignal | undefined,
): Promise<RunningServer | undefined> {
  const giveUpAtMs = performance.now() + readyWithinMs
  while (performance.now() < giveUpAtMs) {
    signal?.throwIfAborted()
    const file = await readPostmasterFile(cluster)
    if (file === undefined || !(await isPostgresOf(file.pid, cluster))) return undefined
    if (file.status === 'ready' && file.port !== undefined) {
      return { pid: file.pid, port: file.port, adopted: true }
    }
    await delay(pollIntervalMs)
  }
  throw new EmbeddedPostgresError(
    'start-failed',
    `A PostgreSQL that runs on ${cluster} already doesn't get ready.`,
  )
}

/**
 * Stops the server cleanly: it ends its sessions, writes everything to disk and exits. After
 * `stopTimeoutMs` it is ended at once, which loses nothing either but makes the next start longer.
 */
export async function stopServer(
  server: RunningServer,
  cluster: string,
  binaries: PostgresBinaries,
  stopTimeoutMs = 20_000,
): Promise<void> {
  if (process.platform === 'win32') {
    await runCommand(binaries.pgCtl, ['stop', '--pgdata', cluster, '--mode', 'fast', '--wait'])
    return
  }
  for (const [stopSignal, waitMs] of [
    ['SIGINT', stopTimeoutMs],
    ['SIGQUIT', 5000],
  ] as const) {
    if (!(await isPostgresOf(server.pid, cluster))) return
    sendSignal(server.pid, stopSignal)
    if (await waitForEnd(server, cluster, waitMs)) return
  }
}

/** Asks for a clean stop without waiting, for the last moments of a process. */
export function sendSignal(pid: number, signal: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

async function waitForEnd(
  server: RunningServer,
  cluster: string,
  waitMs: number,
): Promise<boolean> {
  const giveUpAtMs = performance.now() + waitMs
  while (performance.now() < giveUpAtMs) {
    if (!(await isPostgresOf(server.pid, cluster))) return true
    await delay(pollIntervalMs)
  }
  return false
}

/** A watch over a server that may not be our child, so that we can't wait for its exit. */
interface ServerWatch {
  /** Resolves when the server has ended while it was watched. */
  readonly lost: Promise<EmbeddedPostgresError>
  end(): void
}

/** Looks once a second whether the server still runs. Doesn't keep the program alive. */
export function watchServer(server: RunningServer, cluster: string, everyMs = 1000): ServerWatch {
  const { promise, resolve } = Promise.withResolvers<EmbeddedPostgresError>()
  const look = async () => {
    if (await isPostgresOf(server.pid, cluster)) return
    clearInterval(timer)
    resolve(
      new EmbeddedPostgresError(
        'ended-unexpectedly',
        `The embedded PostgreSQL (process ${server.pid}) ended without being asked to. ` +
          'Start again; nothing that was acknowledged is lost.',
      ),
    )
  }
  const timer = setInterval(() => void look().catch(() => {}), everyMs)
  timer.unref()
  return { lost: promise, end: () => clearInterval(timer) }
}

/** A TCP port of 127.0.0.1 that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port)
        else reject(new Error('a listening TCP server has an address with a port'))
      })
    })
  })
}
