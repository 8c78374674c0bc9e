import { access } from 'node:fs/promises'
import type { ObjectStore } from '../../platform/storage/object-store.ts'
import { renameFlushed } from '../../platform/storage/write-flushed.ts'
import { systemVersion } from '../../platform/settings/system-version.ts'
import {
  archiveFormat,
  entryNames,
  BackupError,
  createSealing,
  newSealingTerms,
} from './archive-format.ts'
import type { Opening } from './archive-format.ts'
import {
  backedUpPrefixes,
  readObjects,
  assertOutsideOfData,
  listDataFiles,
  readDataFile,
} from './data-files.ts'
import { dumpDatabase } from './dump-database.ts'
import { openArchive, verifyArchive } from './read-archive.ts'
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
}

/**
 * Writes everything that makes an installation into one tar file, while it runs: tables as of one
 * moment, then keys and presets, then the pictures. The file gets its name when it is complete and
 * read through; what an interrupted call has left is overwritten.
 *
 * @throws BackupError
 */
export async function backUp(request: BackupRequest) {
  const { target, passphrase } = request
  assertOutsideOfData(request.dataFolder, target)
  await assertMissing(target)
  const unfinished = `${target}.part`
  const terms = passphrase === undefined ? null : newSealingTerms()
  const sealing =
    passphrase === undefined || terms === null ? undefined : await createSealing(passphrase, terms)
  const archive = await openArchiveWriter(unfinished, sealing)
  let objects: number
  let byteCount: number
  try {
    await addOpening(archive, request, terms)
    // Files first: a key that is made later is in no row of the snapshot.
    await addFiles(archive, request)
    await dumpDatabase(request.databaseUrl, archive, request.print)
    objects = await addObjects(archive, request)
    byteCount = await archive.finish()
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
  await renameFlushed(unfinished, target)
  return { byteCount, objects }
}

function addOpening(archive: ArchiveWriter, { now }: BackupRequest, sealing: Opening['sealing']) {
  const opening: Opening = {
    format: archiveFormat,
    startedAt: now().toISOString(),
    version: systemVersion,
    sealing,
  }
  return archive.add(entryNames.opening, Buffer.from(JSON.stringify(opening)))
}

async function addFiles(archive: ArchiveWriter, { dataFolder }: BackupRequest) {
  for (const path of await listDataFiles(dataFolder)) {
    await archive.add(entryNames.file(path), await readDataFile(dataFolder, path))
  }
}

async function addObjects(
  archive: ArchiveWriter,
  { store, print }: BackupRequest,
): Promise<number> {
  let objects = 0
  for (const prefix of backedUpPrefixes) {
    for await (const { key, content } of readObjects(store, prefix)) {
      await archive.add(entryNames.object(key), content)
      objects += 1
      if (objects % 1_000 === 0) print(`${objects} pictures`)
    }
  }
  return objects
}

async function assertMissing(target: string): Promise<void> {
  const exists = await access(target).then(
    () => true,
    () => false,
  )
  if (exists) throw new BackupError(`${target} exists already. Name another file, or remove it.`)
}
