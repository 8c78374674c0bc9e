import type { IncomingHttpHeaders } from 'node:http'
import { readFalWebhook } from '../../vendors/fal/fal-webhook.ts'
import type { WebhookNews } from '../../vendors/hosted-provider.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { isUuid } from '../../platform/db/uuid.ts'
import type { SelfieParts } from '../parts.ts'
import { findAttempt } from './attempt-queries.ts'
import type { AttemptRow } from './attempt-queries.ts'
import { recordAnswer } from './record-answer.ts'
import { isWebhookToken } from './webhook-url.ts'

const verifyTimeoutMs = 10_000

export interface WebhookRequest {
  attemptId: string
  token: string
  headers: IncomingHttpHeaders
  rawBody: Buffer
}

/**
 * Takes fal's webhook: our token, then its signature over the raw body within five minutes, then
 * the request id. What is signed but says nothing to us is accepted and logged, because a
 * repetition would bring nothing else. Throws `signature_invalid`, or fails with a 5xx when the
 * vendor's keys can't be fetched, so that it is sent again.
 */
export async function receiveFalWebhook(
  parts: SelfieParts,
  request: WebhookRequest,
): Promise<void> {
  const { attemptId, token, headers, rawBody } = request
  const verifier = parts.images.falWebhooks
  if (verifier === undefined) throw new AppError('not_found')
  const isOurs = isUuid(attemptId) && isWebhookToken(parts.keys.imageWebhooks, attemptId, token)
  if (!isOurs) throw new AppError('signature_invalid')
  const signal = AbortSignal.timeout(verifyTimeoutMs)
  if (!(await verifier.verify(headers, rawBody, signal))) throw new AppError('signature_invalid')
  const attempt = await findAttempt(parts.database, attemptId)
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
  return known === null || known === news.requestId || known === news.gatewayRequestId
}

async function keepRequestId(parts: SelfieParts, attempt: AttemptRow, news: WebhookNews) {
  if (attempt.request_id !== null) return
  await parts.database
    .updateTable('generation_attempts')
    .set({ request_id: news.requestId })
    .where('id', '=', attempt.id)
    .where('request_id', 'is', null)
    .execute()
}
