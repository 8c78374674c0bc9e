import { hash } from 'node:crypto'
import type { RandomBytes } from '../../platform/secrets/random-bytes.ts'

/** An opaque bearer token of 256 random bits, in URL-safe text. */
export function createToken(randomBytes: RandomBytes): string {
  return randomBytes(32).toString('base64url')
}

/**
 * What the database keeps of a token. A plain SHA-256 is enough: the token has too much entropy
 * to be guessed from it.
 */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
