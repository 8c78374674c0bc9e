import { passwordLengthMin, usernameLengthMin } from './limits.ts'

/** What is wrong with a new password; codes of errors, but for what only a form that asks twice can know. */
export type PasswordFault = 'passwords_differ' | 'password_too_short'
export type RegistrationFault = 'fields_required' | PasswordFault | 'username_too_short'

interface NewPassword {
  password: string
  /** As it was typed once more; left out where nobody asked for that. */
  confirmPassword?: string
}

/** The first fault in the order of the specification's section 5; null when there is none. */
export function findRegistrationFault(
  fields: NewPassword & { username: string; email: string },
): RegistrationFault | null {
  if (!fields.email || !fields.password || !fields.username) return 'fields_required'
  const isShort = fields.username.length < usernameLengthMin
  return findPasswordFault(fields) ?? (isShort ? 'username_too_short' : null)
}

/** What is wrong with a new password; null when nothing is. */
export function findPasswordFault(fields: NewPassword): PasswordFault | null {
  const { password, confirmPassword = password } = fields
  if (password !== confirmPassword) return 'passwords_differ'
  return password.length < passwordLengthMin ? 'password_too_short' : null
}
