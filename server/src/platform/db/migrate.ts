import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { DatabaseError, explainDatabaseError } from './explain-database-error.ts'
import { hasTable, withClient } from './with-client.ts'

const migrationsFolder = fileURLToPath(new URL('../../../migrations/', import.meta.url))

const migrationsTable = 'schema_migrations'

/** The commit of the last version in which the steps since 0.1.0 were files of their own. */
const lastVersionWithSteps = 'f8dbdd3db9a0b8be703277d311a3aa43978fc9d1'

/** Any number that no other program on the same database uses: 'star' in ASCII. */
const advisoryLockKey = 0x73746172

/**
 * Brings a database to the newest schema: the files of `server/migrations/`, in the order of their
 * numbers, each in a transaction of its own. An advisory lock lets several programs start at once;
 * without it, concurrent migrators fail.
 *
 * @param options.only applies these alone, to bring an empty database to an earlier schema
 * @throws DatabaseError when the database can't be reached or used; Error when a file that was
 *   applied has changed since
 */
export async function migrate(
  databaseUrl: string,
  options: { only?: ReadonlySet<string> } = {},
): Promise<{ applied: string[] }> {
  try {
    return await withClient(databaseUrl, 'starside-migrate', async (client) => {
      await refuseOldServer(client)
      // Ends with the connection.
      await client.query('select pg_advisory_lock($1)', [advisoryLockKey])
      return { applied: await applyMissing(client, options.only) }
    })
  } catch (error) {
    throw explainDatabaseError(databaseUrl, error)
  }
}

/**
 * Refuses a database in which Starside was never started, as a wrong address names an empty one.
 * @throws DatabaseError with a sentence for the operator
 */
export async function assertMigrated(databaseUrl: string): Promise<void> {
  const isMigrated = await withClient(databaseUrl, 'starside-command', (client) =>
    hasTable(client, migrationsTable),
  ).catch((error: unknown) => {
    throw explainDatabaseError(databaseUrl, error)
  })
  if (isMigrated) return
  const { hostname, pathname } = new URL(databaseUrl)
  throw new DatabaseError(
    `The database${pathname.replace('/', ' ')} at ${hostname} holds no Starside. ` +
      'Look at DATABASE_URL; `npm start` makes the tables of a new one.',
  )
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num')
  const version = Number(rows[0]?.server_version_num)
  if (version < 150_000) {
    throw new DatabaseError(`Starside needs PostgreSQL 15 or newer; this server says ${version}.`)
  }
}

async function applyMissing(client: pg.Client, only?: ReadonlySet<string>): Promise<string[]> {
  await client.query(`
    create table if not exists schema_migrations (
      name text primary key,
      sha256 text not null,
      applied_at timestamptz not null default now()
    )`)
  for (const migration of await readMigrations()) await recogniseReplaced(client, migration)
  const { pending, changed } = await readPendingMigrations(client)
  if (changed.length > 0) {
    throw new Error(`Migration ${changed[0]} was changed after it had been applied; add a new one`)
  }
  const missing = pending.filter(({ name }) => only?.has(name) !== false)
  for (const { name, sql, sha256 } of missing) await applyOne(client, name, sql, sha256)
  return missing.map(({ name }) => name)
}

/**
 * Takes a migration as applied where all the files that it replaces are.
 * @throws DatabaseError when only some of them are
 */
async function recogniseReplaced(client: pg.Client, migration: Migration): Promise<void> {
  const { name, sha256, replaces } = migration
  const { rows } = await client.query<{ taken: number }>(
    'select count(*)::integer as taken from schema_migrations where name = any($1)',
    [replaces],
  )
  const taken = rows[0]?.taken ?? 0
  if (taken === 0) return
  if (taken < replaces.length) {
    throw new DatabaseError(
      `A version between two releases was used on this database: it has ${taken} of the ` +
        `${replaces.length} steps that are one now, ${name}. Start the last version that had them ` +
        `one by one on it first, ${lastVersionWithSteps}, then this one. Nothing was changed.`,
    )
  }
  await client.query(
    `with gone as (delete from schema_migrations where name = any($1))
     insert into schema_migrations (name, sha256) values ($2, $3)`,
    [replaces, name, sha256],
  )
}

async function applyOne(client: pg.Client, name: string, sql: string, sha256: string) {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [
      name,
      sha256,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${name} failed`, { cause: error })
  }
}

/** A file of `server/migrations/`. */
export type Migration = Awaited<ReturnType<typeof readMigrations>>[number]

/** The migrations of this version, in their order. */
export async function readMigrations() {
  const names = (await readdir(migrationsFolder)).filter((name) => /^\d{4}-.+\.sql$/.test(name))
  return Promise.all(
    names.toSorted().map(async (name) => {
      const sql = await readFile(migrationsFolder + name, 'utf8')
      // Files of versions between two releases that it stands for; they aren't there any more.
      const replaces = [...sql.matchAll(/^-- replaces (\S+)$/gm)].map(([, file = '']) => file)
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex'), replaces }
    }),
  )
}

/**
 * Compares what was applied with the files of this version: what a start would apply, in that order; what this
 * version doesn't know, as a newer one was started here; what was applied with another text, so that a start is
 * refused. A database without tables has all pending.
 */
export async function readPendingMigrations(client: pg.Client) {
  const migrations = await readMigrations()
  if (!(await hasTable(client, migrationsTable))) {
    return { pending: migrations, unknown: [], changed: [] }
  }
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migrations order by name',
  )
  const applied = new Map(rows.map(({ name, sha256 }) => [name, sha256]))
  const names = new Set(migrations.map(({ name }) => name))
  return {
    pending: migrations.filter(({ name }) => !applied.has(name)),
    unknown: rows.map(({ name }) => name).filter((name) => !names.has(name)),
    changed: migrations
      .filter(({ name, sha256 }) => applied.has(name) && applied.get(name) !== sha256)
      .map(({ name }) => name),
  }
}
