import { isErrorCode } from '@starside/contract/errors.ts'
import type { ErrorCode } from '@starside/contract/errors.ts'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from './app-error.ts'

/** Fastify's own refusals, in the words of the contract. */
const codeByFastifyError: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'invalid_request',
  FST_ERR_CTP_INVALID_JSON_BODY: 'invalid_request',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_REQ_FILE_TOO_LARGE: 'photo_too_large',
  FST_FILES_LIMIT: 'invalid_request',
  FST_FIELDS_LIMIT: 'invalid_request',
  FST_PARTS_LIMIT: 'invalid_request',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported_media_type',
  FST_PROTO_VIOLATION: 'invalid_request',
}

/**
 * Makes every failed answer `{success: false, error, code, requestId}`. What isn't in the
 * contract's table is a bug or an outage: it is logged with its stack and told as 'internal'.
 */
export function installErrorAnswers(app: FastifyInstance): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const known = asAppError(error)
    if (known === undefined) {
      request.log.error({ err: error }, 'request failed')
      return answer(reply, request, new AppError(isOutage(error) ? 'unavailable' : 'internal'))
    }
    return answer(reply, request, known)
  })
  app.setNotFoundHandler((request, reply) => answer(reply, request, new AppError('not_found')))
}

function answer(reply: FastifyReply, request: FastifyRequest, error: AppError) {
  if (error.retryAfterSeconds !== undefined) {
    void reply.header('retry-after', Math.max(1, Math.ceil(error.retryAfterSeconds)))
  }
  return reply.status(error.status).send({
    success: false,
    error: error.message,
    code: error.code,
    ...(error.photo === undefined ? {} : { photo: error.photo }),
    requestId: request.id,
  })
}

function asAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>
  if (typeof code === 'string') {
    const mapped = codeByFastifyError[code]
    if (mapped !== undefined) return new AppError(mapped, { cause: error })
  }
  const isClientFault = statusCode !== undefined && statusCode >= 400 && statusCode < 500
  if (isClientFault && !isErrorCode(code)) return new AppError('invalid_request', { cause: error })
  return undefined
}

/** PostgreSQL gone or out of connections: the request was fine, the next one may work. */
function isOutage(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== 'string') return false
  return (
    code === 'ECONNREFUSED' ||
    code === 'ECONNRESET' ||
    code.startsWith('57P') ||
    code.startsWith('08') ||
    code === '53300'
  )
}
