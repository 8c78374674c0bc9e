import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { schemaSchema } from './archive-format.ts'
import type { Opening } from './archive-format.ts'
import { openArchive, parse } from './read-archive.ts'
import type { OpenArchive } from './read-archive.ts'
import type { Sealing } from './sealing.ts'
import { syncEveryBytes } from './write-archive.ts'
import type { WrittenSoFar } from './write-archive.ts'

/** An older one would lack too many pictures that were deleted since. */
const ageMaxMs = 24 * 60 * 60_000

/** What an interrupted backup has left, and where it goes on. */
export interface UnfinishedBackup {
  opening: Opening
  sealing: Sealing | undefined
  written: WrittenSoFar
  /** The last object that is in it; empty when there is none. */
  lastKey: string
}

/**
 * Reads what an interrupted backup has left. What was written last may not have reached the disk
 * before a power cut, so that it is written again.
 *
 * @returns undefined when there is nothing to go on with: the tables aren't complete, it is of
 *   another installation, older than a day or encrypted otherwise
 */
export async function readUnfinished(
  path: string,
  options: { passphrase: string | undefined; installedAt: string; now: Date },
): Promise<UnfinishedBackup | undefined> {
  if (!(await stat(path).catch(() => undefined))) return undefined
  const archive = await openArchive(path, options.passphrase).catch(() => undefined)
  if (archive === undefined) return undefined
  try {
    const { opening, sealing } = archive
    const age = options.now.getTime() - new Date(opening.startedAt).getTime()
    if (age > ageMaxMs || (sealing === undefined) !== (options.passphrase === undefined))
      return undefined
    const whole = await scan(archive, { path, upTo: Number.POSITIVE_INFINITY })
    if (whole.tables?.installedAt !== options.installedAt) return undefined
    const upTo = Math.max(whole.tables.endByte, whole.byteCount - 2 * syncEveryBytes)
    const { tables: _, lastKey, ...written } = await scan(archive, { path, upTo })
    return { opening, sealing, written, lastKey }
  } finally {
    await archive.close()
  }
}

/** Reads the whole entries that end at `upTo` at the latest. */
async function scan(archive: OpenArchive, { path, upTo }: { path: string; upTo: number }) {
  const hash = createHash('sha256')
  let tables: { installedAt: string; endByte: number } | undefined
  let [entryCount, byteCount, lastKey] = [0, 0, '']
  for await (const { about, content, endByte } of archive.entries(hash)) {
    if (endByte > upTo || about.kind === 'closing') break
    if (about.kind === 'schema') {
      tables = { installedAt: parse(schemaSchema, content, path).installedAt, endByte }
    }
    if (about.kind === 'object') lastKey = about.of
    entryCount += 1
    byteCount = endByte
  }
  return { hash, entryCount, byteCount, lastKey, tables }
}
