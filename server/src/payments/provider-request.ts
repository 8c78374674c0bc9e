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
 * One HTTP call with a time-out and a bounded answer, without redirects, so that no key travels. Throws a
 * `PaymentProviderError` for no answer, 5xx, 408 and 429; other statuses are the caller's to judge.
 */
export async function requestProvider(
  { fetch, provider }: { fetch: typeof globalThis.fetch; provider: string },
  url: string,
  options: {
    method: 'GET' | 'POST'
    headers: Record<string, string>
    body?: object
    signal: AbortSignal
  },
): Promise<ProviderAnswer> {
  const { method, headers, body, signal } = options
  const ask = async () => {
    const response = await fetch(url, {
      method,
      redirect: 'error',
      headers: { accept: 'application/json', ...(body && jsonHeader), ...headers },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]),
    })
    const text = (await readBounded(response, answerBytesMax)).toString('utf8')
    return { status: response.status, body: parseJson(text) }
  }
  const answer = await ask().catch((cause: unknown) => {
    throw new PaymentProviderError(`${provider} does not answer`, { cause })
  })
  const { status } = answer
  if (status >= 500 || status === 408 || status === 429) {
    throw new PaymentProviderError(`${provider} answered ${status}`)
  }
  return answer
}

const jsonHeader = { 'content-type': 'application/json' }
