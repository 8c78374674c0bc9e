/** The code of an error of Node's, PostgreSQL's or Fastify's, such as `ENOENT`; empty where it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''
}

/** For reading what may not be there: undefined for a file or folder that is missing; throws all else. */
export function undefinedWhenMissing(error: unknown): undefined {
  if (codeOf(error) === 'ENOENT') return undefined
  throw error
}
