import { trace } from '@opentelemetry/api'
import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import type { LoggerOptions } from 'pino'
import pino from 'pino'
import { foldRepeats } from './fold-repeats.ts'

export type Logger = Pick<FastifyBaseLogger, 'debug' | 'info' | 'warn' | 'error'>

/** Structured logs on standard output; of requests only method and path: the rest holds secrets. */
export function loggerOptions(level: string): LoggerOptions {
  return {
    level,
    serializers: {
      req: (request: FastifyRequest) => ({
        method: request.method,
        path: request.url.split('?')[0],
      }),
      err: describeError,
    },
    redact: ['req.headers', 'headers', 'password', 'token', 'email', 'url'],
    mixin: traceOfLine,
    hooks: { logMethod: foldRepeats() },
  }
}

/** What tells of an error: libraries hang whole connections on theirs, with keys and people's data. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const told: Readonly<Record<string, unknown>> = pino.stdSerializers.err(error)
  const { type, message, stack, code, constraint } = told
  const errors = error instanceof AggregateError ? error.errors.map(describeError) : undefined
  return { type, message, stack, code, constraint, errors }
}

/** Leads from a line of log to its trace, where there is one. */
export function traceOfLine(): { traceId?: string } {
  const span = trace.getActiveSpan()
  return span === undefined ? {} : { traceId: span.spanContext().traceId }
}
