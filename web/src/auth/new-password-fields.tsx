import { useMessages } from '../ui/language.tsx'
import { PasswordField } from './password-field.tsx'

interface NewPasswordFieldsProps {
  /** Labels of both fields. */
  labels: readonly [password: string, confirmPassword: string]
  /** Ids of both fields; also what password managers know them by. */
  ids?: readonly [password: string, confirmPassword: string]
}

/** The two fields of a new password. */
export function NewPasswordFields(props: NewPasswordFieldsProps) {
  const m = useMessages('auth')
  const { labels, ids = ['password', 'confirmPassword'] } = props
  return (
    <>
      <PasswordField
        id={ids[0]}
        label={labels[0]}
        autoComplete="new-password"
        hint={m.passwordHint}
      />
      <PasswordField id={ids[1]} label={labels[1]} autoComplete="new-password" />
    </>
  )
}
