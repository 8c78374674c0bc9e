import { createHash } from 'node:crypto'
import { renameSync, writeFileSync } from 'node:fs'
import { readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import net from 'node:net'
import path from 'node:path'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { isUsedElsewhere, startHeartbeat } from './heartbeat.ts'

/** What the holder of a lock tells those who come second. */
export interface LockHolder {
  readonly pid: number
  /** The port of its PostgreSQL on 127.0.0.1, once that runs. */
  readonly port?: number | undefined
}

export interface FolderLock {
  /** Changes what those who come second are shown. */
  readonly describe: (holder: LockHolder) => void
  readonly release: () => Promise<void>
}

interface LockOptions {
  /** The folder as people know it, for the message. */
  readonly dataDir: string
  readonly log: (sentence: string) => void
}

/**
 * Takes the lock 'one program per folder', which ends with the process however it ends.
 *
 * On Linux it is an abstract Unix socket named after the folder's device and inode, so that two
 * paths to one folder meet; elsewhere a file with the holder's process id. A program in another
 * container is out of reach of both and known by its heartbeat.
 *
 * @throws EmbeddedPostgresError `data-folder-in-use`, naming the folder and the holder
 */
export async function lockFolder(folder: string, options: LockOptions): Promise<FolderLock> {
  const { dataDir, log } = options
  const lock =
    process.platform === 'linux'
      ? await lockBySocket(folder, dataDir)
      : await lockByFile(folder, dataDir)
  try {
    const tell = () =>
      log('Another container or machine had this data folder; looking whether it still does.')
    if (await isUsedElsewhere(folder, tell)) throw inUse(await realpath(dataDir), undefined)
    const heartbeat = await startHeartbeat(folder)
    const release = async () => {
      await heartbeat.end()
      await lock.release()
    }
    return { describe: lock.describe, release }
  } catch (error) {
    await lock.release()
    throw error
  }
}

function inUse(dataDir: string, holder: LockHolder | undefined): EmbeddedPostgresError {
  const port = holder?.port === undefined ? '' : `, its PostgreSQL on port ${holder.port}`
  const who = holder === undefined ? '' : ` (process ${holder.pid}${port})`
  return new EmbeddedPostgresError(
    'data-folder-in-use',
    `The data folder ${dataDir} is in use by another running Starside${who}. ` +
      'Stop that one first, or set DATA_DIR to another folder. Nothing was changed.',
  )
}

async function lockBySocket(folder: string, dataDir: string): Promise<FolderLock> {
  const { dev, ino } = await stat(folder, { bigint: true })
  const name = createHash('sha256').update(`${dev}:${ino}`).digest('hex').slice(0, 32)
  const address = `\0starside-data-folder-${name}`
  let holder: LockHolder = { pid: process.pid }
  const server = net.createServer((socket) => {
    socket.on('error', () => {})
    socket.end(JSON.stringify(holder))
  })
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(address, resolve)
    })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
      throw inUse(await realpath(dataDir), await askHolder(address))
    }
    throw error
  }
  server.unref()
  return {
    describe: (next) => {
      holder = next
    },
    release: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

async function askHolder(address: string): Promise<LockHolder | undefined> {
  return new Promise((resolve) => {
    let text = ''
    const socket = net.connect(address)
    socket.setTimeout(2000, () => socket.destroy())
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8')
      if (text.length > 10_000) socket.destroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(parseHolder(text)))
  })
}

async function lockByFile(folder: string, dataDir: string): Promise<FolderLock> {
  const file = path.join(folder, 'lock.json')
  for (let attempt = 0; ; attempt += 1) {
    try {
      await writeFile(file, JSON.stringify({ pid: process.pid }), { flag: 'wx', mode: 0o600 })
      break
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
    const holder = parseHolder(await readFile(file, 'utf8').catch(() => ''))
    if (attempt === 3 || (holder !== undefined && isAlive(holder.pid))) {
      throw inUse(await realpath(dataDir), holder)
    }
    // Renaming decides who of several removes the file left behind by a dead program.
    const staleLock = `${file}.${process.pid}`
    await rename(file, staleLock).catch(() => {})
    await rm(staleLock, { force: true })
  }
  return {
    describe: (next) => {
      writeFileSync(`${file}.next`, JSON.stringify(next), { mode: 0o600 })
      renameSync(`${file}.next`, file)
    },
    release: async () => rm(file, { force: true }),
  }
}

/** True when a process with this number exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function parseHolder(text: string): LockHolder | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
    if (!('pid' in value) || typeof value.pid !== 'number') return undefined
    const port = 'port' in value && typeof value.port === 'number' ? value.port : undefined
    return { pid: value.pid, port }
  } catch {
    return undefined
  }
}
