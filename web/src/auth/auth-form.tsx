import type { ComponentProps } from 'react'
import { Form } from '../ui/form.tsx'

interface AuthFormProps extends Omit<ComponentProps<typeof Form>, 'className'> {
  busy: boolean
  submitText: string
  busyText: string
}

/** A form of the sign-in page: its fields, and the button below them. */
export function AuthForm({ busy, submitText, busyText, children, ...form }: AuthFormProps) {
  return (
    <Form className="mt-4 grid gap-3.5 sm:mt-6 sm:gap-5" {...form}>
      {children}
      <button type="submit" className="button button-main min-h-13" aria-disabled={busy}>
        {busy ? busyText : submitText}
      </button>
    </Form>
  )
}
