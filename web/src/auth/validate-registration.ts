import { passwordLengthMin, usernameLengthMin } from '@starside/contract/limits.ts'
import type { AuthMessages } from '../ui/messages/catalogues.ts'

interface NewPassword {
  password: string
  confirmPassword: string
}

interface RegistrationFields extends NewPassword {
  username: string
  email: string
}

type PasswordFault = 'passwords_differ' | 'password_too_short'

export type RegistrationFault = PasswordFault | 'fields_required' | 'username_too_short'

/** The first fault in the order of the specification's section 5, or null when there is none. */
export function findRegistrationFault(fields: RegistrationFields): RegistrationFault | null {
  if (!fields.email || !fields.password || !fields.username) return 'fields_required'
  const passwordFault = findPasswordFault(fields)
  if (passwordFault) return passwordFault
  return fields.username.length < usernameLengthMin ? 'username_too_short' : null
}

/** What is wrong with a new password that was typed twice. */
export function findPasswordFault(fields: NewPassword): PasswordFault | null {
  if (fields.password !== fields.confirmPassword) return 'passwords_differ'
  return fields.password.length < passwordLengthMin ? 'password_too_short' : null
}

/** The sentence of a fault. */
export function faultSentence(m: AuthMessages, fault: RegistrationFault): string {
  const sentences: Record<RegistrationFault, string> = {
    fields_required: m.fieldsRequired,
    passwords_differ: m.passwordsDiffer,
    password_too_short: m.passwordTooShort,
    username_too_short: m.usernameTooShort,
  }
  return sentences[fault]
}
