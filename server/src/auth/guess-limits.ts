import { hash } from 'node:crypto'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { ErrorCode } from '@starside/contract/errors.ts'
import { AppError } from '../http/app-error.ts'
import { createTurns } from './take-turns.ts'

/** Who tries a password. */
export interface Guesser {
  email: string
  address: string
  /**
   * What is trusted to be the owner's own: a session, or a browser that has signed in before. Its
   * tries are counted apart, so that strangers who guess can't lock the owner out.
   * Source: OWASP, "Slow Down Online Guessing Attacks with Device Cookies".
   */
  trusted?: string | undefined
}

/** Limits on guessing, counted in PostgreSQL so that they hold across all nodes. */
export interface GuessLimits {
  /** Throws `sign_in_limited` when the account or the address has failed too often lately. */
  assertMaySignIn(guesser: Guesser): Promise<void>
  /** The two parts of `assertMaySignIn`, for a statement that reads more at once: what to read… */
  signInKeys(guesser: Guesser): SignInKeys
  /**
   * …and the judgement on it. Rows of other keys are left aside. Answers whether the account has
   * failed and has something to forget.
   */
  judgeFailures(keys: SignInKeys, failures: readonly FailureCount[]): { hasFailed: boolean }
  countFailedSignIn(guesser: Guesser): Promise<void>
  /** Runs tries on the same account one after the other, so that none outruns the count. */
  inTurn<Result>(email: string, act: () => Promise<Result>): Promise<Result>
  forgetFailedSignIns(guesser: Guesser): Promise<void>
  /** Counts one registration from the address; throws `registration_limited` past the limit. */
  countRegistration(address: string): Promise<void>
  /** Counts one asked-for reset mail; throws `too_many_requests` past the limit. */
  countResetMail(email: string, address: string): Promise<void>
}

/** Keys of `rate_limits`, under which failed sign-ins are counted. */
export interface SignInKeys {
  account: string
  address: string
}

/** A row of `rate_limits`; `expire` is in milliseconds since 1970. */
export interface FailureCount {
  key: string
  points: number
  expire: number | string | null
}

const quarterHourSeconds = 15 * 60
const daySeconds = 24 * 60 * 60

/** Failures of one address may be spread over many accounts, so it gets more room than one account. */
const addressFactor = 5

export function createGuessLimits(
  pool: pg.Pool,
  options: { signInFailuresMax: number; registrationsPerAddressPerDay: number },
): GuessLimits {
  const create = (keyPrefix: string, points: number, duration: number) =>
    openLimiter(pool, { keyPrefix, points, duration })
  const byAccount = create('sign-in-account', options.signInFailuresMax, quarterHourSeconds)
  const byAddress = create(
    'sign-in-address',
    options.signInFailuresMax * addressFactor,
    quarterHourSeconds,
  )
  const registrations = create('registration', options.registrationsPerAddressPerDay, daySeconds)
  const resetsByAccount = create('reset-account', 3, quarterHourSeconds)
  const resetsByAddress = create('reset-address', 30, quarterHourSeconds)

  const signInKeys = (guesser: Guesser): SignInKeys => ({
    account: byAccount.getKey(guesserKey(guesser)),
    address: byAddress.getKey(guesser.address),
  })
  function judgeFailures(keys: SignInKeys, failures: readonly FailureCount[]) {
    const now = Date.now()
    const open = failures.filter(
      ({ key, expire }) => (key === keys.account || key === keys.address) && Number(expire) > now,
    )
    for (const { key, points, expire } of open) {
      const pointsMax = (key === keys.account ? byAccount : byAddress).points
      if (points < pointsMax) continue
      throw new AppError('sign_in_limited', { retryAfterSeconds: (Number(expire) - now) / 1000 })
    }
    return { hasFailed: open.some(({ key }) => key === keys.account) }
  }

  const inTurn = createTurns()
  return {
    inTurn: (email, act) => inTurn(digest(email), act),
    async assertMaySignIn(guesser) {
      const keys = signInKeys(guesser)
      const { rows } = await pool.query<FailureCount>({
        name: 'sign-in-failures',
        text: 'select key, points, expire from rate_limits where key = any ($1)',
        values: [Object.values(keys)],
      })
      judgeFailures(keys, rows)
    },
    signInKeys,
    judgeFailures,
    async countFailedSignIn(guesser) {
      // Being over the limit is told at the next try, not by this one's answer.
      await Promise.allSettled([
        byAccount.consume(guesserKey(guesser)),
        byAddress.consume(guesser.address),
      ])
    },
    async forgetFailedSignIns(guesser) {
      await byAccount.delete(guesserKey(guesser))
    },
    countRegistration: (address) => consume(registrations, address, 'registration_limited'),
    async countResetMail(email, address) {
      await consume(resetsByAddress, address, 'too_many_requests')
      await consume(resetsByAccount, digest(email), 'too_many_requests')
    },
  }
}

function openLimiter(
  pool: pg.Pool,
  options: { keyPrefix: string; points: number; duration: number },
): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    // One job deletes what has run out, by its index.
    clearExpiredByTimeout: false,
    ...options,
  })
}

function guesserKey({ email, trusted }: Guesser): string {
  return trusted === undefined ? digest(email) : digest(`${email} ${trusted}`)
}

/** The table of limits shall not be a list of e-mail addresses. */
function digest(text: string): string {
  return hash('sha256', text, 'base64url')
}

async function consume(limiter: RateLimiterPostgres, key: string, code: ErrorCode) {
  try {
    await limiter.consume(key)
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    throw new AppError(code, { retryAfterSeconds: refusal.msBeforeNext / 1000 })
  }
}
