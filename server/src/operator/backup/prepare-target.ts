import type pg from 'pg'
import { readMigrations } from '../../platform/db/migrate.ts'
import type { BackupSchema } from './archive-format.ts'
import { BackupError } from './backup-error.ts'

/**
 * The names under which the parts of a node are connected. Pools end what is idle, so that any of them
 * may be the only one.
 */
export const nodeNames = ['starside', 'starside-jobs', 'starside-listen'] as const

/** @throws BackupError when the backup was made by a version that knows other migrations */
export async function assertKnownMigrations({ migrations }: BackupSchema): Promise<void> {
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
export async function readInterrupted(client: pg.Client): Promise<string | undefined> {
  if (!(await hasTable(client, 'restore_state'))) return undefined
  const { rows } = await client.query<{ sha256: string }>('select sha256 from restore_state')
  return rows[0]?.sha256
}

/** True when somebody has an account here. */
export async function holdsPeople(client: pg.Client): Promise<boolean> {
  if (!(await hasTable(client, 'users'))) return false
  const { rows } = await client.query('select from users limit 1')
  return rows.length > 0
}

/**
 * Removes everything of ours: tables, functions and the queue. What extensions brought stays.
 *
 * @throws when the present role doesn't own it
 */
export async function dropEverything(client: pg.Client): Promise<void> {
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

async function hasTable(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ oid: string | null }>(
    'select to_regclass($1)::text as oid',
    [`public.${name}`],
  )
  return rows[0]?.oid != null
}
