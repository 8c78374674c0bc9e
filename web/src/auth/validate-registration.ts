import type { Typed } from '../ui/form.tsx'
import { passwordLengthMin, usernameLengthMin } from '@starside/contract/limits.ts'

interface NewPassword {
  password: string
  confirmPassword: string
}

/** Keys of the sentences that say what is wrong. */
type PasswordFault = 'passwordsDiffer' | 'passwordTooShort'
export type RegistrationFault = PasswordFault | 'fieldsRequired' | 'usernameTooShort'

/** The first fault in the order of the specification's section 5, or null when there is none. */
export function findRegistrationFault(
  fields: NewPassword & { username: string; email: string },
): RegistrationFault | null {
  if (!fields.email || !fields.password || !fields.username) return 'fieldsRequired'
  const passwordFault = findPasswordFault(fields)
  if (passwordFault) return passwordFault
  return fields.username.length < usernameLengthMin ? 'usernameTooShort' : null
}

/** What is wrong with a new password that was typed twice. */
export function findPasswordFault(fields: NewPassword): PasswordFault | null {
  if (fields.password !== fields.confirmPassword) return 'passwordsDiffer'
  return fields.password.length < passwordLengthMin ? 'passwordTooShort' : null
}

/** Which field a fault, or the code of a server's refusal, is about. */
const fieldOfFault: Record<string, string | undefined> = {
  passwordsDiffer: 'confirmPassword',
  passwordTooShort: 'password',
  usernameTooShort: 'username',
  referral_unknown: 'referralCode',
}

/** The fields that a fault or a server's refusal is about; of what is missing, those that are empty. */
export function faultyFields(code: string, typed: Typed): string[] {
  if (code === 'fieldsRequired')
    return ['username', 'email', 'password'].filter((name) => !typed(name))
  const [, first] = /^(username|email|password)_/.exec(code) ?? []
  const field = fieldOfFault[code] ?? first
  return field === undefined ? [] : [field]
}
