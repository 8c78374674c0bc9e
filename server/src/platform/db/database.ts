import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import type { Transaction as KyselyTransaction } from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.d.ts'

export type Database = Kysely<Tables>
export type Transaction = KyselyTransaction<Tables>

/** Either of the two: for a query that is right inside and outside a transaction. */
export type Queryable = Database | Transaction

/** A connection whose server is gone must not hold up the stop. */
const closeTimeoutMs = 3_000

export type DatabaseHandle = ReturnType<typeof openDatabase>

/** Opens a pool. A connection that dies goes to `onError`, else Node would end, and is replaced. */
export function openDatabase(options: {
  url: string
  connectionsMax: number
  onError: (error: Error) => void
}) {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.connectionsMax,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    application_name: 'starside',
  })
  // The pool listens to its idle connections alone. One that is lost while it is checked out, between
  // two statements of a transaction, would otherwise end the program; the next statement fails.
  pool.on('error', () => undefined)
  const open = new Map<pg.PoolClient, Promise<void>>()
  pool.on('connect', (client) => {
    client.on('error', options.onError)
    const { promise, resolve } = Promise.withResolvers<void>()
    open.set(client, promise)
    client.once('end', () => {
      open.delete(client)
      resolve()
    })
  })
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return {
    database,
    /** The pool under it, for LISTEN connections and named prepared statements. */
    pool,
    /** Resolves when the last connection has ended, or after a few seconds. */
    async close(): Promise<void> {
      await database.destroy()
      // Kysely ends the pool only when it has used it itself.
      if (!pool.ending) await pool.end()
      // `end()` resolves before the sockets are closed.
      const closed = new AbortController()
      await Promise.race([
        Promise.all(open.values()),
        delay(closeTimeoutMs, undefined, { signal: closed.signal, ref: false }).catch(() => {}),
      ])
      closed.abort()
    },
  }
}

/** Runs `act` in one transaction: commits what it returns, rolls back when it throws. */
export function inTransaction<Result>(
  database: Database,
  act: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  return database.transaction().execute(act)
}
