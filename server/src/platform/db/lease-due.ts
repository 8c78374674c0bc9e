import { sql } from 'kysely'
import type { RawBuilder, Selectable } from 'kysely'
import type { Queryable } from './database.ts'
import type { Tables } from './tables.d.ts'

/** A table whose rows wait for their time, one column saying when that is. */
export interface DueTable<Name extends keyof Tables> {
  table: Name
  key: readonly (keyof Tables[Name] & string)[]
  /** When a row is due; leasing moves it on. */
  dueAt: keyof Tables[Name] & string
  /** Counts how often a row was leased; undefined: this time doesn't count. */
  count: (keyof Tables[Name] & string) | undefined
  /** Which rows wait at all. */
  where: RawBuilder<boolean>
}

/**
 * Leases rows that are due, those first that have been for the longest time: their time is moved on
 * by the lease, so that no other node takes them meanwhile, and a node that dies gives them back by
 * its end. Whoever works on a row then writes when it is due again.
 */
export async function leaseDue<Name extends keyof Tables>(
  database: Queryable,
  { table, key, dueAt, count, where }: DueTable<Name>,
  options: { now: Date; leaseMs: number; limit: number },
): Promise<Selectable<Tables[Name]>[]> {
  const { now, leaseMs, limit } = options
  const keyColumns = sql.join(key.map((column) => sql.ref(column)))
  const { rows } = await sql<Selectable<Tables[Name]>>`
    update ${sql.table(table)}
    set ${sql.ref(dueAt)} = ${new Date(now.getTime() + leaseMs)}
      ${count === undefined ? sql`` : sql`, ${sql.ref(count)} = ${sql.ref(count)} + 1`}
    where (${keyColumns}) in (
      select ${keyColumns} from ${sql.table(table)}
      where ${sql.ref(dueAt)} <= ${now} and ${where}
      order by ${sql.ref(dueAt)}
      limit ${limit}
      for update skip locked
    )
    returning *
  `.execute(database)
  return rows
}
