import { useState } from 'react'
import { useNavigate } from '../ui/router.tsx'
import { Link } from '../ui/link.tsx'
import { call } from '../api/call.ts'
import { useMessages } from '../ui/language.tsx'
import { useSubmission } from '../ui/use-submission.ts'
import { FormError } from '../ui/form-error.tsx'
import { AuthForm } from './auth-form.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import { faultSentence, findPasswordFault } from './validate-registration.ts'

/** Sets a new password with the token of the mailed link, and leads back to signing in. */
export function ResetPasswordForm({ token }: { token: string | null }) {
  const m = useMessages('auth')
  const navigate = useNavigate()
  const [fields, setFields] = useState({ password: '', confirmPassword: '' })
  const { busy, error, setError, submit } = useSubmission(m.requestFailed)
  const save = async (): Promise<void> => {
    if (!fields.password) return setError(m.fieldsRequired)
    const fault = findPasswordFault(fields)
    if (fault) return setError(faultSentence(m, fault))
    const body = { token: token ?? '', password: fields.password }
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
        <AuthForm
          noValidate
          busy={busy}
          submitText={m.saveNewPassword}
          busyText={m.saving}
          onSubmit={save}
        >
          <NewPasswordFields
            value={fields}
            labels={[m.newPassword, m.confirmPassword]}
            onChange={(change) => {
              setFields((old) => ({ ...old, ...change }))
              setError(null)
            }}
          />
        </AuthForm>
      ) : null}
      <p className="mt-6">
        <Link to="/auth?mode=forgot" className="text-link">
          {m.forgot}
        </Link>
      </p>
    </>
  )
}
