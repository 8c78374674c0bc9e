/** Every way in which the embedded PostgreSQL can fail to serve, as a closed list. */
export type EmbeddedPostgresProblem =
  | 'data-folder-in-use'
  | 'data-folder-copied'
  | 'data-folder-damaged'
  | 'wrong-version'
  | 'disk-full'
  | 'no-permission'
  | 'no-binaries'
  | 'no-user'
  | 'start-failed'
  | 'ended-unexpectedly'

/** A failure of the embedded PostgreSQL; the message is a sentence for the operator. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
  readonly problem: EmbeddedPostgresProblem

  constructor(problem: EmbeddedPostgresProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}

const problemsByErrno: Record<string, EmbeddedPostgresProblem> = {
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  EACCES: 'no-permission',
  EPERM: 'no-permission',
  EROFS: 'no-permission',
}

/**
 * Runs a step that works on files and turns the two failures an operator can mend (a full disk, a
 * missing permission) into a sentence that names the folder. Other errors pass unchanged.
 */
export async function explainFileErrors<T>(folder: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    throw explainFileError(folder, error)
  }
}

function explainFileError(folder: string, error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof EmbeddedPostgresError) return error
  const errno = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const problem = problemsByErrno[errno]
  if (problem === undefined) return error
  const sentence =
    problem === 'disk-full'
      ? `The disk that holds the database folder ${folder} is full. Free some space and start again.`
      : `The database folder ${folder} can't be used by this user (${error.message}). ` +
        'Give the user the right to write there, or set DATA_DIR to another folder.'
  return new EmbeddedPostgresError(problem, sentence, { cause: error })
}

/** True when PostgreSQL's words say that the disk is full. */
export function saysDiskIsFull(words: string): boolean {
  return /No space left on device|Check free disk space|Disk quota exceeded/u.test(words)
}
