import { createHmac, hash } from 'node:crypto'
import { leadingZeroBits, proofMessage } from '@starside/contract/proof-of-work.ts'
import type pg from 'pg'
import { AppError } from '../../platform/errors/app-error.ts'
import { callerNetwork } from '../../platform/http/network-address.ts'
import { openCounter } from '../../platform/http/rate-limits.ts'
import { isSameText } from '../../platform/secrets/is-same-text.ts'
import type { RandomBytes } from '../../platform/secrets/random-bytes.ts'

/** How long a challenge may be answered. */
const lifetimeMs = 5 * 60_000

/**
 * Proof of work (Dwork and Naor, 1992; as in Hashcash): a number whose SHA-256 with our challenge begins with
 * so many zero bits. It costs a browser about a second, and a thousand accounts a thousand times as much.
 */
export type ProofsOfWork = ReturnType<typeof createProofsOfWork>

/** A challenge: `bits.expires.random.signature`; a proof adds `.number`. `now`: ms since 1970. */
export function createProofsOfWork(
  pool: pg.Pool,
  { key, now, randomBytes }: { key: Buffer; now: () => number; randomBytes: RandomBytes },
) {
  const sign = (claims: string, address: string) =>
    createHmac('sha256', key)
      .update(`${claims}\n${callerNetwork(address)}`)
      .digest('base64url')
  const answered = openCounter(pool, {
    keyPrefix: 'proof-of-work',
    points: 1,
    duration: lifetimeMs / 1_000,
  })
  return {
    /** A challenge for callers from this address, valid for five minutes. */
    issue(address: string, difficultyBits: number): string {
      const id = randomBytes(12).toString('base64url')
      const claims = `${difficultyBits}.${now() + lifetimeMs}.${id}`
      return `${claims}.${sign(claims, address)}`
    },
    /**
     * True when `proof` answers a challenge that was issued for that address and wasn't answered
     * before; each opens one call. Throws `proof_required` for a proof that doesn't.
     */
    async accept(proof: string | undefined, address: string): Promise<boolean> {
      if (proof === undefined) return false
      const [, challenge, claims, bits, expiresAt, id, signature, answer] =
        /^(((\d{1,2})\.(\d{13})\.([\w-]{16}))\.([\w-]{43}))\.(\d{1,16})$/.exec(proof) ?? []
      const isRight =
        claims !== undefined &&
        isSameText(sign(claims, address), signature) &&
        Number(expiresAt) > now() &&
        leadingZeroBits(hash('sha256', proofMessage(challenge, answer), 'buffer')) >= Number(bits)
      if (!isRight) throw new AppError('proof_required')
      const { consumedPoints } = await answered.penalty(id ?? '')
      if (consumedPoints > 1) throw new AppError('proof_required')
      return true
    },
  }
}
