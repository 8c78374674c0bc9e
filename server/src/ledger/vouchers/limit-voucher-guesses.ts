import type pg from 'pg'
import { AppError } from '../../platform/errors/app-error.ts'
import { callerNetwork } from '../../platform/http/network-address.ts'
import { openCounter } from '../../platform/http/rate-limits.ts'
import type { KeyedDigest } from '../../platform/secrets/keyed-digest.ts'

const hourSeconds = 60 * 60
const wrongCodesPerPerson = 10
/** Many people may stand behind one address. */
const wrongCodesPerNetwork = 50

/** Runs a try of a code that throws `voucher_unknown` where there is no such code. */
export type LimitVoucherGuesses = <Result>(
  guesser: { userId: string; address: string },
  act: () => Promise<Result>,
) => Promise<Result>

/**
 * Limits on trying codes, by person and by network, across all nodes. A try is counted before it runs and
 * given back when its code was one, so that a burst can't outrun the count. Throws `voucher_limited`.
 */
export function createVoucherGuessLimits(pool: pg.Pool, digest: KeyedDigest): LimitVoucherGuesses {
  const open = (keyPrefix: string, points: number) =>
    openCounter(pool, { keyPrefix, points, duration: hourSeconds })
  const byPerson = open('voucher-person', wrongCodesPerPerson)
  const byNetwork = open('voucher-network', wrongCodesPerNetwork)
  return async ({ userId, address }, act) => {
    const counted = [
      { counter: byPerson, key: userId },
      { counter: byNetwork, key: digest(callerNetwork(address)).toString('base64url') },
    ]
    const giveBack = () => Promise.all(counted.map(({ counter, key }) => counter.reward(key)))
    const counts = await Promise.all(counted.map(({ counter, key }) => counter.penalty(key)))
    const full = counts.find(
      ({ consumedPoints }, index) => consumedPoints > (counted[index]?.counter.points ?? 0),
    )
    if (full !== undefined) {
      await giveBack()
      throw new AppError('voucher_limited', { retryAfterSeconds: full.msBeforeNext / 1000 })
    }
    try {
      const result = await act()
      await giveBack()
      return result
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'voucher_unknown')) await giveBack()
      throw error
    }
  }
}
