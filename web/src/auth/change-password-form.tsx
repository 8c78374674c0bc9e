import { useState } from 'react'
import { passwordLengthMin } from '@starside/contract/limits.ts'
import { call } from '../api/call.ts'
import { useErrorSentence } from '../ui/error-sentence.ts'
import { useMessages } from '../ui/language.tsx'
import { useAuth } from './auth-context.ts'
import { FormError } from './form-error.tsx'
import { PasswordField } from './password-field.tsx'

/** Sets a new password; the answer brings a new token, as all sessions end with the old one. */
export function ChangePasswordForm() {
  const m = useMessages('dashboard')
  const texts = useMessages('auth')
  const sentenceOf = useErrorSentence()
  const { replaceToken } = useAuth()
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const [confirmPassword, setConfirm] = useState('')
  const [state, setState] = useState<'idle' | 'saving' | 'saved'>('idle')
  const [error, setError] = useState<string | null>(null)
  const submit = async (): Promise<void> => {
    if (state === 'saving') return
    if (!currentPassword || !newPassword) return setError(texts.fieldsRequired)
    if (newPassword !== confirmPassword) return setError(texts.passwordsDiffer)
    if (newPassword.length < passwordLengthMin) return setError(texts.passwordTooShort)
    setState('saving')
    setError(null)
    try {
      const answer = await call('POST /api/auth?action=change-password', {
        body: { currentPassword, newPassword },
      })
      replaceToken(answer.token)
      setCurrent('')
      setNew('')
      setConfirm('')
      setState('saved')
    } catch (failure) {
      setState('idle')
      setError(sentenceOf(failure, m.requestFailed))
    }
  }
  const typed = (set: (value: string) => void) => (value: string) => {
    set(value)
    setError(null)
    setState('idle')
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
        {state === 'saved' ? m.passwordChanged : null}
      </p>
      <form
        noValidate
        className="mt-4 grid max-w-md gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <PasswordField
          id="current-password"
          label={m.currentPassword}
          autoComplete="current-password"
          value={currentPassword}
          onChange={typed(setCurrent)}
        />
        <PasswordField
          id="new-password"
          label={m.newPassword}
          autoComplete="new-password"
          hint={texts.passwordHint}
          value={newPassword}
          onChange={typed(setNew)}
        />
        <PasswordField
          id="confirm-password"
          label={m.confirmPassword}
          autoComplete="new-password"
          value={confirmPassword}
          onChange={typed(setConfirm)}
        />
        <button
          type="submit"
          className="button button-main justify-self-start"
          disabled={state === 'saving'}
        >
          {state === 'saving' ? m.saving : m.savePassword}
        </button>
      </form>
    </section>
  )
}
