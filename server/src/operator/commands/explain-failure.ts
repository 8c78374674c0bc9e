import { BackupError } from '../backup/archive-format.ts'
import { DatabaseError } from '../../platform/db/explain-database-error.ts'
import { EmbeddedPostgresError } from '../../platform/db/embedded-postgres.ts'
import { SettingsError } from '../../platform/settings/settings-error.ts'

const fileFailures: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'this is a folder',
  ENOTDIR: 'a part of this path is a file and not a folder',
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
}

/**
 * The sentence for a failure that an operator can put right: a setting, the database, a file, a
 * port. Undefined for everything else, which is a bug and is reported with its stack.
 */
export function explainFailure(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (
    error instanceof SettingsError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof DatabaseError ||
    error instanceof BackupError
  ) {
    return error.message
  }
  const { code, path, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'EADDRINUSE' && port !== undefined) {
    return (
      `The port ${port} is taken by another program. ` +
      'Set PORT to a free one, as in: PORT=3010 npm start'
    )
  }
  const reason = code === undefined ? undefined : fileFailures[code]
  return reason === undefined || path === undefined ? undefined : `${path}: ${reason}.`
}

export function isRefusalOfArguments(error: unknown): error is Error {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.startsWith('ERR_PARSE_ARGS')
}
