import type { Socket } from 'node:net'
import { errorTable, isErrorCode } from '@starside/contract/errors.ts'
import type { ErrorCode } from '@starside/contract/errors.ts'
import { keysOf } from '@starside/contract/keys-of.ts'
import { unknownPagePath } from '@starside/contract/pages.ts'
import { EngineCrashedError } from '@starside/engine/engine-crashed-error.ts'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '../errors/app-error.ts'
import { codeOf } from '../errors/code-of.ts'
import failureCodes from './failure-codes.json' with { type: 'json' }
import { S3Error } from '../storage/s3-store.ts'
import type { KnownRoutes } from './known-routes.ts'

/** Fastify's own refusals, in the words of the contract. */
const codeByFastifyError: Readonly<Record<string, ErrorCode>> = z
  .record(z.string(), z.enum(keysOf(errorTable)))
  .parse(failureCodes.fastify)

/** SQLSTATE `character_not_in_repertoire`: a caller's text has U+0000, which PostgreSQL refuses. */
const unstorableText = '22021'

/** What @fastify/busboy says, in errors without a code, of a multipart form that it can't read. */
const unreadableForm =
  /^Multipart: Boundary not found$|unexpected end of multipart data$|^The needle cannot /i

/** How long a client that sent no request may take to read why it is cut off. */
const lastAnswerMs = 1_000

/**
 * Makes every failed answer `{success: false, error, code, requestId}`. What isn't in the
 * contract's table is an outage ('unavailable') or a bug ('internal'); both are logged.
 */
export function installErrorAnswers(
  app: FastifyInstance,
  routes: KnownRoutes,
  options: { onDiskFull?: () => void } = {},
): void {
  app.setErrorHandler((error: unknown, request, reply) => {
    const wasGivenUp = reply.raw.destroyed && error instanceof Error && error.name === 'AbortError'
    if (wasGivenUp || isClientGone(request)) {
      // Nobody hears the answer, and it is no fault of ours that would have to wake anybody.
      const words = wasGivenUp ? 'waited for its answer' : 'was sending'
      request.log.info({ userId: request.userId }, `the client left while it ${words}`)
      return answer(reply, request, new AppError('invalid_request'))
    }
    const known = asAppError(error)
    if (known !== undefined) return answer(reply, request, known)
    // No room left to write, on our disk or on the database's.
    if (['ENOSPC', 'EDQUOT', '53100'].includes(causeCodeOf(error))) options.onDiskFull?.()
    if (isOutage(error)) {
      request.log.error({ err: error }, 'a part is out of service')
      return answer(reply, request, new AppError('unavailable', { retryAfterSeconds: 5 }))
    }
    request.log.error({ err: error, userId: request.userId }, 'request failed')
    return answer(reply, request, new AppError('internal'))
  })
  app.setNotFoundHandler((request, reply) => {
    const { method, url, headers } = request
    const methods = routes.methodsOf(url.split('?')[0] ?? '')
    if (methods.length === 0) {
      // Somebody who follows a link to a page that does not exist ends on the first page.
      const asksForPage = method === 'GET' && !url.startsWith('/api/')
      if (asksForPage && headers.accept?.includes('text/html'))
        return reply.redirect(unknownPagePath)
      return answer(reply, request, new AppError('not_found'))
    }
    void reply.header('allow', ['OPTIONS', ...methods].join(', '))
    // No Access-Control-Allow-Origin: pages of other origins may not call this program.
    if (method === 'OPTIONS') return reply.status(204).send()
    return answer(reply, request, new AppError('method_not_allowed'))
  })
}

/** Fastify's answer to an address that can't be read, which comes before any route is known. */
export function answerUnreadable(
  _error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  void answer(reply, request, new AppError('invalid_request'))
}

/** The answer to bytes that are no HTTP request or come too slowly: there is no reply to use. */
export function answerBrokenConnection(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const status = brokenStatuses[error.code ?? ''] ?? '400 Bad Request'
  const { sentence } = errorTable.invalid_request
  const body = JSON.stringify({ success: false, error: sentence, code: 'invalid_request' })
  const text =
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\n` +
    `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  // Only half of it would be closed otherwise, and a client that never closes its own half would
  // keep a descriptor of ours for as long as it likes.
  socket.end(text, () => socket.destroy())
  // The write itself ends only when the client reads.
  setTimeout(() => socket.destroy(), lastAnswerMs).unref()
}

const brokenStatuses: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}

function answer(reply: FastifyReply, request: FastifyRequest, error: AppError) {
  request.failureCode = error.code
  if (error.retryAfterSeconds !== undefined) {
    void reply.header('retry-after', Math.max(1, Math.ceil(error.retryAfterSeconds)))
  }
  return reply.status(error.status).send({
    success: false,
    error: error.message,
    code: error.code,
    photo: error.photo,
    generationId: error.generationId,
    requestId: request.id,
  })
}

function asAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  const { code, statusCode, message } = (error ?? {}) as Partial<FastifyError>
  if (code === undefined && message !== undefined && unreadableForm.test(message)) {
    const sentence = 'The multipart form has no boundary that can be found, or no end.'
    return new AppError('invalid_request', { sentence, cause: error })
  }
  if (code === unstorableText) {
    const sentence = 'Texts may not hold the character U+0000.'
    return new AppError('invalid_request', { sentence, cause: error })
  }
  const mapped = codeByFastifyError[code ?? '']
  if (mapped !== undefined) return new AppError(mapped, { cause: error })
  const isClientFault = statusCode !== undefined && statusCode >= 400 && statusCode < 500
  if (isClientFault && !isErrorCode(code)) return new AppError('invalid_request', { cause: error })
  return undefined
}

/** True when the connection ended before all of the request had come. */
function isClientGone({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete
}

/** Codes of Node (errno) by which a machine or a connection says that it can't go on for now. */
const nodeCodes = new Set(failureCodes.node)

/**
 * SQLSTATE classes (PostgreSQL, appendix A): connections, resources (disk full, too many
 * connections), operators' acts, errors of the system; and single codes: a statement that overran
 * its time, a lock or a deadlock, a server that only reads while another takes over.
 */
const { sqlClasses } = failureCodes
const sqlStates = new Set(failureCodes.sqlStates)

/** What pg says without a code, of its pool and of connections that end. */
const poolSentence = /^(?:timeout exceeded when trying to connect|Connection terminated)/

/** True when a part is out of service for now, so a retry may work; also for a time-out of ours. */
function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'TimeoutError') return true
  if (error instanceof S3Error) return error.isTransient
  if (error instanceof EngineCrashedError || poolSentence.test(error.message)) return true
  const code = codeOf(error)
  if (code === '') return error.cause !== undefined && isOutage(error.cause)
  return (
    nodeCodes.has(code) ||
    sqlStates.has(code) ||
    (code.length === 5 && sqlClasses.some((start) => code.startsWith(start)))
  )
}

/** The code of an error or, where it has none, of what caused it. */
function causeCodeOf(error: unknown): string {
  return error instanceof Error ? codeOf(error) || causeCodeOf(error.cause) : ''
}
