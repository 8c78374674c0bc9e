/** Every way in which the embedded PostgreSQL can fail to serve, as a closed list. */
export type EmbeddedPostgresProblem =
  | 'data-folder-in-use'
  | 'data-folder-copied'
  | 'data-folder-damaged'
  | 'data-folder-is-a-file'
  | 'no-database'
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

/** The failures of files that an operator can mend, each with its sentence. */
const fileProblems: Readonly<
  Record<
    string,
    {
      readonly problem: EmbeddedPostgresProblem
      sentence(folder: string, reason: string): string
    }
  >
> = {
  ENOSPC: { problem: 'disk-full', sentence: diskFull },
  EDQUOT: { problem: 'disk-full', sentence: diskFull },
  EACCES: { problem: 'no-permission', sentence: noPermission },
  EPERM: { problem: 'no-permission', sentence: noPermission },
  EROFS: { problem: 'no-permission', sentence: noPermission },
  ENOTDIR: { problem: 'data-folder-is-a-file', sentence: isFile },
  EEXIST: { problem: 'data-folder-is-a-file', sentence: isFile },
}

function diskFull(folder: string): string {
  return `The disk that holds the database folder ${folder} is full. Free some space and start again.`
}

function noPermission(folder: string, reason: string): string {
  return (
    `The database folder ${folder} can't be used by this user (${reason}). ` +
    'Give the user the right to write there, or set DATA_DIR to another folder.'
  )
}

function isFile(folder: string): string {
  return `${folder} can't be made, as a part of this path is a file. Set DATA_DIR to a folder.`
}

/**
 * Runs a step that works on files and turns the failures an operator can mend (a full disk, a
 * missing permission, a file in the way) into a sentence that names the folder. Other errors pass
 * unchanged.
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
  const known = fileProblems[errno]
  if (known === undefined) return error
  const sentence = known.sentence(folder, error.message)
  return new EmbeddedPostgresError(known.problem, sentence, { cause: error })
}

/** True when PostgreSQL's words say that the disk is full. */
export function saysDiskIsFull(words: string): boolean {
  return /No space left on device|Check free disk space|Disk quota exceeded/u.test(words)
}
