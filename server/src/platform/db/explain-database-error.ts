import databaseFailures from './database-failures.json' with { type: 'json' }
import { codeOf } from '../errors/code-of.ts'

/** A database that can't be used, with a sentence for the operator that holds no password. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
}

/** What an operator can mend, by Node's and PostgreSQL's error codes. */
const reasons: Readonly<Record<string, string>> = databaseFailures

/**
 * The sentence for a failure to reach the database of DATABASE_URL, as a {@link DatabaseError};
 * every other error unchanged.
 *
 * @param databaseUrl a `postgres://` address; its password is left out of the sentence
 */
export function explainDatabaseError(databaseUrl: string, error: unknown): unknown {
  const reason = reasons[codeOf(error)]
  if (reason === undefined) return error
  const { hostname, port, pathname } = new URL(databaseUrl)
  return new DatabaseError(
    `The database${pathname.replace('/', ' ')} at ${hostname}:${port || '5432'} can't be used: ` +
      `${reason} (named by DATABASE_URL).`,
    { cause: error },
  )
}
