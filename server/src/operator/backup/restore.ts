import type pg from 'pg'
import { migrate, readMigrations } from '../../platform/db/migrate.ts'
import { hasTable, withClient } from '../../platform/db/with-client.ts'
import { BackupError, explainDamage } from './archive-format.ts'
import type { BackupSchema } from './archive-format.ts'
import type { BackupRequest } from './back-up.ts'
import { mediaTypeOf, writeDataFile } from './data-files.ts'
import { loadDatabase } from './load-database.ts'
import { openArchive, verifyArchive } from './archive.ts'
import type { OpenArchive, VerifiedArchive } from './archive.ts'

const writesAtOnce = 8

export interface RestoreRequest extends Omit<BackupRequest, 'target' | 'now'> {
  source: string
  /** True: what the target holds may be removed. */
  replaces: boolean
}

/**
 * Puts a backup back: tables in one transaction, brought to the present schema, then keys,
 * presets, pictures; goes on with what an interrupted call left. Throws BackupError before
 * anything changes: when the backup isn't whole, the target isn't empty, or a node runs on it.
 */
export async function restore(request: RestoreRequest) {
  const { source, passphrase, databaseUrl, print } = request
  const archive = await openArchive(source, passphrase)
  try {
    print(`Reading the backup of ${archive.opening.startedAt} through…`)
    const verified = await verifyArchive(archive, source)
    await assertKnownMigrations(verified.schema)
    return await withClient(databaseUrl, 'restore', async (client) => {
      await assertNobodyConnected(client)
      if ((await readInterrupted(client)) === verified.sha256)
        print('Going on where it was interrupted.')
      else await restoreTables(client, { archive, verified, request })
      const objects = await restoreObjects(client, archive, request)
      // Those of the history that the backup lacks: deleted while it was made.
      const missingPictures = await countMissingPictures(client)
      await client.query('drop table restore_state, restored_objects')
      const rows = verified.schema.tables.reduce((sum, table) => sum + table.rows, 0)
      return { rows, objects, missingPictures }
    })
  } finally {
    await archive.close()
  }
}

async function restoreTables(
  client: pg.Client,
  parts: { archive: OpenArchive; verified: VerifiedArchive; request: RestoreRequest },
) {
  const { archive, verified, request } = parts
  if (!request.replaces && (await holdsPeople(client))) {
    throw new BackupError(
      'The database holds people already. Restore into another one, or add --replace to remove all of it.',
    )
  }
  await dropEverything(client)
  try {
    const only = new Set(verified.schema.migrations.map(({ name }) => name))
    await migrate(request.databaseUrl, { only })
    for await (const { about, content } of archive.entries()) {
      if (about.kind === 'file') await writeDataFile(request.dataFolder, about.of, content)
      if (about.kind === 'schema') break
    }
    request.print('Filling the tables…')
    await loadDatabase(client, archive.entries(), verified)
    const { applied } = await migrate(request.databaseUrl)
    if (applied.length > 0) request.print(`Brought to the present schema by ${applied.join(', ')}.`)
  } catch (error) {
    throw explainDamage(error, request.source)
  }
}

async function restoreObjects(
  client: pg.Client,
  archive: OpenArchive,
  { store, print }: RestoreRequest,
): Promise<number> {
  const { rows } = await client.query<{ key: string | null; count: number }>(
    `select max(key collate "C") as key, count(*)::integer as count from restored_objects`,
  )
  const last = rows[0]?.key ?? ''
  let objects = rows[0]?.count ?? 0
  let batch: { key: string; content: Buffer }[] = []
  const flush = async () => {
    await Promise.all(batch.map(({ key, content }) => store.put(key, content, mediaTypeOf(key))))
    await client.query('insert into restored_objects select unnest($1::text[])', [
      batch.map(({ key }) => key),
    ])
    const before = objects
    objects += batch.length
    if (Math.floor(objects / 1_000) > Math.floor(before / 1_000)) print(`${objects} pictures`)
    batch = []
  }
  for await (const { about, content } of archive.entries()) {
    if (about.kind !== 'object' || about.of <= last) continue
    batch.push({ key: about.of, content })
    if (batch.length === writesAtOnce) await flush()
  }
  await flush()
  return objects
}

async function countMissingPictures(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from generations
     where state = 'done' and deleted_at is null and clean_key is not null
       and not exists (select from restored_objects where key = clean_key)`,
  )
  return rows[0]?.count ?? 0
}

/** Names under which a node's parts connect; any may be the only one, as pools end what is idle. */
export const nodeNames = ['starside', 'starside-jobs', 'starside-listen'] as const

/** @throws BackupError when the backup was made by a version that knows other migrations */
async function assertKnownMigrations({ migrations }: BackupSchema): Promise<void> {
  const known = new Map((await readMigrations()).map(({ name, sha256 }) => [name, sha256]))
  const foreign = migrations.find(({ name, sha256 }) => known.get(name) !== sha256)
  if (foreign === undefined) return
  throw new BackupError(
    `The backup was made by a newer or another version (migration ${foreign.name}). ` +
      'Restore it with that version. Nothing was changed.',
  )
}

/** @throws BackupError when a node is connected to the database */
export async function assertNobodyConnected(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()
       and application_name = any ($1)`,
    [[...nodeNames]],
  )
  if (rows[0]?.count === 0) return
  throw new BackupError('Starside runs on this database. Stop all its nodes first.')
}

/** The digest of the backup whose restore was interrupted here; undefined when none was. */
async function readInterrupted(client: pg.Client): Promise<string | undefined> {
  if (!(await hasTable(client, 'public.restore_state'))) return undefined
  const { rows } = await client.query<{ sha256: string }>('select sha256 from restore_state')
  return rows[0]?.sha256
}

async function holdsPeople(client: pg.Client): Promise<boolean> {
  if (!(await hasTable(client, 'public.users'))) return false
  const { rows } = await client.query('select from users limit 1')
  return rows.length > 0
}

/** Removes our tables, functions and queue, not extensions' own; throws unless the role owns it. */
async function dropEverything(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('drop table public.%I cascade', relname) as statement
     from pg_class as class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and not exists (select from pg_depend where objid = class.oid and deptype = 'e')
     union all
     select format('drop routine %s cascade', routine.oid::regprocedure)
     from pg_proc as routine
     where pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend where objid = routine.oid and deptype = 'e')`,
  )
  await client.query('begin')
  for (const { statement } of rows) await client.query(statement)
  await client.query('drop schema if exists pgboss cascade')
  await client.query('commit')
}
