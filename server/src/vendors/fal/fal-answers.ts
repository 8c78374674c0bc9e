import kinds from './error-kinds.json' with { type: 'json' }
import { asText, readObject } from '../../platform/http/read-object.ts'
import { z } from 'zod'
import { HostedError, hostedErrorKinds } from '../hosted-error.ts'
import type { HostedErrorKind } from '../hosted-error.ts'
import { failedRequest } from '../hosted-provider.ts'
import type { RequestResult } from '../hosted-provider.ts'

/** `detail[].type` of a 422 (fal's model errors); `no_media_generated` is Google's filter. */
const kindByType: Readonly<Record<string, HostedErrorKind>> = z
  .record(z.string(), z.enum(hostedErrorKinds))
  .parse(kinds)

/**
 * Maps a failed answer: a model's 422 `{detail: [{type, msg}]}`, or `{detail, error_type}`.
 * @param body parsed JSON, of any shape
 */
export function falError(status: number, body: unknown, retryAfterMs?: number): HostedError {
  const detail = readDetail(body)
  const text = `fal answered ${status}: ${detail.text}`
  const known = kindByType[detail.type]
  if (status === 422 || status === 400) {
    return new HostedError(
      known ?? (isPolicyText(detail.text) ? 'policy_refused' : 'bad_input'),
      text,
    )
  }
  return new HostedError(kindOfStatus(status, detail.type), text, { retryAfterMs })
}

/** An error that a webhook tells without a status: `error` and `payload.detail`. */
export function falWebhookError(error: string | undefined, payload: unknown): HostedError {
  const status = Number(/\b([45]\d\d)\b/.exec(error ?? '')?.[1] ?? 0)
  const detail = readDetail(payload)
  if (status > 0) return falError(status, payload)
  if (detail.type !== '') return falError(422, payload)
  return new HostedError('unknown', `fal told an error: ${error ?? detail.text}`)
}

function kindOfStatus(status: number, type: string): HostedErrorKind {
  if (status === 429) return 'provider_busy'
  if (status === 504 || status === 408 || type.endsWith('timeout')) return 'timeout'
  // 401, 402, 403 and 404 are the operator's to mend: key, balance, model name.
  return 'provider_down'
}

function readDetail(body: unknown): { type: string; text: string } {
  const { detail, error_type: errorType } = readObject(body)
  const first: unknown = Array.isArray(detail) ? detail[0] : detail
  if (typeof first === 'string') return { type: asText(errorType), text: first }
  const { type, msg } = readObject(first)
  return { type: asText(type), text: `${asText(type)} ${asText(msg)}`.trim() }
}

/** Some models tell a refusal as a plain value error. */
function isPolicyText(text: string): boolean {
  return /content polic|safety|moderat|flagged|nsfw|sensitive content/i.test(text)
}

/**
 * Finds the pictures: `images[].url`, or `image.url` of older models. Those that the filter flagged
 * (`has_nsfw_concepts`) are black and left out; where all are, the request counts as refused.
 */
export function readFalOutput(output: unknown): RequestResult {
  const { images, image, has_nsfw_concepts: flags } = readObject(output)
  const isFlagged = (index: number) => Array.isArray(flags) && flags[index] === true
  const found: unknown[] = Array.isArray(images) ? images : [image]
  const urls = found
    .filter((_each, index) => !isFlagged(index))
    .map((each) => (typeof each === 'string' ? each : readObject(each)['url']))
    .filter((url): url is string => typeof url === 'string' && url !== '')
  if (urls.length > 0) return { state: 'pictures', urls }
  return found.some((_each, index) => isFlagged(index))
    ? failedRequest('policy_refused', 'the model’s filter flagged the picture')
    : failedRequest('unknown', 'the answer has no picture')
}
