import type { TimestampProvider } from '@trustnxt/c2pa-ts/rfc3161'
import { TimeStampResp } from 'pkijs'

/**
 * Hands a request of RFC 3161 (DER) to a time-stamping authority.
 * @returns its answer (DER) of any content; undefined when none came within its bounds
 */
export type AskStamp = (request: Uint8Array) => Promise<Uint8Array | undefined>

/** The same as the library asks; what can't be read counts as no answer. */
export function stampProvider(ask: AskStamp): TimestampProvider {
  return {
    async getSignedTimestamp(request) {
      const answer = await ask(new Uint8Array(request.toSchema().toBER()))
      return answer && TimeStampResp.fromBER(Uint8Array.from(answer))
    },
  }
}
