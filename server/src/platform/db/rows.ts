import { sql } from 'kysely'
import type { Insertable, RawBuilder, Selectable, Updateable } from 'kysely'
import type { Queryable } from './database.ts'
import type { Tables } from './tables.d.ts'

type Name = keyof Tables
type Row<Table extends Name> = Selectable<Tables[Table]>
/** Values of columns, at least one, where null is no value; or what stands behind `where`. */
type Match<Table extends Name> = Partial<Row<Table>> | RawBuilder<unknown>

/** Rows of a table, whole; an order and a limit may stand behind what they match. */
export async function findRows<Table extends Name>(
  database: Queryable,
  table: Table,
  match: Match<Table>,
): Promise<Row<Table>[]> {
  const { rows } = await sql<Row<Table>>`
    select * from ${sql.table(table)} where ${matching(match)}`.execute(database)
  return rows
}

/** The row of a unique key. */
export async function findRow<Table extends Name>(
  ...asked: [database: Queryable, table: Table, key: Match<Table>]
): Promise<Row<Table> | undefined> {
  const [row] = await findRows(...asked)
  return row
}

/** Inserts a row and answers it with its defaults. */
export async function insertRow<Table extends Name>(
  database: Queryable,
  table: Table,
  values: Insertable<Tables[Table]>,
): Promise<Row<Table>> {
  const columns = Object.keys(values).map((column) => sql.ref(column))
  const { rows } = await sql<Row<Table>>`
    insert into ${sql.table(table)} (${sql.join(columns)})
    values (${sql.join(Object.values(values))})
    returning *`.execute(database)
  const [row] = rows
  if (row === undefined) throw new Error(`a trigger of ${table} kept a row out`)
  return row
}

/** Changes rows and answers them as they are then. */
export async function updateRows<Table extends Name>(
  database: Queryable,
  table: Table,
  { match, set }: { match: Match<Table>; set: Updateable<Tables[Table]> },
): Promise<Row<Table>[]> {
  const changes = Object.entries(set).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const { rows } = await sql<Row<Table>>`
    update ${sql.table(table)} set ${sql.join(changes)} where ${matching(match)}
    returning *`.execute(database)
  return rows
}

/** Deletes rows and answers how many there were. */
export async function deleteRows<Table extends Name>(
  database: Queryable,
  table: Table,
  match: Match<Table>,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ${matching(match)}`.execute(database)
  return Number(numAffectedRows)
}

function matching<Table extends Name>(match: Match<Table>): RawBuilder<unknown> {
  if (isRaw(match)) return match
  const columns = Object.entries(match)
  if (columns.length === 0) throw new Error('rows match by one of their columns at least')
  const conditions = columns.map(([column, value]) =>
    value === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${value}`,
  )
  return sql.join(conditions, sql` and `)
}

function isRaw(match: object): match is RawBuilder<unknown> {
  return 'toOperationNode' in match
}
