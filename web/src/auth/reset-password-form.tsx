import { useState } from 'react'
import { useNavigate } from '../ui/router.tsx'
import { Link } from '../ui/link.tsx'
import { passwordLengthMin } from '@starside/contract/limits.ts'
import { call } from '../api/call.ts'
import { useMessages } from '../ui/language.tsx'
import { useSubmission } from '../ui/use-submission.ts'
import { FormError } from '../ui/form-error.tsx'
import { PasswordField } from './password-field.tsx'

/** Sets a new password with the token of the mailed link, and leads back to signing in. */
export function ResetPasswordForm({ token }: { token: string | null }) {
  const m = useMessages('auth')
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const [confirmPassword, setConfirmPassword] = useState('')
  const { busy, error, setError, submit } = useSubmission(m.requestFailed)
  const save = async (): Promise<void> => {
    if (!password) return setError(m.fieldsRequired)
    if (password !== confirmPassword) return setError(m.passwordsDiffer)
    if (password.length < passwordLengthMin) return setError(m.passwordTooShort)
    const body = { token: token ?? '', password }
    const isDone = await submit(() => call('POST /api/auth?action=reset-password', { body }))
    if (isDone) navigate('/auth', { replace: true, state: { notice: 'reset' } })
  }
  return (
    <>
      <h2 data-page-heading className="display narrow text-5xl">
        {m.resetHeading}
      </h2>
      <FormError message={token ? error : m.resetTokenMissing} />
      {token ? (
        <form
          noValidate
          className="mt-6 grid gap-5"
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <PasswordField
            id="password"
            label={m.newPassword}
            autoComplete="new-password"
            hint={m.passwordHint}
            value={password}
            onChange={(value) => {
              setPassword(value)
              setError(null)
            }}
          />
          <PasswordField
            id="confirmPassword"
            label={m.confirmPassword}
            autoComplete="new-password"
            value={confirmPassword}
            onChange={(value) => {
              setConfirmPassword(value)
              setError(null)
            }}
          />
          <button type="submit" className="button button-main min-h-13" disabled={busy}>
            {busy ? m.saving : m.saveNewPassword}
          </button>
        </form>
      ) : null}
      <p className="mt-6">
        <Link to="/auth?mode=forgot" className="text-link">
          {m.forgot}
        </Link>
      </p>
    </>
  )
}
