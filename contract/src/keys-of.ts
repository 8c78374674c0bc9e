/** The names of a table's rows, typed as such; only for tables that hold nothing else. */
export function keysOf<Table extends object>(table: Table): (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[]
}
