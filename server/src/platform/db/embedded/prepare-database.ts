import { Client, DatabaseError } from 'pg'
import { embeddedProblem } from './embedded-postgres-error.ts'
import type { DatabaseState } from './state-file.ts'

/** The name of the role the program signs in as, and of its database. */
export const databaseName = 'starside'

/** The address of a database of the embedded server, for `pg` and every other client. */
export function databaseUrl(role: string, password: string, port: number, name: string): string {
  return `postgresql://${role}:${encodeURIComponent(password)}@127.0.0.1:${port}/${name}`
}

/**
 * Proves that the server on this port is the one of this folder (it knows the password, and says
 * where its data is), and makes the role and the database where they are missing.
 *
 * The role is no superuser: a hole in a query must not reach the machine.
 */
export async function prepareDatabase(
  port: number,
  cluster: string,
  state: DatabaseState,
): Promise<void> {
  const client = new Client({
    connectionString: databaseUrl('postgres', state.superuserPassword, port, 'postgres'),
    connectionTimeoutMillis: 30_000,
    application_name: 'starside-start',
  })
  const notOurs = embeddedProblem('data-folder-damaged', 'notOurs', { port, cluster })
  try {
    await client.connect()
    const { rows } = await client.query<{ folder: string; hasRole: boolean; hasDatabase: boolean }>(
      `SELECT current_setting('data_directory') AS folder,
         EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS "hasRole",
         EXISTS (SELECT FROM pg_database WHERE datname = $1) AS "hasDatabase"`,
      [databaseName],
    )
    const found = rows[0]
    if (found?.folder !== cluster) throw notOurs
    if (!found.hasRole) {
      // It can't be a bound parameter; no statement is logged.
      const password = client.escapeLiteral(state.password)
      await client.query(`CREATE ROLE ${databaseName} LOGIN PASSWORD ${password}`)
    }
    if (!found.hasDatabase) {
      await client.query(`CREATE DATABASE ${databaseName} OWNER ${databaseName}`)
    }
  } catch (error) {
    const wrongPassword = error instanceof DatabaseError && error.code === '28P01'
    throw wrongPassword ? notOurs : error
  } finally {
    await client.end().catch(() => {})
  }
}
