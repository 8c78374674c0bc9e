import type { z } from 'zod'
import { AppError } from '../errors/app-error.ts'

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
