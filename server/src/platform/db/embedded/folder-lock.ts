import { readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseJson, readObject } from '../../http/read-object.ts'
import { embeddedProblem } from './embedded-postgres-error.ts'

export type FolderLock = Awaited<ReturnType<typeof lockFolder>>

/** Of SQLite's result codes, the one for a lock that somebody else holds. */
const sqliteBusy = 5
/** An earlier version touches its file `in-use….json` every three seconds. */
const earlierBeatMs = 8_000

/**
 * Takes the lock 'one program per folder': SQLite's write lock on an empty file, which the system holds
 * for us, against programs in other containers too, and gives back however we end.
 *
 * @param dataDir the folder as people know it, for the message
 * @throws EmbeddedPostgresError `data-folder-in-use`, naming the folder and the holder
 */
export async function lockFolder(folder: string, dataDir: string) {
  const holderFile = path.join(folder, 'holder.json')
  const lock = openLock(folder)
  if (lock === undefined) throw await inUse(dataDir, await describeHolder(holderFile))
  /** Says to those who come second who we are and, once it runs, the port of our PostgreSQL on 127.0.0.1. */
  const describe = async (port?: number) => {
    const about = JSON.stringify({ host: os.hostname(), pid: process.pid, port })
    await writeFile(holderFile, about, { mode: 0o600 })
  }
  const release = async () => {
    await rm(holderFile, { force: true })
    lock.close()
  }
  try {
    if (await isUsedByEarlierVersion(folder)) throw await inUse(dataDir, '')
    await describe()
  } catch (error) {
    await release()
    throw error
  }
  return { describe, release }
}

/** Undefined when another connection holds the lock. */
function openLock(folder: string): DatabaseSync | undefined {
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path.join(folder, 'lock'))
    file.exec('begin immediate')
    return file
  } catch (error) {
    file?.close()
    if (!(error instanceof Error && 'errcode' in error)) throw error
    if (error.errcode === sqliteBusy) return undefined
    const reason = error.message
    throw embeddedProblem('no-permission', 'files', { folder, reason }, { cause: error })
  }
}

/** Empty for a holder in another container, whose process id says nothing here. */
async function describeHolder(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const { host, pid, port } = readObject(parseJson(text))
  if (typeof pid !== 'number' || host !== os.hostname()) return ''
  return ` (process ${pid}${typeof port === 'number' ? `, its PostgreSQL on port ${port}` : ''})`
}

/** Versions up to 0.1.0 hold no lock that is seen from other containers. */
async function isUsedByEarlierVersion(folder: string): Promise<boolean> {
  const files = (await readdir(folder)).filter((name) => /^in-use[.\d]*\.json$/.test(name))
  const beats = await Promise.all(
    files.map(async (name) => (await stat(path.join(folder, name))).mtimeMs),
  )
  return beats.some((beatAtMs) => Date.now() - beatAtMs < earlierBeatMs)
}

async function inUse(dataDir: string, who: string) {
  return embeddedProblem('data-folder-in-use', 'locked', { dataDir: await realpath(dataDir), who })
}
