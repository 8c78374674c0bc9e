import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
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
    const { rows } = await client.query<{
      folder: string
      has_role: boolean
      has_database: boolean
    }>(
      `SELECT current_setting('data_directory') AS folder,
         EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS has_role,
         EXISTS (SELECT FROM pg_database WHERE datname = $1) AS has_database`,
      [databaseName],
    )
    const found = rows[0]
    if (found?.folder !== cluster) throw notOurs
    if (!found.has_role) {
      // A role's password can't be a bound parameter; the verifier's alphabet needs no escaping.
      const verifier = scramVerifier(state.password)
      await client.query(`CREATE ROLE ${databaseName} LOGIN PASSWORD '${verifier}'`)
    }
    if (!found.has_database) {
      await client.query(`CREATE DATABASE ${databaseName} OWNER ${databaseName}`)
    }
  } catch (error) {
    const wrongPassword = error instanceof DatabaseError && error.code === '28P01'
    throw wrongPassword ? notOurs : error
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * The form in which PostgreSQL stores a password, made on our side so that the password itself is
 * in no statement, file or log of the server's (RFC 5802 and RFC 7677; PostgreSQL's manual,
 * catalogue `pg_authid`).
 *
 * @param password printable ASCII, so that no SASLprep is needed
 * @returns `SCRAM-SHA-256$<iterations>:<salt>$<StoredKey>:<ServerKey>`, base64
 */
export function scramVerifier(password: string, salt: Buffer = randomBytes(16)): string {
  const iterations = 4096
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256')
  const mac = (label: string) => createHmac('sha256', salted).update(label).digest()
  const storedKey = createHash('sha256').update(mac('Client Key')).digest('base64')
  const serverKey = mac('Server Key').toString('base64')
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`
}
