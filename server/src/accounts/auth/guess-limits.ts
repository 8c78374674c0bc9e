import type pg from 'pg'
import { AppError } from '../../platform/errors/app-error.ts'
import { callerNetwork } from '../../platform/http/network-address.ts'
import { createFairQueue } from '../../platform/http/fair-queue.ts'
import { openCounter } from '../../platform/http/rate-limits.ts'
import type { KeyedDigest } from '../../platform/secrets/keyed-digest.ts'
import type { SignedInUser } from './session.ts'

/** Who tries a password. */
export interface Guesser {
  /** Whose password it is: an e-mail, or another name that tries are counted under. */
  account: string
  address: string
  /**
   * What is trusted as the owner's: a session, or a browser that signed in before. Its tries are counted apart,
   * so that strangers can't lock the owner out (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
   */
  trusted?: string | undefined
}

/** Limits on guessing passwords, counted in PostgreSQL so that they hold across all nodes. */
export type GuessLimits = ReturnType<typeof createGuessLimits>

export type FailureKeys = ReturnType<GuessLimits['failureKeys']>

/** A row of `rate_limits`; `expire` is in milliseconds since 1970. */
export type FailureCount = { key: string; points: number; expire: number | string | null }

const quarterHourSeconds = 15 * 60

/** Failures of one address may be spread over many accounts, so it gets more room than one account. */
const addressFactor = 5

/** @param digest of e-mails and addresses, as the table of limits shall be no list of them */
export function createGuessLimits(
  pool: pg.Pool,
  { failuresMax, digest }: { failuresMax: number; digest: KeyedDigest },
) {
  const digestText = (text: string) => digest(text).toString('base64url')
  const open = (keyPrefix: string, points: number) =>
    openCounter(pool, { keyPrefix, points, duration: quarterHourSeconds })
  const byAccount = open('sign-in-account', failuresMax)
  const byAddress = open('sign-in-address', failuresMax * addressFactor)
  const accountKey = ({ account, trusted }: Guesser) =>
    digestText(trusted === undefined ? account : `${account} ${trusted}`)
  const addressKey = (address: string) => digestText(callerNetwork(address))

  /** Keys of the rows of `rate_limits` that count for this guesser. */
  const failureKeys = (guesser: Guesser) => ({
    account: byAccount.getKey(accountKey(guesser)),
    /** Undefined for a trusted guesser. */
    address:
      guesser.trusted === undefined ? byAddress.getKey(addressKey(guesser.address)) : undefined,
  })
  const queue = createFairQueue({ atOnceMax: Infinity })
  const running = new Map<string, number>()

  /**
   * Decides by those rows; rows of other keys are left aside. Throws `sign_in_limited` when the
   * account failed too often lately, `proof_required` when its strangers' address did.
   * @param tries how many tries run from that address, this one included
   * @param hasProof whether a proof of work came along, which opens a limited address
   * @returns whether the account has failed and has something to forget
   */
  function judgeFailures(
    keys: { account: string; address: string | undefined },
    failures: readonly FailureCount[],
    { tries, hasProof }: { tries: number; hasProof: boolean },
  ) {
    const now = Date.now()
    const find = (wanted: string | undefined) =>
      failures.find(({ key, expire }) => key === wanted && Number(expire) > now)
    const ofAccount = find(keys.account)
    if (ofAccount !== undefined && ofAccount.points >= byAccount.points) {
      const retryAfterSeconds = (Number(ofAccount.expire) - now) / 1000
      throw new AppError('sign_in_limited', { retryAfterSeconds })
    }
    // A try that still runs may fail: a burst counts before its failures do.
    const ofAddress = (find(keys.address)?.points ?? 0) + tries - 1
    if (keys.address !== undefined && ofAddress >= byAddress.points && !hasProof) {
      throw new AppError('proof_required')
    }
    return { hasFailed: ofAccount !== undefined }
  }

  return {
    /** Runs tries on the same account one after the other, so that none outruns the count. */
    oneAtATime: <Result>(account: string, act: () => Promise<Result>) => queue.run(account, act),
    failureKeys,
    judgeFailures,
    /** Reads how often the account has failed; throws `sign_in_limited` when it was too often. */
    async assertMayTry(guesser: Guesser) {
      const keys = failureKeys(guesser)
      const { rows } = await pool.query<FailureCount>({
        name: 'sign-in-failures',
        text: 'select key, points, expire from rate_limits where key = $1',
        values: [keys.account],
      })
      judgeFailures({ ...keys, address: undefined }, rows, { tries: 1, hasProof: false })
    },
    async countFailure(guesser: Guesser) {
      await Promise.all([
        byAccount.penalty(accountKey(guesser)),
        guesser.trusted === undefined && byAddress.penalty(addressKey(guesser.address)),
      ])
    },
    async forgetFailures(guesser: Guesser) {
      await byAccount.delete(accountKey(guesser))
    },
    /** Runs `act` with the number of tries that run from this address on this node. */
    async amongTries<Result>(address: string, act: (tries: number) => Promise<Result>) {
      const key = addressKey(address)
      const count = (running.get(key) ?? 0) + 1
      running.set(key, count)
      try {
        return await act(count)
      } finally {
        const left = (running.get(key) ?? 1) - 1
        if (left === 0) running.delete(key)
        else running.set(key, left)
      }
    },
  }
}

/**
 * Runs an act for which somebody signed in gives their password again; wrong ones are counted, and after some
 * it is refused with `sign_in_limited`: a stolen session can't be used to find the password out.
 */
export function limitGuesses<Result>(
  limits: GuessLimits,
  user: SignedInUser,
  address: string,
  act: () => Promise<Result>,
): Promise<Result> {
  const guesser = { account: user.email, address, trusted: 'session' }
  return limits.oneAtATime(user.email, async () => {
    await limits.assertMayTry(guesser)
    try {
      return await act()
    } catch (error) {
      if (error instanceof AppError && error.code === 'password_wrong') {
        await limits.countFailure(guesser)
      }
      throw error
    }
  })
}
