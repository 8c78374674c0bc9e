import { passwordLengthMin, usernameLengthMin } from '@starside/contract/limits.ts'

interface RegistrationFields {
  username: string
  email: string
  password: string
  confirmPassword: string
}

export type RegistrationFault =
  | 'fields_required'
  | 'passwords_differ'
  | 'password_too_short'
  | 'username_too_short'

/** The first fault in the order of the specification's section 5, or null when there is none. */
export function findRegistrationFault(fields: RegistrationFields): RegistrationFault | null {
  if (!fields.email || !fields.password || !fields.username) return 'fields_required'
  if (fields.password !== fields.confirmPassword) return 'passwords_differ'
  if (fields.password.length < passwordLengthMin) return 'password_too_short'
  if (fields.username.length < usernameLengthMin) return 'username_too_short'
  return null
}
