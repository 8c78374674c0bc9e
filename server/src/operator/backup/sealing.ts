import { randomBytes, scrypt } from 'node:crypto'
import { z } from 'zod'
import { seal, unseal } from '../../platform/secrets/seal.ts'

/** How a passphrase becomes the key of a backup; stands in the open at its beginning. */
export const sealingSchema = z.object({
  cipher: z.literal('aes-256-gcm'),
  keyDerivation: z.literal('scrypt'),
  /** Bounded, so that a hostile file can't ask for all memory. */
  cost: z
    .int()
    .min(2)
    .max(2 ** 20)
    .refine((cost) => Number.isInteger(Math.log2(cost)), 'scrypt takes a power of two'),
  salt: z.string().regex(/^[0-9a-f]{32}$/),
})

export type SealingTerms = z.output<typeof sealingSchema>

/** Encrypts and decrypts the contents of a backup's entries. */
export interface Sealing {
  /** A nonce of 12 bytes, the encrypted content, and a tag of 16 that also covers the name. */
  seal(name: string, content: Buffer): Buffer
  /** Undefined when the key is another one, or content or name were changed. */
  open(name: string, sealed: Buffer): Buffer | undefined
}

const blockSize = 8

/** Fresh terms: 128 MiB and about half a second for each guess at the passphrase. */
export function newSealingTerms(): SealingTerms {
  const salt = randomBytes(16).toString('hex')
  return { cipher: 'aes-256-gcm', keyDerivation: 'scrypt', cost: 2 ** 17, salt }
}

/**
 * AES-256-GCM (NIST SP 800-38D) under a key that scrypt (RFC 7914) makes of the passphrase. Nonces
 * are random, which is safe for 2^32 entries under one key; every backup has a key of its own.
 */
export async function createSealing(passphrase: string, terms: SealingTerms): Promise<Sealing> {
  const key = await deriveKey(passphrase, terms)
  return {
    seal: (name, content) => seal(content, { key, subject: name, randomBytes }),
    open: (name, sealed) => unseal(sealed, { key, subject: name }),
  }
}

function deriveKey(passphrase: string, { cost, salt }: SealingTerms): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { N: cost, r: blockSize, p: 1, maxmem: 256 * cost * blockSize }
    scrypt(passphrase.normalize('NFC'), Buffer.from(salt, 'hex'), 32, options, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}
