import { verifyDecoy, verifyPassword } from '../accounts/auth/password.ts'
import type { OperatorParts } from './parts.ts'
import { findOperator, openOperatorSession } from './operator-sessions.ts'
import type { OperatorProof } from './operator-sessions.ts'
import { takeSecondFactor } from './second-factor.ts'

type Parts = Pick<
  OperatorParts,
  'database' | 'clock' | 'randomBytes' | 'config' | 'guessLimits' | 'keys'
>

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
  const { secret } = credentials
  const isToken = (await findOperator(parts, { kind: 'token', secret })) !== undefined
  const proof = isToken
    ? { by: 'token' as const, token: secret }
    : await judgeGuess(parts, credentials)
  return proof === undefined ? undefined : openOperatorSession(parts, proof, credentials)
}

async function judgeGuess(
  parts: Parts,
  credentials: OperatorCredentials,
): Promise<OperatorProof | undefined> {
  const { guessLimits } = parts
  const { name, address, device } = credentials
  // Strangers' guesses are counted together, whatever names they try: each costs a hash. A known
  // browser has a count of its own, so that nobody is locked out by them.
  const trusted = device === undefined ? undefined : `${name} ${device}`
  const guesser = { account: strangersAccount, address, trusted }
  return guessLimits.oneAtATime(trusted ?? strangersAccount, async () => {
    await guessLimits.assertMayTry(guesser)
    const proof =
      credentials.name === ''
        ? await judgeCommonPassword(parts, credentials.secret)
        : await judgeOperator(parts, credentials)
    if (proof === undefined) await guessLimits.countFailure(guesser)
    return proof
  })
}

async function judgeCommonPassword(
  { config }: Parts,
  secret: string,
): Promise<OperatorProof | undefined> {
  const passwordHash = config.adminPasswordHash
  if (passwordHash === undefined || !(await verifyPassword(passwordHash, secret))) return undefined
  return { by: 'common password' }
}

async function judgeOperator(
  parts: Parts,
  { name, secret, code }: OperatorCredentials,
): Promise<OperatorProof | undefined> {
  const row = await parts.database
    .selectFrom('operators')
    .select(['id', 'password_hash', 'totp_secret', 'totp_confirmed_at'])
    .where('name', '=', name)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) {
    await verifyDecoy(secret)
    return undefined
  }
  if (!(await verifyPassword(row.password_hash, secret))) return undefined
  const totpSecret = row.totp_confirmed_at === null ? null : row.totp_secret
  const isSecond =
    totpSecret === null || (await takeSecondFactor(parts, { operatorId: row.id, code }))
  if (!isSecond) return undefined
  return { by: 'operator', operatorId: row.id, passwordHash: row.password_hash, totpSecret }
}
