import { EmbeddedPostgresError } from './embedded/embedded-postgres-error.ts'

/** A database that can't be used, with a sentence for the operator that holds no password. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
}

/** What an operator can mend, by Node's and PostgreSQL's error codes. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there, PostgreSQL may not be running',
  ECONNRESET: 'the server broke the connection off',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the host name could not be looked up',
  ETIMEDOUT: 'nobody answered in time',
  EHOSTUNREACH: 'the host can’t be reached',
  ENETUNREACH: 'the network can’t be reached',
  '28P01': 'the password is wrong',
  '28000': 'the server refuses this user',
  '3D000': 'there is no database of this name',
  '42501': 'this user may not read or change Starside’s tables',
  '57P03': 'the server is starting or stopping; try again in a moment',
  '53300': 'the server has no connection left',
}

/**
 * The sentence for a failure to reach the database of DATABASE_URL, as a {@link DatabaseError};
 * every other error unchanged.
 *
 * @param databaseUrl a `postgres://` address; its password is left out of the sentence
 */
export function explainDatabaseError(databaseUrl: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof EmbeddedPostgresError) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const reason = reasons[code]
  if (reason === undefined) return error
  const { hostname, port, pathname } = new URL(databaseUrl)
  return new DatabaseError(
    `The database${pathname.replace('/', ' ')} at ${hostname}:${port || '5432'} can't be used: ` +
      `${reason} (named by DATABASE_URL).`,
    { cause: error },
  )
}
