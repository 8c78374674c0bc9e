import { realpath } from 'node:fs/promises'
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
 * Takes the lock 'one program per folder': a claim on the folder. One whose process is gone is taken
 * over at once; that of a program in another container or on another machine is watched for beats.
 *
 * @throws EmbeddedPostgresError `data-folder-in-use`, naming the folder and the holder
 */
export async function lockFolder(folder: string, options: LockOptions): Promise<FolderLock> {
  const { dataDir, log } = options
  const place = await describePlace()
  const claim = await claimFolder(folder, {
    claimant: { place, pid: process.pid },
    hasEnded: ({ pid }) => !isAlive(pid),
    onWait: () => log('Another program had this data folder; looking whether it still does.'),
  })
  if (claim === undefined) {
    const neighbour = (await readClaims(folder)).find((other) => other.place === place)
    throw inUse(await realpath(dataDir), neighbour)
  }
  return {
    describe: (holder) => claim.describe({ place, ...holder }),
    release: claim.end,
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

/** True when a process with this number exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
