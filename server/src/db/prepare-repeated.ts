import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'

/** A statement is prepared at this sending; one that is sent once or twice isn't worth it. */
const preparedAtSending = 3
/** Texts that are counted. More would be texts made of data, as of a list's length. */
const textsMax = 1_000
/** Prepared statements take memory on each connection. */
const preparedMax = 300

/**
 * The pool as Kysely takes it, with each statement that comes again sent as a named prepared one:
 * PostgreSQL then parses and plans it once for each connection instead of each time.
 */
export function prepareRepeated(pool: pg.Pool): PostgresPool {
  const nameOf = createStatementNames()
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      const known = clients.get(client) ?? wrap(client, nameOf)
      clients.set(client, known)
      return known
    },
  }
}

function wrap(
  client: pg.PoolClient,
  nameOf: (text: string) => string | undefined,
): PostgresPoolClient {
  const query = (text: string, values: readonly unknown[]) =>
    values.length === 0
      ? client.query(text)
      : client.query({ name: nameOf(text), text, values: [...values] })
  return {
    // Kysely's other overload is for cursors, which this program has no use for.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy),
  }
}

/** Gives a text its name once it was sent often enough; the same text, the same name. */
export function createStatementNames(): (text: string) => string | undefined {
  const sendings = new Map<string, number>()
  const names = new Map<string, string>()
  return (text) => {
    const known = names.get(text)
    if (known !== undefined) return known
    const count = (sendings.get(text) ?? 0) + 1
    if (count < preparedAtSending) {
      if (sendings.size < textsMax) sendings.set(text, count)
      return undefined
    }
    sendings.delete(text)
    if (names.size >= preparedMax || hasOpenColumns(text)) return undefined
    const name = `repeated_${names.size + 1}`
    names.set(text, name)
    return name
  }
}

/**
 * True for `select *` and the like. Its columns may grow while another node migrates, and
 * PostgreSQL refuses a prepared statement whose answer has changed its shape.
 */
function hasOpenColumns(text: string): boolean {
  return /(?:\bselect |\breturning |\.|, )\*/.test(text)
}
