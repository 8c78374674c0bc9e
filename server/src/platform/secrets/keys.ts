import { createHmac, hkdfSync } from 'node:crypto'
import { keysOf } from '@starside/contract/keys-of.ts'

/** The secrets of an installation, from which every key of its own is derived. */
export interface Secrets {
  /** SIGNING_SECRET: for what may become void when it is changed. */
  signing: string
  /** DIGEST_SECRET: for digests in the database, which lose their meaning when it is changed. */
  digest: string
  /** The key of the invisible mark itself; see `deriveMarkKey`. */
  markKey: Buffer
}

/**
 * What a key is used for, and the secret it is derived from. A key serves this one purpose: what is
 * signed for one can't be used for another.
 */
const keyPurposes = {
  pictureUrls: 'signing',
  imageWebhooks: 'signing',
  paymentSandboxApi: 'signing',
  paymentSandboxIpn: 'signing',
  proofOfWork: 'signing',
  /** Digests of the cookies by which browsers are recognised. */
  devices: 'digest',
  /** Signs those cookies. */
  deviceCookies: 'digest',
  /** Digests of network addresses and of e-mails that a limit counts by. */
  limits: 'digest',
  /** Digests of network blocks and mailboxes that had a bonus or a free credit. */
  bonuses: 'digest',
  /** Digests of voucher codes: with another secret, codes that were given out open nothing. */
  vouchers: 'digest',
  /** Encrypts the secrets of operators' second factors. */
  operatorSecrets: 'digest',
  /** Signs the cookies by which browsers of operators are known again. */
  operatorDevices: 'digest',
} as const satisfies Record<string, 'signing' | 'digest'>

export type KeyPurpose = keyof typeof keyPurposes | 'invisibleMark'

/** A key of 256 bits for each purpose. */
export type Keys = Readonly<Record<KeyPurpose, Buffer>>

/** Derives a key for each purpose by HKDF (RFC 5869) with SHA-256, the purpose as its `info`. */
export function deriveKeys(secrets: Secrets): Keys {
  const keys = keysOf(keyPurposes).map((purpose) => [
    purpose,
    deriveKey(secrets[keyPurposes[purpose]], purpose),
  ])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one key for each purpose
  return { ...Object.fromEntries(keys), invisibleMark: secrets.markKey } as Keys
}

/** 32 bytes that follow from the secret and the purpose, and say nothing of either. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `starside ${purpose}`, 32))
}

/**
 * The key of the invisible mark. It isn't made by HKDF as the others are, since pictures that were
 * marked with it before them must stay recognisable.
 */
export function deriveMarkKey(secret: string): Buffer {
  return createHmac('sha256', secret).update('invisible mark of pictures').digest()
}
