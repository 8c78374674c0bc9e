import { readObject } from '../../platform/http/read-object.ts'
import { HostedError } from '../hosted-error.ts'

/**
 * Maps an answer that isn't a success: Google's `{error: {code, message, status, details}}`.
 * @param body parsed JSON, of any shape
 */
export function googleError(status: number, body: unknown, retryAfterMs?: number): HostedError {
  const { status: word, message, details } = readObject(readObject(body)['error'])
  const detail = `Google answered ${status}: ${asText(word)} ${asText(message)}`.trim()
  if (status === 429 || status === 503) {
    const delayMs = retryAfterMs ?? readRetryDelayMs(details)
    return new HostedError('provider_busy', detail, { retryAfterMs: delayMs })
  }
  if (status === 408 || status === 504) {
    return new HostedError('timeout', detail, { maybeAccepted: true })
  }
  // A wrong key, or a country that isn't served, comes as a bad request too.
  const isOurs = /api.?key|location is not supported|billing/i.test(asText(message))
  if ((status === 400 || status === 413) && !isOurs) return new HostedError('bad_input', detail)
  return new HostedError('provider_down', detail, { maybeAccepted: status >= 500 })
}

/** Milliseconds of a `RetryInfo` such as `{retryDelay: "13s"}`, a minute at most. */
function readRetryDelayMs(details: unknown): number | undefined {
  const delays = (Array.isArray(details) ? details : []).map(
    (entry: unknown) => readObject(entry)['retryDelay'],
  )
  const text = delays.find((delay) => typeof delay === 'string')
  const seconds = /^(\d{1,6}(?:\.\d+)?)s$/.exec(asText(text))?.[1]
  return seconds === undefined ? undefined : Math.min(Number(seconds) * 1000, 60_000)
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
