import { HostedError } from './hosted-error.ts'
import { BodyTooLargeError, readBounded } from '../platform/http/read-bounded.ts'
import { parseJson } from '../platform/http/read-object.ts'

const keyHeaders = ['authorization', 'x-goog-api-key']
/** What is shorter is no key of a vendor, and might be a word of its answers. */
const keyLengthMin = 8

/** A vendor's interface, as all its calls reach it. */
export interface VendorApi {
  fetch: typeof globalThis.fetch
  now: () => number
  /** 200 alone is one unless told. */
  isSuccess?: (status: number) => boolean
  /** Sent with every call, such as the key. */
  headers?: Record<string, string>
  /** What an answer that isn't a success means; its body is parsed JSON, of any shape. */
  errorOf(status: number, body: unknown, retryAfterMs: number | undefined): HostedError
}

export interface VendorCall {
  /** `POST` with a body and `GET` without one unless told. */
  method?: 'PUT'
  headers?: Record<string, string>
  /** A form, or what is sent as JSON. */
  body?: object | FormData
  /** 15 seconds unless told. */
  timeoutMs?: number
  /** 48 MiB unless told: an answer is small, but for one with pictures in it. */
  bytesMax?: number
  signal: AbortSignal
}

export interface VendorAnswer {
  status: number
  /** The parsed JSON, with `[key]` for the key that was sent; undefined when it wasn't JSON. */
  body: unknown
  /** What `errorOf` makes of it; undefined for a success. */
  failure: HostedError | undefined
}

/**
 * One HTTP call of a vendor's interface: bounded in time and bytes, redirects refused so that a
 * key never travels to another host, and without that key in what comes back.
 * @throws HostedError `timeout` or `provider_down` with `maybeAccepted`, when no whole answer came;
 *   the signal's reason when that aborted
 */
export async function callVendor(
  api: VendorApi,
  url: string,
  call: VendorCall,
): Promise<VendorAnswer> {
  const { body, signal, timeoutMs = 15_000, bytesMax = 48 * 1024 * 1024 } = call
  const isForm = body instanceof FormData
  const headers = { ...(body && !isForm ? jsonHeader : {}), ...api.headers, ...call.headers }
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await api.fetch(url, {
      method: call.method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { accept: 'application/json', ...headers },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    })
    const bytes = await readBounded(response, bytesMax)
    const answer = parseJson(withoutKeys(bytes.toString('utf8'), headers))
    const { status } = response
    const isSuccess = api.isSuccess?.(status) ?? status === 200
    const retryAfterMs = readRetryAfterMs(response.headers, api.now())
    const failure = isSuccess ? undefined : api.errorOf(status, answer, retryAfterMs)
    return { status, body: answer, failure }
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

/** The body of a successful answer. Throws what `callVendor` throws, and the failure of any other. */
export async function askVendor(...asked: Parameters<typeof callVendor>): Promise<unknown> {
  const { body, failure } = await callVendor(...asked)
  if (failure !== undefined) throw failure
  return body
}

const jsonHeader = { 'content-type': 'application/json' }

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
