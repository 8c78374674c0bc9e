/** The code of an error of Node's, PostgreSQL's or Fastify's, such as `ENOENT`; empty where it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : ''
}
