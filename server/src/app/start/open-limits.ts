import type { LimitedCall } from '@starside/contract/routes/limited-calls.ts'
import type pg from 'pg'
import { createGuessLimits } from '../../accounts/auth/guess-limits.ts'
import { createProofsOfWork } from '../../accounts/auth/proof-of-work.ts'
import { createAnonymousLimits } from '../../accounts/auth/anonymous-limits.ts'
import type { Config } from '../../config.ts'
import { createRateLimits } from '../../platform/http/rate-limits.ts'
import type { RandomBytes } from '../../platform/secrets/random-bytes.ts'
import { createKeyedDigest } from '../../platform/secrets/keyed-digest.ts'
import type { Keys } from '../../platform/secrets/keys.ts'

/** Everything that counts calls and guesses, and what opens some of it. */
export function openLimits(
  pool: pg.Pool,
  {
    config,
    keys,
    clock,
    randomBytes,
  }: { config: Config; keys: Keys; clock: () => Date; randomBytes: RandomBytes },
) {
  const digest = createKeyedDigest(keys.limits)
  const now = () => clock().getTime()
  const proofs = createProofsOfWork(pool, { key: keys.proofOfWork, now, randomBytes })
  return {
    limits: createRateLimits<LimitedCall>(pool, config.limits, digest),
    guessLimits: createGuessLimits(pool, { failuresMax: config.signInFailuresMax, digest }),
    anonymousLimits: createAnonymousLimits(pool, {
      registrationsPerDay: config.registrationsPerAddressPerDay,
      digest,
      proofs,
    }),
    proofs,
  }
}
