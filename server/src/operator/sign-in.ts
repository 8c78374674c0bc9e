import { verifyDecoy, verifyPassword } from '../auth/password.ts'
import type { Context } from '../context.ts'
import { createOperatorKey, findOperator, operatorSessionMs } from './operator-sessions.ts'
import { takeSecondFactor } from './second-factor.ts'

type Parts = Pick<Context, 'database' | 'clock' | 'randomBytes' | 'config' | 'guessLimits' | 'keys'>

/** What somebody signs in with: a name with its password and code, or a token alone. */
export interface OperatorCredentials {
  /** Empty for a token and for the password of ADMIN_PASSWORD_HASH. */
  name: string
  secret: string
  /** Of the authenticator app, or a recovery code; empty where there is no second factor. */
  code: string
  address: string
  userAgent: string
  /** Of a browser in which this operator has signed in before; see `operator-device.ts`. */
  device: string | undefined
}

/** What wrong passwords are counted under: no e-mail, as those are in lower case. */
const strangersAccount = 'Operator'

/** Whom a session is opened for. */
interface Holder {
  id: string | undefined
  name: string
}

/**
 * Opens a session and answers its secret; undefined for wrong credentials, whichever of them is
 * wrong. A valid token always opens: it can't be guessed, so nothing is counted before it is looked
 * up. Passwords and codes are judged one at a time for each name; throws `sign_in_limited` after too
 * many wrong ones.
 */
export async function signInOperator(
  parts: Parts,
  credentials: OperatorCredentials,
): Promise<string | undefined> {
  const { secret, address, userAgent } = credentials
  const holder =
    (await findOperator(parts, { kind: 'token', secret })) ?? (await judgeGuess(parts, credentials))
  if (holder === undefined) return undefined
  return createOperatorKey(parts, {
    kind: 'session',
    name: holder.name,
    operatorId: holder.id,
    lifetimeMs: operatorSessionMs,
    address,
    userAgent,
  })
}

async function judgeGuess(
  parts: Parts,
  credentials: OperatorCredentials,
): Promise<Holder | undefined> {
  const { guessLimits } = parts
  const { name, address, device } = credentials
  // Strangers' guesses are counted together, whatever names they try: each costs a hash. A known
  // browser has a count of its own, so that nobody is locked out by them.
  const trusted = device === undefined ? undefined : `${name} ${device}`
  const guesser = { account: strangersAccount, address, trusted }
  return guessLimits.oneAtATime(trusted ?? strangersAccount, async () => {
    await guessLimits.assertMayTry(guesser)
    const holder =
      credentials.name === ''
        ? await judgeCommonPassword(parts, credentials.secret)
        : await judgeOperator(parts, credentials)
    if (holder === undefined) await guessLimits.countFailure(guesser)
    return holder
  })
}

async function judgeCommonPassword({ config }: Parts, secret: string): Promise<Holder | undefined> {
  const passwordHash = config.adminPasswordHash
  if (passwordHash === undefined || !(await verifyPassword(passwordHash, secret))) return undefined
  return { id: undefined, name: 'operator' }
}

async function judgeOperator(
  parts: Parts,
  { name, secret, code }: OperatorCredentials,
): Promise<Holder | undefined> {
  const row = await parts.database
    .selectFrom('operators')
    .select(['id', 'name', 'password_hash', 'totp_confirmed_at'])
    .where('name', '=', name)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) {
    await verifyDecoy(secret)
    return undefined
  }
  if (!(await verifyPassword(row.password_hash, secret))) return undefined
  const isSecond =
    row.totp_confirmed_at === null || (await takeSecondFactor(parts, { operatorId: row.id, code }))
  return isSecond ? { id: row.id, name: row.name } : undefined
}
