import { useState } from 'react'
import { call } from '../api/call.ts'
import { forgetOrdersOf } from '../orders/order-store.ts'
import { fill } from '@starside/contract/fill.ts'
import type { Typed } from '../ui/form.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { useMessages } from '../ui/language.tsx'
import { useSubmission } from '../ui/use-submission.ts'
import { useAuth } from './auth-context.ts'
import { PasswordField } from './auth-form.tsx'

/** Deletes the account for good, after the password was typed once more. */
export function DeleteAccount() {
  const m = useMessages('dashboard')
  const { user, logout } = useAuth()
  const [open, setOpen] = useState(false)
  const { busy, error, setError, submit } = useSubmission(m.requestFailed)
  const close = (): void => {
    setOpen(false)
    setError(null)
  }
  const remove = async (typed: Typed): Promise<void> => {
    const password = typed('delete-password')
    if (!password) return
    const isDeleted = await submit(() =>
      call('POST /api/user?action=delete-account', { body: { password } }),
    )
    if (!isDeleted) return
    if (user) forgetOrdersOf(user.userId)
    logout()
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
      <FormDialog
        open={open}
        danger
        title={m.deleteConfirmTitle}
        intro={fill(m.deleteConfirmText, {
          selfies: user?.selfiesCreated ?? 0,
          credits: user?.creditsBalance ?? 0,
        })}
        error={error}
        busy={busy}
        submitText={m.deleteForGood}
        busyText={m.deleting}
        closeText={m.cancel}
        onType={() => setError(null)}
        onSubmit={remove}
        onClose={close}
      >
        <PasswordField
          id="delete-password"
          label={m.currentPassword}
          autoComplete="current-password"
          required
        />
      </FormDialog>
    </section>
  )
}
