import { fill } from '@starside/contract/fill.ts'
import type { TextValues } from '@starside/contract/fill.ts'
import { codeOf } from '../../errors/code-of.ts'
import problems from './problems.json' with { type: 'json' }

type Problems = typeof problems
/** Every way in which the embedded PostgreSQL can fail to serve, as a closed list. */
export type EmbeddedPostgresProblem = keyof Problems

/** A failure of the embedded PostgreSQL; the message is a sentence for the operator. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
  readonly problem: EmbeddedPostgresProblem

  constructor(problem: EmbeddedPostgresProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}

/** The error of a problem with one of its sentences of `problems.json`, filled in. */
export function embeddedProblem<Problem extends EmbeddedPostgresProblem>(
  problem: Problem,
  sentence: keyof Problems[Problem],
  values: TextValues,
  options?: ErrorOptions,
): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    problem,
    fill(String(problems[problem][sentence]), values),
    options,
  )
}

/** The failures of files that an operator can mend. */
const fileProblems: Readonly<
  Record<string, 'disk-full' | 'no-permission' | 'data-folder-is-a-file'>
> = {
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  EACCES: 'no-permission',
  EPERM: 'no-permission',
  EROFS: 'no-permission',
  ENOTDIR: 'data-folder-is-a-file',
  EEXIST: 'data-folder-is-a-file',
}

/** Turns failures of files that an operator can mend into a sentence with the folder's name. */
export async function explainFileErrors<T>(folder: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (error) {
    const problem = fileProblems[codeOf(error)]
    if (problem === undefined || error instanceof EmbeddedPostgresError) throw error
    const reason = error instanceof Error ? error.message : ''
    throw embeddedProblem(problem, 'files', { folder, reason }, { cause: error })
  }
}

/** True when PostgreSQL's words say that the disk is full. */
export function saysDiskIsFull(words: string): boolean {
  return /No space left on device|Check free disk space|Disk quota exceeded/u.test(words)
}
