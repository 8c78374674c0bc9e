import type pg from 'pg'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../platform/errors/app-error.ts'
import { callerNetwork } from '../../platform/http/network-address.ts'
import { consume, openCounter } from '../../platform/http/rate-limits.ts'
import type { KeyedDigest } from '../../platform/secrets/keyed-digest.ts'
import type { ProofsOfWork } from './proof-of-work.ts'

/** Limits on what nobody signs in for, counted by network across all nodes. */
export type AnonymousLimits = ReturnType<typeof createAnonymousLimits>

const quarterHourSeconds = 15 * 60
const daySeconds = 24 * 60 * 60

/** About a quarter of a million hashes, a second in a browser; each further bit doubles it. */
const difficultyBitsMin = 18
const difficultyBitsMax = 22

/** @param digest of e-mails and addresses, as the table of limits shall be no list of them */
export function createAnonymousLimits(
  pool: pg.Pool,
  options: { registrationsPerDay: number; digest: KeyedDigest; proofs: ProofsOfWork },
) {
  const { registrationsPerDay, proofs } = options
  const digest = (text: string) => options.digest(text).toString('base64url')
  const networkKey = (address: string) => digest(callerNetwork(address))
  const open = (keyPrefix: string, points: number, duration: number) =>
    openCounter(pool, { keyPrefix, points, duration })
  const registrations = open('registration', registrationsPerDay, daySeconds)
  const resetsByAccount = open('reset-account', 3, quarterHourSeconds)
  const resetsByAddress = open('reset-address', 30, quarterHourSeconds)
  const wrongTokens = open('wrong-token', 30, quarterHourSeconds)

  return {
    /** Counts a registration; past a day's limit throws `proof_required` without proof of work. */
    async admitRegistration(address: string, proof: string | undefined) {
      const hasProof = await proofs.accept(proof, address)
      const { consumedPoints } = await registrations.penalty(networkKey(address))
      if (consumedPoints <= registrationsPerDay || hasProof) return
      // What is refused makes the next one no harder.
      await registrations.reward(networkKey(address))
      throw new AppError('proof_required')
    },
    /** A challenge whose difficulty grows with the registrations of the address today. */
    async issueChallenge(address: string) {
      const today = await registrations.get(networkKey(address))
      const times = Math.max(1, (today?.consumedPoints ?? 0) / registrationsPerDay)
      const bits = Math.min(difficultyBitsMin + Math.floor(Math.log2(times)), difficultyBitsMax)
      return proofs.issue(address, bits)
    },
    /** Counts one asked-for reset mail; throws `too_many_requests` past the limit. */
    async countResetMail(email: string, address: string) {
      await consume(resetsByAddress, networkKey(address))
      await consume(resetsByAccount, digest(email))
    },
    /** Counts one mailed token that opened nothing; throws `too_many_requests` past the limit. */
    countWrongToken: (address: string) => consume(wrongTokens, networkKey(address)),
  }
}

/** Counts wrong tokens of mails: none of 256 bits can be guessed, but tries shall not cost much. */
export async function countingWrongTokens(
  anonymousLimits: AnonymousLimits,
  request: FastifyRequest,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (error instanceof AppError && wrongToken.includes(error.code)) {
      await anonymousLimits.countWrongToken(request.ip)
    }
    throw error
  }
}

const wrongToken: readonly string[] = ['reset_token_invalid', 'confirmation_token_invalid']
