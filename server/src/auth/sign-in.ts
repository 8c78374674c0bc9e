import type { Database } from '../db/database.ts'
import { AppError } from '../http/app-error.ts'
import { normaliseEmail } from './check-registration.ts'
import type { GuessLimits } from './guess-limits.ts'
import { verifyDecoy, verifyPassword } from './password.ts'
import { rememberDevice } from './device.ts'
import type { Device } from './device.ts'
import { openSession } from './session.ts'
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
  database: Database,
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
  const { origin, limits } = options
  await limits.assertMaySignIn(email, origin.address)
  const user = await database
    .selectFrom('users')
    .select(['id', 'email', 'username', 'password_hash', 'status'])
    .where('email', '=', email)
    .executeTakeFirst()
  const isRight =
    user === undefined
      ? await verifyDecoy(input.password)
      : await verifyPassword(user.password_hash, input.password)
  if (user === undefined || !isRight) {
    await limits.countFailedSignIn(email, origin.address)
    throw new AppError('credentials_wrong')
  }
  if (user.status === 'suspended') throw new AppError('account_suspended')
  await limits.forgetFailedSignIns(email)
  const token = await openSession(database, { ...options, userId: user.id })
  const { device, now } = options
  const { wasKnown } = await rememberDevice(database, { userId: user.id, device, now })
  return {
    token,
    user: { userId: user.id, email: user.email, username: user.username },
    isNewDevice: !wasKnown,
  }
}
