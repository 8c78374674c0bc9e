import { readBounded } from '../platform/http/read-bounded.ts'
import { parseJson } from '../platform/http/read-object.ts'
import { PaymentProviderError } from './provider.ts'

/** An answer of a payment provider is small; anything larger is cut off. */
const answerBytesMax = 1024 * 1024
const answerTimeoutMs = 10_000

export interface ProviderAnswer {
  status: number
  /** The parsed JSON; undefined when the answer wasn't JSON. */
  body: unknown
}

/**
 * One HTTP call with a time-out and a bounded answer. Redirects are refused, so that a key never
 * travels to another host. Throws a retryable `PaymentProviderError` when no answer came, and for
 * 5xx, 408 and 429; other statuses are the caller's to judge.
 */
export async function requestProvider(
  parts: { fetch: typeof fetch; provider: string },
  url: string,
  options: {
    method: 'GET' | 'POST'
    headers: Record<string, string>
    body?: object
    signal: AbortSignal
  },
): Promise<ProviderAnswer> {
  const { fetch, provider } = parts
  let answer: ProviderAnswer
  try {
    const response = await fetch(url, {
      method: options.method,
      redirect: 'error',
      headers: {
        accept: 'application/json',
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      signal: AbortSignal.any([options.signal, AbortSignal.timeout(answerTimeoutMs)]),
    })
    answer = {
      status: response.status,
      body: parseJson((await readBounded(response, answerBytesMax)).toString('utf8')),
    }
  } catch (error) {
    throw new PaymentProviderError(`${provider} does not answer`, {
      isRetryable: true,
      cause: error,
    })
  }
  const { status } = answer
  if (status >= 500 || status === 408 || status === 429) {
    throw new PaymentProviderError(`${provider} answered ${status}`, { isRetryable: true, status })
  }
  return answer
}
