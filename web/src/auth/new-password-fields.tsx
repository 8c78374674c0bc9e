import { useMessages } from '../ui/language.tsx'
import { PasswordField } from './password-field.tsx'

/** A new password as it was typed twice. */
export interface NewPassword {
  password: string
  confirmPassword: string
}

interface NewPasswordFieldsProps {
  value: NewPassword
  /** Labels of both fields. */
  labels: readonly [password: string, confirmPassword: string]
  /** Ids of both fields; also what password managers know them by. */
  ids?: readonly [password: string, confirmPassword: string]
  onChange: (change: Partial<NewPassword>) => void
}

/** The two fields of a new password. */
export function NewPasswordFields(props: NewPasswordFieldsProps) {
  const m = useMessages('auth')
  const { value, labels, ids = ['password', 'confirmPassword'], onChange } = props
  return (
    <>
      <PasswordField
        id={ids[0]}
        label={labels[0]}
        autoComplete="new-password"
        hint={m.passwordHint}
        value={value.password}
        onChange={(password) => onChange({ password })}
      />
      <PasswordField
        id={ids[1]}
        label={labels[1]}
        autoComplete="new-password"
        value={value.confirmPassword}
        onChange={(confirmPassword) => onChange({ confirmPassword })}
      />
    </>
  )
}
