import { passwordLengthMin, usernameLengthMin } from '@starside/contract/limits.ts'
import { useState, type ComponentProps, type ReactNode } from 'react'
import { Form, FormError, TextField, Field, describedBy } from '../ui/form.tsx'
import type { FormProps, TextFieldProps, Typed } from '../ui/form.tsx'
import { useMessages } from '../ui/language.tsx'
import { Link } from '../ui/router.tsx'
import { MainButton } from '../ui/button.tsx'

interface AuthFormProps extends Omit<FormProps, 'className'> {
  heading: string
  /** Between the heading and what has failed. */
  notice?: ReactNode
  error: string | null
  busy: boolean
  submitText: string
  busyText: string
}

/** A form of the sign-in page: its heading, its fields where it has any, and the button below them. */
export function AuthForm(props: AuthFormProps) {
  const { heading, notice, error, busy, submitText, busyText, children, ...form } = props
  return (
    <>
      <h2 data-page-heading className="display narrow text-4xl sm:text-5xl">
        {heading}
      </h2>
      {notice}
      <FormError message={error} />
      {children ? (
        <Form className="mt-4 grid gap-3.5 sm:gap-5" {...form}>
          {children}
          <MainButton type="submit" className="min-h-13" aria-disabled={busy}>
            {busy ? busyText : submitText}
          </MainButton>
        </Form>
      ) : null}
    </>
  )
}

/** A way on from a form, after a few words where there are any. */
export function FormLink({ before, ...link }: ComponentProps<typeof Link> & { before?: string }) {
  return (
    <p className="mt-4">
      {before} <Link className="text-link font-semibold" {...link} />
    </p>
  )
}

/** What somebody is called here. */
export function UsernameField(props: { isWrong?: boolean }) {
  const m = useMessages('auth')
  const texts = { label: m.username, hint: m.usernameHint, minLength: usernameLengthMin }
  return <TextField id="username" autoComplete="username" {...texts} {...props} />
}

/** The e-mail that names an account. */
export function EmailField(props: Partial<TextFieldProps>) {
  const m = useMessages('auth')
  return <TextField id="email" label={m.email} type="email" autoComplete="email" {...props} />
}

/** A password input with a button that shows what was typed. */
export function PasswordField({ label, hint, isWrong = false, ...input }: TextFieldProps) {
  const m = useMessages('auth')
  const [shown, setShown] = useState(false)
  return (
    <Field id={input.id} label={label} hint={hint}>
      <div className="relative">
        <input
          name={input.id}
          type={shown ? 'text' : 'password'}
          autoComplete="current-password"
          className="field pr-14"
          {...input}
          {...describedBy(input.id, hint, isWrong)}
        />
        <button
          type="button"
          className="absolute inset-y-0 right-0 grid w-12 place-items-center"
          aria-label={shown ? m.hidePassword : m.showPassword}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          <svg
            aria-hidden="true"
            viewBox="0 0 24 24"
            className="size-5 fill-none stroke-current stroke-2"
          >
            <path d="M2 12s4-6.500 10-6.500S22 12 22 12s-4 6.500-10 6.500S2 12 2 12Z" />
            <circle cx="12" cy="12" r="2.800" />
            {shown ? null : <path d="M4 20 20 4" />}
          </svg>
        </button>
      </div>
    </Field>
  )
}

/** The two fields of a new password; `wrong` are the ids of those that the form's error is about. */
export function NewPasswordFields(props: { labels: [string, string]; wrong?: readonly string[] }) {
  const m = useMessages('auth')
  return (
    <>
      {['password', 'confirmPassword'].map((id, n) => (
        <PasswordField
          key={id}
          id={id}
          label={props.labels[n] ?? ''}
          autoComplete="new-password"
          {...(n === 0 && { hint: m.passwordHint, minLength: passwordLengthMin })}
          isWrong={props.wrong?.includes(id) ?? false}
        />
      ))}
    </>
  )
}

/** Which field a fault, or the code of a server's refusal, is about. */
const fieldOfFault: Record<string, string | undefined> = {
  passwords_differ: 'confirmPassword',
  referral_unknown: 'referralCode',
}

/** The fields that a fault or a server's refusal is about; of what is missing, those that are empty. */
export function faultyFields(code: string, typed: Typed): string[] {
  if (code === 'fields_required')
    return ['username', 'email', 'password', 'confirmPassword'].filter((name) => !typed(name))
  const [, first] = /^(username|email|password)_/.exec(code) ?? []
  return [fieldOfFault[code] ?? first].filter((field) => field !== undefined)
}
