import type { VerifyAnswer } from '@starside/contract/provenance.ts'
import { call } from '../api/call.ts'

/**
 * Sends the file as it is, since its metadata and its pixels are both looked at.
 * Throws ApiError.
 */
export function askWhetherMadeHere(file: Blob, signal: AbortSignal): Promise<VerifyAnswer> {
  const body = new FormData()
  body.set('picture', file)
  return call('POST /api/verify', { body, signal })
}
