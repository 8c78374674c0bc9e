import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fstatSync, ftruncateSync } from 'node:fs'
import { type FileHandle, copyFile, open } from 'node:fs/promises'
import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { PostgresBinaries } from './binaries.ts'
import { codeOf } from '../../errors/code-of.ts'
import { embeddedProblem, saysDiskIsFull } from './embedded-postgres-error.ts'
import { isPostgresOf, readPostmasterFile } from './postmaster-file.ts'
import { childOptions, runCommand, type SystemUser } from './run-command.ts'

/** Where a server's files and programs are, and who it runs as. */
export interface ServerPlace {
  readonly cluster: string
  readonly binaries: PostgresBinaries
  readonly user: SystemUser | undefined
}

/** A PostgreSQL of ours that answers on 127.0.0.1. */
export interface RunningServer {
  readonly pid: number
  readonly port: number
  /** Resolves when it has ended, for whatever reason. */
  readonly ended: Promise<void>
}

interface StartOptions extends ServerPlace {
  readonly serverLog: BoundedLog
  readonly log: (sentence: string) => void
  /** False only for tests: then a power cut may destroy the data. */
  readonly durable: boolean
}

const pollIntervalMs = 20
/** Crash recovery of a busy database takes minutes on a slow disk. */
const readyWithinMs = 10 * 60_000

/** Starts PostgreSQL on a free port of 127.0.0.1 and waits until it takes connections. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const giveUpAtMs = performance.now() + 15_000
  for (;;) {
    const port = await findFreePort()
    const child = spawnServer(options, port)
    const end = Promise.withResolvers<void>()
    child.once('exit', () => end.resolve()).once('error', () => end.resolve())
    if (await becomesReady(options, child, end.promise)) {
      child.unref()
      return { pid: child.pid ?? 0, port, ended: end.promise }
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
    ...childOptions(user),
    cwd: cluster,
    // Its own process group: Ctrl-C in the terminal must reach the program first.
    detached: true,
    stdio: ['ignore', serverLog.descriptor, serverLog.descriptor],
  })
}

/** False when it ends instead, or takes too long and is ended. */
async function becomesReady(
  { cluster, log }: StartOptions,
  child: ChildProcess,
  ended: Promise<void>,
): Promise<boolean> {
  const tell = () => log('PostgreSQL is still getting ready (it may be recovering from a crash).')
  const timer = setInterval(tell, 5_000)
  const giveUpAtMs = performance.now() + readyWithinMs
  const isReady = async () => {
    const file = await readPostmasterFile(cluster)
    return file?.pid === child.pid && file?.status === 'ready'
  }
  const hasEnded = ended.then(() => true)
  try {
    while (!(await isReady())) {
      if (await Promise.race([hasEnded, delay(pollIntervalMs, false)])) return false
      if (performance.now() < giveUpAtMs) continue
      child.kill('SIGINT')
      await ended
      return false
    }
    return true
  } finally {
    clearInterval(timer)
  }
}

function startFailed(cluster: string, words: string): Error {
  if (saysDiskIsFull(words)) return embeddedProblem('disk-full', 'files', { folder: cluster })
  const problem = /Permission denied/u.test(words) ? 'no-permission' : 'start-failed'
  return embeddedProblem(problem, 'postgres', { cluster, words: words === '' ? 'none' : words })
}

/** Stops a folder's server cleanly, after a while at once, which makes the next start longer. */
export async function stopServer(
  { cluster, binaries, user }: ServerPlace,
  pid: number,
): Promise<void> {
  for (const mode of ['fast', 'immediate']) {
    // Its number may be another program's by now.
    if (!(await isPostgresOf(pid, cluster))) return
    const args = ['stop', '--pgdata', cluster, '--mode', mode, '--wait', '--timeout', '20']
    if ((await runCommand(binaries.pgCtl, args, { user })).code === 0) return
  }
}

/** Asks for a clean stop without waiting, for the last moments of a process. */
export function sendSignal(pid: number, signal: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

/** A TCP port of 127.0.0.1 that was free a moment ago. */
export async function findFreePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address === 'object' && address !== null) return address.port
  throw new Error('a listening TCP server has an address with a port')
}

export type BoundedLog = Awaited<ReturnType<typeof openBoundedLog>>

/** PostgreSQL's own log: once a minute, from `maxBytes` on, copied to `<file>.1` and emptied. */
export async function openBoundedLog(file: string, maxBytes = 5_000_000) {
  const handle = await open(file, 'a+', 0o600)
  await bound(handle, file, maxBytes)
  const openedAtByte = fstatSync(handle.fd).size
  // A failure to rotate the log must not end the program.
  const timer = setInterval(() => void bound(handle, file, maxBytes).catch(() => {}), 60_000)
  timer.unref()
  return {
    /** To hand to the process, opened for appending. */
    descriptor: handle.fd,
    /** The end of what was written since the log was opened, at most 4,000 characters. */
    readTail: async () => {
      const { size } = await handle.stat()
      const from = Math.max(Math.min(openedAtByte, size), size - 4000)
      const buffer = Buffer.alloc(size - from)
      await handle.read(buffer, 0, buffer.length, from)
      return buffer.toString('utf8').trim()
    },
    close: async () => {
      clearInterval(timer)
      await handle.close()
    },
  }
}

async function bound(handle: FileHandle, file: string, maxBytes: number): Promise<void> {
  if ((await handle.stat()).size < maxBytes) return
  await copyFile(file, `${file}.1`)
  // Writers that append go on at the new end.
  ftruncateSync(handle.fd)
}
