import { useState } from 'react'
import { passwordLengthMin } from '@starside/contract/limits.ts'
import { call } from '../api/call.ts'
import { FormError } from '../ui/form-error.tsx'
import { useMessages } from '../ui/language.tsx'
import { useSubmission } from '../ui/use-submission.ts'
import { useAuth } from './auth-context.ts'
import { PasswordField } from './password-field.tsx'

const empty = { current: '', next: '', confirmed: '' }

/** Sets a new password; the answer brings a new token, as all sessions end with the old one. */
export function ChangePasswordForm() {
  const m = useMessages('dashboard')
  const texts = useMessages('auth')
  const { replaceToken } = useAuth()
  const [fields, setFields] = useState(empty)
  const [isSaved, setIsSaved] = useState(false)
  const { busy, error, setError, submit } = useSubmission(m.requestFailed)
  const save = async (): Promise<void> => {
    const { current, next, confirmed } = fields
    if (!current || !next) return setError(texts.fieldsRequired)
    if (next !== confirmed) return setError(texts.passwordsDiffer)
    if (next.length < passwordLengthMin) return setError(texts.passwordTooShort)
    const body = { currentPassword: current, newPassword: next }
    const isDone = await submit(async () =>
      replaceToken((await call('POST /api/auth?action=change-password', { body })).token),
    )
    if (isDone) setFields(empty)
    setIsSaved(isDone)
  }
  const type = (name: keyof typeof fields) => (value: string) => {
    setFields((old) => ({ ...old, [name]: value }))
    setError(null)
    setIsSaved(false)
  }
  return (
    <section aria-labelledby="change-password" className="rule pt-3">
      <h3 id="change-password" className="text-2xl font-bold">
        {m.changePassword}
      </h3>
      <FormError message={error} />
      <p
        role="status"
        className="mt-4 border-l-[10px] border-green py-1 pl-4 font-semibold text-green empty:hidden"
      >
        {isSaved ? m.passwordChanged : null}
      </p>
      <form
        noValidate
        className="mt-4 grid max-w-md gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <PasswordField
          id="current-password"
          label={m.currentPassword}
          autoComplete="current-password"
          value={fields.current}
          onChange={type('current')}
        />
        <PasswordField
          id="new-password"
          label={m.newPassword}
          autoComplete="new-password"
          hint={texts.passwordHint}
          value={fields.next}
          onChange={type('next')}
        />
        <PasswordField
          id="confirm-password"
          label={m.confirmPassword}
          autoComplete="new-password"
          value={fields.confirmed}
          onChange={type('confirmed')}
        />
        <button type="submit" className="button button-main justify-self-start" disabled={busy}>
          {busy ? m.saving : m.savePassword}
        </button>
      </form>
    </section>
  )
}
