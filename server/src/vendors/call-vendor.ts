import { HostedError } from './hosted-error.ts'
import { BodyTooLargeError, readBounded } from '../platform/http/read-bounded.ts'
import { parseJson } from '../platform/http/read-object.ts'

const keyHeaders = ['authorization', 'x-goog-api-key']
/** What is shorter is no key of a vendor, and might be a word of its answers. */
const keyLengthMin = 8

export interface VendorAnswer {
  status: number
  headers: Headers
  /** The parsed JSON, with `[key]` for the key that was sent; undefined when it wasn't JSON. */
  body: unknown
}

/**
 * One HTTP call of a vendor's interface: bounded in time and bytes, redirects refused so that a
 * key never travels to another host, and without that key in what comes back. Any status is answered; it is the caller's to judge.
 * @throws HostedError `timeout` or `provider_down` with `maybeAccepted`, when no whole answer came;
 *   the signal's reason when that aborted
 */
export async function callVendor(
  fetch: typeof globalThis.fetch,
  url: string,
  options: {
    method: 'GET' | 'POST' | 'PUT'
    headers: Record<string, string>
    body?: string | FormData
    /** 15 seconds unless told. */
    timeoutMs?: number
    /** 48 MiB unless told: an answer is small, but for one with pictures in it. */
    bytesMax?: number
    signal: AbortSignal
  },
): Promise<VendorAnswer> {
  const { signal, timeoutMs = 15_000, bytesMax = 48 * 1024 * 1024 } = options
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method: options.method,
      headers: { accept: 'application/json', ...options.headers },
      ...(options.body === undefined ? {} : { body: options.body }),
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    })
    const text = withoutKeys(
      (await readBounded(response, bytesMax)).toString('utf8'),
      options.headers,
    )
    return { status: response.status, headers: response.headers, body: parseJson(text) }
  } catch (error) {
    signal.throwIfAborted()
    if (timeout.aborted) {
      const detail = `no answer within ${timeoutMs} ms`
      throw new HostedError('timeout', detail, { cause: error, maybeAccepted: true })
    }
    if (error instanceof BodyTooLargeError) {
      throw new HostedError('unknown', error.message, { cause: error, maybeAccepted: true })
    }
    throw new HostedError('provider_down', `the connection failed: ${causeOf(error)}`, {
      cause: error,
      maybeAccepted: !isRefusedConnection(error),
    })
  }
}

/** `Retry-After` in seconds or as a date (RFC 9110, section 10.2.3), bounded to a minute. */
export function readRetryAfterMs(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), 60_000) : undefined
}

/** Vendors say which key they refuse, and their words are kept and logged. */
function withoutKeys(text: string, headers: Record<string, string>): string {
  return keyHeaders
    .map((name) => headers[name]?.split(' ').at(-1) ?? '')
    .filter((key) => key.length >= keyLengthMin)
    .reduce((rest, key) => rest.replaceAll(key, '[key]'), text)
}

/** Nothing was sent when not even a connection came about. */
function isRefusedConnection(error: unknown): boolean {
  return ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'].includes(
    causeOf(error),
  )
}

/** The system's code of a failed `fetch`, which undici hides one level down. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code
  return cause instanceof Error ? cause.message : String(cause)
}
