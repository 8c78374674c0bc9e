import type { ReactNode } from 'react'
import { Form } from '../ui/form.tsx'

interface AuthFormProps {
  noValidate?: boolean
  busy: boolean
  submitText: string
  busyText: string
  onSubmit: () => unknown
  children: ReactNode
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
