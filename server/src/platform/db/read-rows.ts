import type pg from 'pg'
import { joinCalls } from './join-calls.ts'

const readsInStatementMax = 256
/** A statement held up by one slow read doesn't hold up those that came after it. */
const statementsInFlightMax = 3

/**
 * A read of one row by a key, for what is asked most often: the reads of many requests share a
 * named prepared statement. A read begins after its call, so it sees everything committed before.
 * @param options.name of the prepared statement, unique in the program
 * @param options.text takes what `values` gives, and selects, beside the row, as `n` the place of
 *   its key in the list (from 1); no row for a key means that there is none
 */
export function createRowReader<Key, Row extends object>(
  pool: pg.Pool,
  options: { name: string; text: string; values(keys: readonly Key[]): unknown[] },
): (key: Key) => Promise<Row | undefined> {
  const { name, text } = options
  return joinCalls<Key, Row | undefined>({
    sizeMax: readsInStatementMax,
    inFlightMax: statementsInFlightMax,
    async run(keys) {
      const values = options.values(keys)
      const { rows } = await pool.query<Row & { n: number }>({ name, text, values })
      const found: (Row | undefined)[] = Array.from({ length: keys.length })
      for (const row of rows) found[row.n - 1] = row
      return found
    },
  })
}

/**
 * A statement's keys as rows, each with its place. The limit, which takes none away, keeps the
 * planner with the prepared plan instead of planning anew for the list at hand.
 * @param lists the statement's lists with their types, `$1` first
 */
export function requestRows(lists: string): string {
  return `select * from unnest(${lists}) with ordinality limit cardinality($1)`
}
