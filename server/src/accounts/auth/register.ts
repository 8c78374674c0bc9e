import type { RegistrationNotice } from '@starside/contract/auth.ts'
import type { Language } from '@starside/contract/languages.ts'
import { inTransaction } from '../../platform/db/database.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { insertRow } from '../../platform/db/rows.ts'
import { violatedConstraint } from '../../platform/db/postgres-errors.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import type { CheckedRegistration } from './check-registration.ts'
import { hashPassword } from './password.ts'
import type { Device } from './device.ts'
import { rememberDevice } from './device.ts'
import { openSession } from './session.ts'
import type { SessionOpening } from './session.ts'
import type { RandomBytes } from '../../platform/secrets/random-bytes.ts'

/** What else happens in a user's making (credits, referral); answers what they have to know. */
export type WelcomeUser = (
  transaction: Transaction,
  user: {
    userId: string
    email: string
    referralCode: string | undefined
    address: string
    device: Device
    now: Date
  },
) => Promise<RegistrationNotice[]>

interface RegisterOptions extends SessionOpening {
  device: Device
  /** Of the terms that the person agrees to. */
  termsVersion: string
  language: Language
  welcome: WelcomeUser
}

/** How often a referral code that somebody else already has is drawn anew. */
const codeDrawsMax = 5

/** Account, credit, referral and session, or nothing. Throws `email_taken`, `referral_unknown`. */
export async function registerUser(
  database: Database,
  registration: CheckedRegistration,
  options: RegisterOptions,
): Promise<{ token: string; userId: string; notices: RegistrationNotice[] }> {
  const passwordHash = await hashPassword(registration.password)
  for (let draw = 1; ; draw += 1) {
    try {
      return await inTransaction(database, (transaction) =>
        insertUser(transaction, registration, passwordHash, options),
      )
    } catch (error) {
      const constraint = violatedConstraint(error)
      if (constraint === 'users_email_unique') throw new AppError('email_taken', { cause: error })
      if (constraint !== 'users_referral_code_unique' || draw === codeDrawsMax) throw error
    }
  }
}

async function insertUser(
  transaction: Transaction,
  registration: CheckedRegistration,
  passwordHash: string,
  options: RegisterOptions,
) {
  const { now, randomBytes, origin } = options
  const { email, username, referralCode } = registration
  const { device, language, termsVersion } = options
  const { id: userId } = await insertRow(transaction, 'users', {
    email,
    username,
    password_hash: passwordHash,
    referral_code: createReferralCode(randomBytes),
    created_at: now,
    terms_version: termsVersion,
    terms_at: now,
    language,
  })
  const { address } = origin
  const user = { userId, email, referralCode, address, device, now }
  const notices = await options.welcome(transaction, user)
  const hashes = [device.fresh.hash, device.fallbackHash] as const
  await rememberDevice(transaction, { userId, hashes, now })
  const token = await openSession(transaction, { userId, passwordHash, now, randomBytes, origin })
  if (token === undefined) throw new Error('an account that was just made took no session')
  return { token, userId, notices }
}

/** Letters and digits that nobody confuses: no I, O, 0, 1. 32 of them, so a byte maps evenly. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Eight random characters: 40 bits, enough that a clash is rare; the database refuses one. */
export function createReferralCode(randomBytes: RandomBytes, length = 8): string {
  return Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('')
}
