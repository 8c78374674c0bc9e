import { idempotencyKeyHeader } from '@starside/contract/api.ts'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors/app-error.ts'

/** The caller's Idempotency-Key: 8 to 100 visible ASCII characters, or undefined when none came. */
export function readIdempotencyKey(request: FastifyRequest): string | undefined {
  const value = request.headers[idempotencyKeyHeader]
  if (value === undefined) return undefined
  if (typeof value !== 'string' || !/^[\x21-\x7e]{8,100}$/.test(value)) {
    throw new AppError('invalid_request', {
      sentence: 'Idempotency-Key must be 8 to 100 visible ASCII characters.',
    })
  }
  return value
}
