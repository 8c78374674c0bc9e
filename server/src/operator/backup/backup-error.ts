import pg from 'pg'

/** A backup or restore that can't go on, with a sentence for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** Node's words for pieces that don't unpack, and for names of files that contradict each other. */
const damageCodes = /^(?:Z_\w+|ERR_BUFFER_TOO_LARGE|EISDIR|ENOTDIR|EEXIST|ENOTEMPTY|ENAMETOOLONG)$/
/** PostgreSQL's classes for what isn't supported, and values, keys and names that don't fit. */
const misfitStates = /^(?:0A|22|23|42)/

/**
 * The sentence for what only a backup's own content brings about, such as rows of other columns in
 * a file that somebody else has made; every other failure as it is.
 */
export function explainDamage(error: unknown, source: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const code = String(error.code)
  const isDamage =
    error instanceof pg.DatabaseError ? misfitStates.test(code) : damageCodes.test(code)
  if (!isDamage) return error
  return new BackupError(
    `${source} can't be restored, as what it holds doesn't fit together: ${error.message}. ` +
      'The database was left empty: restore another backup.',
    { cause: error },
  )
}
