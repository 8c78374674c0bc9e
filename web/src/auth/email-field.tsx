import { useMessages } from '../ui/language.tsx'
import { TextField } from '../ui/text-field.tsx'

interface EmailFieldProps {
  value: string
  onChange: (value: string) => void
  required?: boolean
}

/** The e-mail that names an account. */
export function EmailField(props: EmailFieldProps) {
  const m = useMessages('auth')
  return <TextField id="email" label={m.email} type="email" autoComplete="email" {...props} />
}
