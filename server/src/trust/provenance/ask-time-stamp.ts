import type { AskStamp } from '@starside/provenance/time-stamp.ts'
import { readBounded } from '../../platform/http/read-bounded.ts'
import type { Logger } from '../../platform/logging/logger.ts'

const answerWithinMs = 5_000
/** An answer with its certificates has some 6 kB; more would not fit into a manifest. */
const answerBytesMax = 10 * 1024
/** So long no picture waits for an authority that has just failed. */
const pauseMs = 60_000

/**
 * Asks a time-stamping authority by HTTP (RFC 3161, section 3.4). What it answers is of any content; whether
 * it fits is found out where it is used.
 * @param parts.now milliseconds since 1970
 */
export function createStampClient(
  url: string,
  parts: { fetch: typeof fetch; now: () => number; log: Pick<Logger, 'warn'> },
): AskStamp {
  let pausedUntil = 0
  return async (request) => {
    if (parts.now() < pausedUntil) return undefined
    try {
      const response = await parts.fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/timestamp-query' },
        body: Uint8Array.from(request),
        redirect: 'error',
        signal: AbortSignal.timeout(answerWithinMs),
      })
      const answer = await readBounded(response, answerBytesMax)
      if (response.status !== 200) throw new Error(`it answered ${response.status}`)
      return answer
    } catch (err) {
      pausedUntil = parts.now() + pauseMs
      parts.log.warn({ err }, 'no time-stamp was to be had: pictures are signed without one')
      return undefined
    }
  }
}
