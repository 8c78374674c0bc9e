import { access, open, rename, rm } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import pg from 'pg'
import type { ObjectStore } from '../storage/object-store.ts'
import { systemVersion } from '../settings/system-version.ts'
import { archiveFormat, entryNames } from './archive-format.ts'
import type { Opening } from './archive-format.ts'
import { BackupError } from './backup-error.ts'
import { readUnfinished } from './continue-backup.ts'
import { backedUpPrefixes, readObjects } from './copy-objects.ts'
import { assertOutsideOfData, listDataFiles, readDataFile } from './data-files.ts'
import { dumpDatabase } from './dump-database.ts'
import { openArchive, verifyArchive } from './read-archive.ts'
import { createSealing, newSealingTerms } from './sealing.ts'
import { openArchiveWriter } from './write-archive.ts'
import type { ArchiveWriter } from './write-archive.ts'

export interface BackupRequest {
  databaseUrl: string
  store: ObjectStore
  dataFolder: string
  /** The file to make; it must not exist. */
  target: string
  /** Undefined: the backup stays in the open. */
  passphrase: string | undefined
  now: () => Date
  print: (sentence: string) => void
  /** Between two entries; what was written stays and can be gone on with. */
  signal: AbortSignal
}

export interface BackupResult {
  byteCount: number
  objects: number
}

/**
 * Writes everything that makes an installation into one tar file, while it runs: tables as of one
 * moment, then keys and presets, then the pictures. The file gets its name when it is complete and
 * read through; what an interrupted call has left is gone on with.
 *
 * @throws BackupError
 */
export async function backUp(request: BackupRequest): Promise<BackupResult> {
  const { target, passphrase } = request
  assertOutsideOfData(request.dataFolder, target)
  await assertMissing(target)
  const unfinished = `${target}.part`
  const { archive, lastKey } = await openTarget(unfinished, request)
  let objects: number
  try {
    objects = await addObjects(archive, request, lastKey)
    await archive.finish()
  } catch (error) {
    await archive.close()
    throw error
  }
  request.print('Reading it through…')
  const finished = await openArchive(unfinished, passphrase)
  try {
    await verifyArchive(finished, unfinished)
  } finally {
    await finished.close()
  }
  await giveFinalName(unfinished, target)
  return { byteCount: archive.byteCount, objects }
}

/** Goes on with what is there, or begins anew and writes all but the objects. */
async function openTarget(path: string, request: BackupRequest) {
  const { passphrase, now, print } = request
  const installedAt = await readInstalledAt(request.databaseUrl)
  const unfinished = await readUnfinished(path, { passphrase, installedAt, now: now() })
  if (unfinished !== undefined) {
    const { opening, sealing, written, lastKey } = unfinished
    print(`Going on with the backup of ${opening.startedAt}.`)
    return { archive: await openArchiveWriter(path, sealing, written), lastKey }
  }
  const terms = passphrase === undefined ? null : newSealingTerms()
  const sealing =
    passphrase === undefined || terms === null ? undefined : await createSealing(passphrase, terms)
  await rm(path, { force: true })
  const archive = await openArchiveWriter(path, sealing)
  try {
    const opening: Opening = {
      format: archiveFormat,
      startedAt: now().toISOString(),
      version: systemVersion,
      sealing: terms,
    }
    await archive.add(entryNames.opening, Buffer.from(JSON.stringify(opening)))
    // Files first: a key that is made later is in no row of the snapshot.
    await addFiles(archive, request)
    await dumpDatabase(request.databaseUrl, archive, print)
    await archive.sync()
    return { archive, lastKey: '' }
  } catch (error) {
    await archive.close()
    throw error
  }
}

async function addFiles(archive: ArchiveWriter, { dataFolder, signal }: BackupRequest) {
  for (const path of await listDataFiles(dataFolder)) {
    signal.throwIfAborted()
    await archive.add(entryNames.file(path), await readDataFile(dataFolder, path))
  }
}

async function addObjects(
  archive: ArchiveWriter,
  { store, signal, print }: BackupRequest,
  lastKey: string,
): Promise<number> {
  let objects = 0
  for (const prefix of backedUpPrefixes) {
    for await (const { key, content } of readObjects(store, prefix, lastKey)) {
      signal.throwIfAborted()
      await archive.add(entryNames.object(key), content)
      objects += 1
      if (objects % 1_000 === 0) print(`${objects} pictures`)
    }
  }
  return objects
}

async function readInstalledAt(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ at: string }>(
      'select applied_at::text as at from schema_migrations order by name limit 1',
    )
    return rows[0]?.at ?? ''
  } finally {
    await client.end()
  }
}

async function assertMissing(target: string): Promise<void> {
  const exists = await access(target).then(
    () => true,
    () => false,
  )
  if (exists) throw new BackupError(`${target} exists already. Name another file, or remove it.`)
}

async function giveFinalName(unfinished: string, target: string): Promise<void> {
  await rename(unfinished, target)
  const folder = await open(dirname(resolve(target)), 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}
