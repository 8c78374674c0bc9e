import { createHmac } from 'node:crypto'

/** Gives the digest of a text: always the same, and revealing nothing without the key. */
export type KeyedDigest = (text: string) => Buffer

/** HMAC with SHA-256 (RFC 2104): nobody who has only the digests can try out what they are of. */
export function createKeyedDigest(key: Buffer): KeyedDigest {
  return (text) => createHmac('sha256', key).update(text).digest()
}
