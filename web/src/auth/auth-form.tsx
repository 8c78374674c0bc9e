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
    <Form className="mt-6 grid gap-5" {...form}>
      {children}
      <button type="submit" className="button button-main min-h-13" disabled={busy}>
        {busy ? busyText : submitText}
      </button>
    </Form>
  )
}
