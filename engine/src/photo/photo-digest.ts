import { createHash } from 'node:crypto'

/** By which a photo's file is known again: SHA-256 in base64url. */
export function photoDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url')
}
