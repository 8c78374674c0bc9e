import type pg from 'pg'
import { AppError } from '../http/app-error.ts'
import { normaliseEmail } from './check-registration.ts'
import type { FailureCount, Guesser, GuessLimits, SignInKeys } from './guess-limits.ts'
import { verifyDecoy, verifyPassword } from './password.ts'
import type { Device } from './device.ts'
import { openSessionQuickly } from './session.ts'
import type { SessionOrigin } from './session.ts'
import type { RandomBytes } from '../random-bytes.ts'

export interface SignedIn {
  token: string
  user: { userId: string; email: string; username: string }
  /** True when the person had never signed in from this device. */
  isNewDevice: boolean
}

/**
 * Opens a session for e-mail and password. An unknown e-mail and a wrong password get the same
 * answer in the same time. Throws `credentials_wrong`, `sign_in_limited` or `account_suspended`.
 */
export async function signIn(
  pool: pg.Pool,
  input: { email: string; password: string },
  options: {
    now: Date
    randomBytes: RandomBytes
    origin: SessionOrigin
    device: Device
    limits: GuessLimits
  },
): Promise<SignedIn> {
  const email = normaliseEmail(input.email)
  const { device, limits } = options
  const stranger: Guesser = { email, address: options.origin.address }
  const owner: Guesser = { ...stranger, trusted: `device ${device.hash.toString('base64url')}` }
  // A hundred guesses sent at once must not all be judged before the first is counted.
  const { user, countedAs, hasFailed } = await limits.inTurn(email, async () => {
    const read = await readCredentials(pool, email, {
      device,
      keys: [limits.signInKeys(stranger), limits.signInKeys(owner)],
    })
    const guesser = read.isDeviceKnown ? owner : stranger
    const judged = limits.judgeFailures(limits.signInKeys(guesser), read.failures)
    const isRight =
      read.user === undefined
        ? await verifyDecoy(input.password)
        : await verifyPassword(read.user.password_hash, input.password)
    if (read.user !== undefined && isRight)
      return { user: read.user, countedAs: guesser, ...judged }
    await limits.countFailedSignIn(guesser)
    throw new AppError('credentials_wrong')
  })
  if (user.status === 'suspended') throw new AppError('account_suspended')
  const [{ token, isNewDevice }] = await Promise.all([
    openSessionQuickly(pool, { ...options, userId: user.id }),
    hasFailed ? limits.forgetFailedSignIns(countedAs) : undefined,
  ])
  return {
    token,
    user: { userId: user.id, email: user.email, username: user.username },
    isNewDevice,
  }
}

interface Credentials {
  id: string
  email: string
  username: string
  password_hash: string
  status: 'active' | 'suspended'
}

/** The user with this e-mail, whether they know the device, and the failed sign-ins so far. */
async function readCredentials(
  pool: pg.Pool,
  email: string,
  { device, keys }: { device: Device; keys: [SignInKeys, SignInKeys] },
) {
  const { rows } = await pool.query<{
    failures: FailureCount[]
    user: Credentials | null
    isDeviceKnown: boolean
  }>({
    name: 'read-credentials',
    text: `
      select
        (
          select coalesce(json_agg(json_build_object('key', key, 'points', points, 'expire', expire)), '[]')
          from rate_limits where key in ($2, $3, $4, $5)
        ) as failures,
        (
          select json_build_object('id', id, 'email', email, 'username', username,
            'password_hash', password_hash, 'status', status)
          from users where email = $1
        ) as user,
        exists (
          select from user_devices
          where user_id = (select id from users where email = $1) and device_hash = $6
        ) as "isDeviceKnown"`,
    values: [email, ...keys.flatMap(({ account, address }) => [account, address]), device.hash],
  })
  const { failures = [], user, isDeviceKnown = false } = rows[0] ?? {}
  return { failures, user: user ?? undefined, isDeviceKnown }
}
