import { useState } from 'react'
import { call } from '../api/call.ts'
import { Form, type Typed, FormError, Notice } from '../ui/form.tsx'
import { useMessages } from '../ui/language.tsx'
import { useSubmission } from '../ui/use-submission.ts'
import { useAuth } from './auth-context.ts'
import { faultSentence, findPasswordFault } from './validate-registration.ts'
import { PasswordField, NewPasswordFields } from './auth-form.tsx'

/** Sets a new password; the answer brings a new token, as all sessions end with the old one. */
export function ChangePasswordForm() {
  const m = useMessages('dashboard')
  const texts = useMessages('auth')
  const { replaceToken } = useAuth()
  const [isSaved, setIsSaved] = useState(false)
  const { busy, error, setError, submit } = useSubmission(m.requestFailed)
  const save = async (typed: Typed, form: HTMLFormElement): Promise<void> => {
    const [currentPassword, newPassword] = [typed('current-password'), typed('new-password')]
    if (!currentPassword || !newPassword) return setError(texts.fieldsRequired)
    const confirmPassword = typed('confirm-password')
    const fault = findPasswordFault({ password: newPassword, confirmPassword })
    if (fault) return setError(faultSentence(texts, fault))
    const body = { currentPassword, newPassword }
    const isDone = await submit(async () =>
      replaceToken((await call('POST /api/auth?action=change-password', { body })).token),
    )
    if (isDone) form.reset()
    setIsSaved(isDone)
  }
  const clear = (): void => {
    setError(null)
    setIsSaved(false)
  }
  return (
    <section aria-labelledby="change-password" className="rule pt-3">
      <h3 id="change-password" className="text-2xl font-bold">
        {m.changePassword}
      </h3>
      <FormError message={error} />
      <Notice role="status" className="mt-4">
        {isSaved ? m.passwordChanged : null}
      </Notice>
      <Form noValidate className="mt-4 grid max-w-md gap-4" onType={clear} onSubmit={save}>
        <PasswordField
          id="current-password"
          label={m.currentPassword}
          autoComplete="current-password"
        />
        <NewPasswordFields
          labels={[m.newPassword, m.confirmPassword]}
          ids={['new-password', 'confirm-password']}
        />
        <button
          type="submit"
          className="button button-main justify-self-start"
          aria-disabled={busy}
        >
          {busy ? m.saving : m.savePassword}
        </button>
      </Form>
    </section>
  )
}
