import type { TimestampProvider } from '@trustnxt/c2pa-ts/rfc3161'
import { TimeStampResp } from 'pkijs'

/** Hands an authority a request (RFC 3161, DER); gives any answer (DER), undefined without one. */
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
