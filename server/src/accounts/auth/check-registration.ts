import {
  emailLengthMax,
  passwordLengthMax,
  referralCodeLengthMax,
  usernameLengthMax,
} from '@starside/contract/limits.ts'
import type { RegisterInput } from '@starside/contract/auth.ts'
import { findPasswordFault, findRegistrationFault } from '@starside/contract/registration.ts'
import type { RegistrationFault } from '@starside/contract/registration.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { normaliseEmail } from './mailbox.ts'

/** A registration whose fields passed every rule, with its e-mail normalised. */
export type CheckedRegistration = ReturnType<typeof checkRegistration>

/** Checks in the order of the specification (section 5), but for equal passwords: the form does. */
export function checkRegistration(input: RegisterInput) {
  const email = normaliseEmail(input.email ?? '')
  const username = (input.username ?? '').trim()
  const password = input.password ?? ''
  refuse(findRegistrationFault({ email, username, password }))
  checkPassword(password)
  if (username.length > usernameLengthMax) throw new AppError('username_too_long')
  if (/\p{C}/u.test(username)) throw new AppError('username_invalid')
  if (email.length > emailLengthMax || !emailPattern.test(email)) {
    throw new AppError('email_invalid')
  }
  return { email, password, username, referralCode: readReferralCode(input.referralCode) }
}

/** Throws when a new password is too short or too long to be hashed. */
export function checkPassword(password: string): void {
  refuse(findPasswordFault({ password }))
  if (password.length > passwordLengthMax) throw new AppError('password_too_long')
}

/** Nothing is typed twice here, so that nothing can differ. */
function refuse(fault: RegistrationFault | null): void {
  if (fault !== null && fault !== 'passwords_differ') throw new AppError(fault)
}

/**
 * One @ between two parts without spaces and without what has a meaning in a mail's header (RFC 5322,
 * section 3.2.3, "specials"): `<ada@a.example>`, `x,ada@a.example` and `ada(x)@a.example` are delivered to
 * somebody whose mailbox has another address already. Only a mail proves more.
 */
const emailPattern =
  /^[^\s@\p{C}()<>[\]:;\\,"]{1,64}@[^\s@\p{C}()<>[\]:;\\,".]+(\.[^\s@\p{C}()<>[\]:;\\,".]+)*$/u

function readReferralCode(code: string | null | undefined): string | undefined {
  const trimmed = (code ?? '').trim().toUpperCase()
  if (trimmed === '') return undefined
  if (trimmed.length > referralCodeLengthMax) throw new AppError('referral_unknown')
  return trimmed
}
