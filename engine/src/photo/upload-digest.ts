import { createHash } from 'node:crypto'

/** By which an upload's bytes are known again: SHA-256 in base64url. */
export function uploadDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url')
}
