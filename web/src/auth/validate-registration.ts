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
