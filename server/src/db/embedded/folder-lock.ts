import { createHash } from 'node:crypto'
import { realpath, stat } from 'node:fs/promises'
import net from 'node:net'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { claimFolder, describePlace, readClaims, type Claimant } from './folder-claim.ts'

/** What the holder of a lock tells those who come second. */
export type LockHolder = Pick<Claimant, 'pid' | 'port'>

export interface FolderLock {
  /** Changes what those who come second are shown. */
  readonly describe: (holder: LockHolder) => Promise<void>
  readonly release: () => Promise<void>
}

interface LockOptions {
  /** The folder as people know it, for the message. */
  readonly dataDir: string
  readonly log: (sentence: string) => void
}

/**
 * Takes the lock 'one program per folder'.
 *
 * On Linux it is an abstract Unix socket named after the folder's device and inode, so that two
 * paths to one folder meet, and that ends with the process however it ends. A program in another
 * container, or on another system, is out of its reach and known by its claim on the folder.
 *
 * @throws EmbeddedPostgresError `data-folder-in-use`, naming the folder and the holder
 */
export async function lockFolder(folder: string, options: LockOptions): Promise<FolderLock> {
  const { dataDir, log } = options
  const socket = process.platform === 'linux' ? await lockBySocket(folder, dataDir) : undefined
  try {
    const place = await describePlace()
    const claim = await claimFolder(folder, {
      claimant: { place, pid: process.pid },
      hasEnded: ({ pid }) => socket !== undefined || !isAlive(pid),
      onWait: () => log('Another program had this data folder; looking whether it still does.'),
    })
    if (claim === undefined) {
      const neighbour = (await readClaims(folder)).find((other) => other.place === place)
      throw inUse(await realpath(dataDir), neighbour)
    }
    return {
      describe: async (holder) => {
        socket?.describe(holder)
        await claim.describe({ place, ...holder })
      },
      release: async () => {
        await claim.end()
        await socket?.release()
      },
    }
  } catch (error) {
    await socket?.release()
    throw error
  }
}

interface SocketLock {
  readonly describe: (holder: LockHolder) => void
  readonly release: () => Promise<void>
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

async function lockBySocket(folder: string, dataDir: string): Promise<SocketLock> {
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
