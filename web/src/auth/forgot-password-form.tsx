import { findPasswordFault } from '@starside/contract/registration.ts'
import { useState } from 'react'
import { Notice, useSubmission, type Typed } from '../ui/form.tsx'
import { call } from '../api/call.ts'
import { usePublicSettings } from '../api/use-public-settings.ts'
import { useMessages } from '../ui/language.tsx'
import { AuthForm, EmailField, FormLink, NewPasswordFields } from './auth-form.tsx'
import { useNavigate } from '../ui/router.tsx'

/** Asks for a reset link; the answer is the same whether the address has an account or not. */
export function ForgotPasswordForm() {
  const m = useMessages('auth')
  const sent = usePublicSettings()?.mailsInTerminal ? m.linkPrinted : m.linkSent
  const [isSent, setIsSent] = useState(false)
  const { busy, error, setError, submit } = useSubmission(m.requestFailed)
  const send = async (typed: Typed): Promise<void> => {
    const body = { email: typed('email') }
    if (!body.email) return
    setIsSent(await submit(() => call('POST /api/auth?action=forgot-password', { body })))
  }
  return (
    <>
      <AuthForm
        heading={m.forgotHeading}
        error={error}
        notice={
          <div role="status">
            {isSent ? <Notice>{sent}</Notice> : <p className="mt-4">{m.forgotText}</p>}
          </div>
        }
        busy={busy}
        submitText={m.sendLink}
        busyText={m.sending}
        onType={() => setError(null)}
        onSubmit={send}
      >
        {isSent ? null : <EmailField required />}
      </AuthForm>
      <FormLink to="/auth">{m.backToSignIn}</FormLink>
    </>
  )
}

/** Sets a new password with the token of the mailed link, and leads back to signing in. */
export function ResetPasswordForm({ token }: { token: string | null }) {
  const m = useMessages('auth')
  const navigate = useNavigate()
  const { busy, error, setError, submit } = useSubmission(m.requestFailed)
  const save = async (typed: Typed): Promise<void> => {
    const password = typed('password')
    if (!password) return setError(m.fields_required)
    const fault = findPasswordFault({ password, confirmPassword: typed('confirmPassword') })
    if (fault) return setError(m[fault])
    const body = { token: token ?? '', password }
    const isDone = await submit(() => call('POST /api/auth?action=reset-password', { body }))
    if (isDone) navigate('/auth', { replace: true, state: { notice: 'reset' } })
  }
  return (
    <>
      <AuthForm
        noValidate
        heading={m.resetHeading}
        error={token ? error : m.resetTokenMissing}
        busy={busy}
        submitText={m.saveNewPassword}
        busyText={m.saving}
        onType={() => setError(null)}
        onSubmit={save}
      >
        {token ? <NewPasswordFields labels={[m.newPassword, m.confirmPassword]} /> : null}
      </AuthForm>
      <FormLink to="/auth?mode=forgot">{m.forgot}</FormLink>
    </>
  )
}
