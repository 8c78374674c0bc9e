import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { AppError } from '../errors/app-error.ts'
import { readObject } from './read-object.ts'

/** The value as its schema says, or `invalid_request` naming the first field that isn't. */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(value ?? {})
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  const field = issue?.path.join('.')
  throw new AppError('invalid_request', {
    sentence: field
      ? `The field '${field}' is not as expected.`
      : 'The request is not as expected.',
  })
}

/** The value of a name in the query, where it stands there once. */
export function queryText({ query }: FastifyRequest, name: string): string | undefined {
  const value = readObject(query)[name]
  return typeof value === 'string' ? value : undefined
}

/** Has a scope take every body as raw bytes: a signature is over the bytes, not over what they mean. */
export function takeRawBodies(scope: FastifyInstance, bodyLimit: number): void {
  scope.removeAllContentTypeParsers()
  const options = { parseAs: 'buffer', bodyLimit } as const
  scope.addContentTypeParser('*', options, (_request, body, done) => done(null, body))
}
