import type pg from 'pg'
import { readMigrations } from './migrate.ts'
import type { Migration } from './migrate.ts'

/** How a database's schema stands to this version. */
export interface PendingMigrations {
  /** What a start would apply, in that order. */
  pending: Migration[]
  /** What was applied and this version doesn't know: a newer one was started here. */
  unknown: string[]
  /** What was applied with another text: a start is refused. */
  changed: string[]
}

/** Compares what was applied with the files of this version; a database without tables has all pending. */
export async function readPendingMigrations(client: pg.Client): Promise<PendingMigrations> {
  const { rows: tables } = await client.query<{ name: string | null }>(
    `select to_regclass('schema_migrations')::text as name`,
  )
  const migrations = await readMigrations()
  if (tables[0]?.name == null) return { pending: migrations, unknown: [], changed: [] }
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
