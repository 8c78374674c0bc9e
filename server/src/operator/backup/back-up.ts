import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { withClient } from '../../platform/db/with-client.ts'
import { existsSync } from 'node:fs'
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
import type { BackupSchema, Opening } from './archive-format.ts'
import {
  backedUpPrefixes,
  readObjects,
  assertOutsideOfData,
  listDataFiles,
  readDataFile,
} from './data-files.ts'
import { openArchive, openArchiveWriter, verifyArchive } from './archive.ts'
import type { ArchiveWriter } from './archive.ts'

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
 * Writes an installation into one tar file while it runs: tables as of one moment, then keys and presets, then
 * pictures. The file gets its name when it was read through; what an interrupted call left is overwritten.
 * @throws BackupError
 */
export async function backUp(request: BackupRequest) {
  const { target, passphrase } = request
  assertOutsideOfData(request.dataFolder, target)
  if (existsSync(target)) {
    throw new BackupError(`${target} exists already. Name another file, or remove it.`)
  }
  const unfinished = `${target}.part`
  const written = await writeArchive(unfinished, request)
  request.print('Reading it through…')
  const finished = await openArchive(unfinished, passphrase)
  try {
    await verifyArchive(finished, unfinished)
  } finally {
    await finished.close()
  }
  await renameFlushed(unfinished, target)
  return written
}

async function writeArchive(file: string, request: BackupRequest) {
  const { passphrase, dataFolder } = request
  const startedAt = request.now().toISOString()
  const terms = passphrase === undefined ? null : newSealingTerms()
  const sealing =
    passphrase === undefined || terms === null ? undefined : await createSealing(passphrase, terms)
  const opening = { format: archiveFormat, startedAt, version: systemVersion, sealing: terms }
  const archive = await openArchiveWriter(file, sealing)
  try {
    await archive.add(entryNames.opening, Buffer.from(JSON.stringify(opening satisfies Opening)))
    // Files first: a key that is made later is in no row of the snapshot.
    for (const path of await listDataFiles(dataFolder)) {
      await archive.add(entryNames.file(path), await readDataFile(dataFolder, path))
    }
    await dumpDatabase(request, archive)
    const objects = await addObjects(archive, request)
    return { objects, byteCount: await archive.finish() }
  } finally {
    await archive.close()
  }
}

async function addObjects(archive: ArchiveWriter, { store, print }: BackupRequest) {
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

const pieceBytes = 8 * 1024 * 1024
const compress = promisify(gzip)

const migrationsTable = 'schema_migrations'
/** Keys of layers, which no backup holds: they must not outlive what is deleted by deleting its key. */
const keysTable = 'generation_layers'

/**
 * Writes all tables as of one moment: one transaction that only reads, whose snapshot no other
 * one changes. The last entry describes the schema and says that they are complete. Queued jobs
 * are left out: what was under way ends as after a crash. Throws when the connection is lost.
 */
async function dumpDatabase({ databaseUrl, print }: BackupRequest, archive: ArchiveWriter) {
  await withClient(databaseUrl, 'backup', async (client) => {
    await client.query('begin transaction isolation level repeatable read read only')
    const tables: BackupSchema['tables'] = []
    for (const { name, columns } of await listTables(client)) {
      const rows = await dumpTable(client, archive, { name, columns })
      print(`${name}: ${rows} rows`)
      tables.push({ name, columns, rows })
    }
    const { rows: migrations } = await client.query<{ name: string; sha256: string; at: string }>(
      `select name, sha256, applied_at::text as at from ${migrationsTable} order by name`,
    )
    const { rows: sequences } = await client.query<BackupSchema['sequences'][number]>(
      `select sequencename as name, last_value::text as "lastValue"
       from pg_sequences where schemaname = 'public' and last_value is not null
       order by sequencename`,
    )
    await client.query('commit')
    const schema: BackupSchema = {
      installedAt: migrations[0]?.at ?? '',
      migrations: migrations.map(({ name, sha256 }) => ({ name, sha256 })),
      tables,
      sequences,
    }
    await archive.add(entryNames.schema, Buffer.from(JSON.stringify(schema)))
  })
}

/** No table stands behind more others than this; tables that refer to each other in a circle would. */
const referencesMax = 50

/** The tables of `public`, without computed columns, each behind those that it refers to before the commit. */
async function listTables(client: pg.Client): Promise<{ name: string; columns: string[] }[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; place: number }>(
    `with recursive references_of as (
       select distinct conrelid, confrelid from pg_constraint
       where contype = 'f' and not condeferred and conrelid <> confrelid
     ), placed (id, place) as (
       select oid, 0 from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
         and not relispartition and relname <> $1
       union
       select conrelid, place + 1 from placed join references_of on confrelid = id
       where place <= ${referencesMax}
     )
     select class.relname as name,
       (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
       max(place) as place
     from placed join pg_class as class on class.oid = placed.id
     group by class.oid, class.relname
     order by place, class.relname`,
    [migrationsTable],
  )
  const circular = rows.findLast(({ place }) => place > referencesMax)
  if (circular) throw new Error(`${circular.name} refers to itself by others`)
  return rows
}

/** Resolves to how many rows were written. */
async function dumpTable(
  client: pg.Client,
  archive: ArchiveWriter,
  { name, columns }: { name: string; columns: readonly string[] },
): Promise<number> {
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ')
  const copy = client.query(
    copyTo(
      `copy (select ${list} from public.${pg.escapeIdentifier(name)}
       where ${name !== keysTable}) to stdout`,
    ),
  )
  let piece = 0
  let waiting: Buffer[] = []
  let waitingBytes = 0
  const flush = async () => {
    if (waitingBytes === 0) return
    await archive.add(entryNames.table(name, piece), await compress(Buffer.concat(waiting)))
    piece += 1
    waiting = []
    waitingBytes = 0
  }
  for await (const chunk of copy as AsyncIterable<Buffer>) {
    waiting.push(chunk)
    waitingBytes += chunk.length
    if (waitingBytes >= pieceBytes) await flush()
  }
  await flush()
  return copy.rowCount
}
