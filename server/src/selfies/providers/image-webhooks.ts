import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { readFalWebhook } from '../../vendors/fal/fal-webhook.ts'
import type { WebhookNews } from '../../vendors/hosted-provider.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { isUuid } from '../../platform/db/uuid.ts'
import { isSameText } from '../../platform/secrets/is-same-text.ts'
import { createKeyedDigest } from '../../platform/secrets/keyed-digest.ts'
import type { SelfieParts } from '../parts.ts'
import { queryText, takeRawBodies } from '../../platform/http/parse-input.ts'
import { findRow, updateRows } from '../../platform/db/rows.ts'
import type { AttemptRow } from './attempts.ts'
import { recordAnswer } from './end-attempt.ts'

export const falWebhookPath = '/api/images/fal/webhook'

/** A vendor's address for one attempt; our token, as the vendor signs for all of its customers. */
export function webhookUrl(baseUrl: string, key: Buffer, attemptId: string): string {
  const query = new URLSearchParams({ attempt: attemptId, token: tokenOf(key, attemptId) })
  return `${baseUrl}${falWebhookPath}?${query.toString()}`
}

function tokenOf(key: Buffer, attemptId: string): string {
  return createKeyedDigest(key)(`image webhook\n${attemptId}`).toString('base64url')
}

const verifyTimeoutMs = 10_000

export interface WebhookRequest {
  attemptId: string
  token: string
  headers: IncomingHttpHeaders
  rawBody: Buffer
}

/**
 * Takes fal's webhook: our token, its signature over the raw body within five minutes, the request
 * id. What is signed and says nothing to us is accepted and logged, as it would only come again.
 * Throws `signature_invalid`; a 5xx when the vendor's keys can't be fetched, so that it is sent again.
 */
export async function receiveFalWebhook(
  parts: SelfieParts,
  request: WebhookRequest,
): Promise<void> {
  const { attemptId, token, headers, rawBody } = request
  const verifier = parts.images.falWebhooks
  if (verifier === undefined) throw new AppError('not_found')
  const isOurs =
    isUuid(attemptId) && isSameText(tokenOf(parts.keys.imageWebhooks, attemptId), token)
  if (!isOurs) throw new AppError('signature_invalid')
  const signal = AbortSignal.timeout(verifyTimeoutMs)
  if (!(await verifier.verify(headers, rawBody, signal))) throw new AppError('signature_invalid')
  const attempt = await findRow(parts.database, 'generation_attempts', { id: attemptId })
  const news = readFalWebhook(rawBody)
  if (attempt === undefined || news === undefined || !isSameRequest(attempt, news)) {
    parts.log.warn({ attemptId }, 'a signed webhook of an image provider was ignored')
    return
  }
  await keepRequestId(parts, attempt, news)
  await recordAnswer(parts, attemptId, news.end)
}

/** Before the answer to our request has come, the token alone says which attempt it is. */
function isSameRequest(attempt: AttemptRow, news: WebhookNews): boolean {
  const known = attempt.request_id
  return known === null || known === news.requestId || known === news.earlierRequestId
}

async function keepRequestId(parts: SelfieParts, attempt: AttemptRow, news: WebhookNews) {
  const match = { id: attempt.id, request_id: null }
  const set = { request_id: news.requestId }
  await updateRows(parts.database, 'generation_attempts', { match, set })
}

/** A webhook carries addresses, not pictures. */
const webhookBytesMax = 1024 * 1024

/** Where image vendors say how a request ended. */
export async function imageWebhookRoutes(
  scope: FastifyInstance,
  options: { context: SelfieParts; receive?: typeof receiveFalWebhook },
): Promise<void> {
  const { context, receive = receiveFalWebhook } = options
  takeRawBodies(scope, webhookBytesMax)
  scope.post(falWebhookPath, async (request) => {
    await receive(context, {
      attemptId: queryText(request, 'attempt') ?? '',
      token: queryText(request, 'token') ?? '',
      headers: request.headers,
      rawBody: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    })
    return { success: true }
  })
}
