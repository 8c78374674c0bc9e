import { useMessages } from '../ui/language.tsx'
import { TextField } from '../ui/form.tsx'

/** The e-mail that names an account. */
export function EmailField({ required = false }: { required?: boolean }) {
  const m = useMessages('auth')
  return (
    <TextField id="email" label={m.email} type="email" autoComplete="email" required={required} />
  )
}
