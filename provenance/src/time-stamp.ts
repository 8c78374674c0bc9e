import type { TimestampProvider } from '@trustnxt/c2pa-ts/rfc3161'
import { TimeStampResp } from 'pkijs'

/** Hands an authority a request (RFC 3161, DER); gives any answer (DER), undefined without one. */
export type AskStamp = (request: Uint8Array) => Promise<Uint8Array | undefined>

/**
 * The same as the library asks, but for its nonce: of ten random bytes one in 128 is no integer as DER
 * writes it (X.690, section 8.3.2), which strict readers refuse. What can't be read counts as no answer.
 */
export function stampProvider(ask: AskStamp): TimestampProvider {
  return {
    async getSignedTimestamp(request) {
      const nonce = request.nonce?.valueBlock.valueHexView
      if (nonce) nonce[0] = (nonce[0]! & 0x3f) | 0x40
      const answer = await ask(new Uint8Array(request.toSchema().toBER()))
      return answer && TimeStampResp.fromBER(Uint8Array.from(answer))
    },
  }
}
