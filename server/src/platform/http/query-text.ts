import type { FastifyRequest } from 'fastify'

/** The value of a name in the query, where it stands there once. */
export function queryText({ query }: FastifyRequest, name: string): string | undefined {
  if (typeof query !== 'object' || query === null) return undefined
  const value: unknown = Object.entries(query).find(([each]) => each === name)?.[1]
  return typeof value === 'string' ? value : undefined
}
