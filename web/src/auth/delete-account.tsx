import { useId, useState } from 'react'
import { call } from '../api/call.ts'
import { forgetOrdersOf } from '../orders/order-store.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useErrorSentence } from '../ui/error-sentence.ts'
import { fill } from '../ui/fill.ts'
import { useMessages } from '../ui/language.tsx'
import { useAuth } from './auth-context.ts'
import { FormError } from './form-error.tsx'
import { PasswordField } from './password-field.tsx'

/** Deletes the account for good, after the password was typed once more. */
export function DeleteAccount() {
  const m = useMessages('dashboard')
  const sentenceOf = useErrorSentence()
  const { user, logout } = useAuth()
  const id = useId()
  const [open, setOpen] = useState(false)
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const close = (): void => {
    setOpen(false)
    setPassword('')
    setError(null)
  }
  const remove = async (): Promise<void> => {
    if (busy || !password) return
    setBusy(true)
    setError(null)
    try {
      await call('POST /api/user?action=delete-account', { body: { password } })
      if (user) forgetOrdersOf(user.userId)
      logout()
    } catch (failure) {
      setError(sentenceOf(failure, m.requestFailed))
      setBusy(false)
    }
  }
  return (
    <section aria-labelledby="delete-account" className="rule pt-3">
      <h3 id="delete-account" className="text-2xl font-bold">
        {m.deleteAccount}
      </h3>
      <p className="mt-3 max-w-md text-grey">{m.deleteAccountText}</p>
      <button type="button" className="button button-danger mt-4" onClick={() => setOpen(true)}>
        {m.deleteAccountButton}
      </button>
      <Dialog open={open} onClose={close} labelledBy={id} lightDismiss={false} className="max-w-lg">
        <div className="border-t-[10px] border-red p-6">
          <h4 id={id} className="display narrow text-4xl">
            {m.deleteConfirmTitle}
          </h4>
          <p className="mt-3">
            {fill(m.deleteConfirmText, {
              selfies: user?.selfiesCreated ?? 0,
              credits: user?.creditsBalance ?? 0,
            })}
          </p>
          <FormError message={error} />
          <form
            className="mt-4 grid gap-4"
            onSubmit={(event) => {
              event.preventDefault()
              void remove()
            }}
          >
            <PasswordField
              id="delete-password"
              label={m.currentPassword}
              autoComplete="current-password"
              required
              value={password}
              onChange={(value) => {
                setPassword(value)
                setError(null)
              }}
            />
            <div className="flex flex-wrap gap-2">
              <button type="submit" className="button button-main" disabled={busy}>
                {busy ? m.deleting : m.deleteForGood}
              </button>
              <button type="button" className="button" onClick={close}>
                {m.cancel}
              </button>
            </div>
          </form>
        </div>
      </Dialog>
    </section>
  )
}
