import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { RandomBytes } from './random-bytes.ts'

const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts with AES-256-GCM (NIST SP 800-38D): a nonce of 96 random bits, the ciphertext, a tag of
 *  128 bits. `subject` names whose they are: a row moved elsewhere isn't opened there.
 */
export function seal(
  bytes: Buffer,
  { key, subject, randomBytes }: { key: Buffer; subject: string; randomBytes: RandomBytes },
): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(subject))
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

/** What `seal` encrypted; undefined for another key, another subject or changed bytes. */
export function unseal(
  sealed: Buffer,
  { key, subject }: { key: Buffer; subject: string },
): Buffer | undefined {
  if (sealed.length < nonceBytes + tagBytes) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
    .setAAD(Buffer.from(subject))
    .setAuthTag(sealed.subarray(-tagBytes))
  try {
    const start = decipher.update(sealed.subarray(nonceBytes, -tagBytes))
    return Buffer.concat([start, decipher.final()])
  } catch {
    return undefined
  }
}
