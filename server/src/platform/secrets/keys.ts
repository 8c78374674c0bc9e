import { createHmac, hkdfSync } from 'node:crypto'
import { keysOf } from '@starside/contract/keys-of.ts'
import purposes from './key-purposes.json' with { type: 'json' }

/** The secrets of an installation, from which every key of its own is derived. */
export interface Secrets {
  /** SIGNING_SECRET: for what may become void when it is changed. */
  signing: string
  /** DIGEST_SECRET: for digests in the database, which lose their meaning when it is changed. */
  digest: string
  /** The key of the invisible mark itself; see `deriveMarkKey`. */
  markKey: Buffer
}

/** What a key is used for, by the secret it is derived from; no other purpose takes it. */
export type KeyPurpose =
  | keyof (typeof purposes)['signing']
  | keyof (typeof purposes)['digest']
  | 'invisibleMark'

/** A key of 256 bits for each purpose. */
export type Keys = Readonly<Record<KeyPurpose, Buffer>>

/** Derives a key for each purpose by HKDF (RFC 5869) with SHA-256, the purpose as its `info`. */
export function deriveKeys(secrets: Secrets): Keys {
  const keys = keysOf(purposes).flatMap((secret) =>
    Object.keys(purposes[secret]).map((purpose) => [purpose, deriveKey(secrets[secret], purpose)]),
  )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one key for each purpose
  return { ...Object.fromEntries(keys), invisibleMark: secrets.markKey } as Keys
}

/** 32 bytes that follow from the secret and the purpose, and say nothing of either. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `starside ${purpose}`, 32))
}

/** The invisible mark's key: not by HKDF, so that marks older than that are still recognised. */
export function deriveMarkKey(secret: string): Buffer {
  return createHmac('sha256', secret).update('invisible mark of pictures').digest()
}
