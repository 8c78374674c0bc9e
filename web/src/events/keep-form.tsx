import { useState } from 'react'
import { createPortal } from 'react-dom'
import { pages } from '@starside/contract/pages.ts'
import { call } from '../api/call.ts'
import { storeToken } from '../api/token.ts'
import { EmailField, PasswordField } from '../auth/auth-form.tsx'
import { withProof } from '../auth/with-proof.ts'
import { FilmButton } from '../ui/button.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { TextField } from '../ui/form.tsx'
import { useMessages } from '../ui/language.tsx'
import { useSubmission } from '../ui/error-sentence.ts'

/** Makes an account of a guest, with their pictures, and goes on in its gallery. */
export function KeepForm({ event }: { event: string }) {
  const m = useMessages('events')
  const auth = useMessages('auth')
  const [isOpen, setOpen] = useState(false)
  const { busy, error, setError, submit } = useSubmission(auth.requestFailed)
  return (
    <>
      <FilmButton onClick={() => setOpen(true)}>{m.keep}</FilmButton>
      {/* On paper, not on the film of the page. */}
      {createPortal(
        <FormDialog
          open={isOpen}
          title={m.keepTitle}
          intro={m.keepText}
          error={error}
          busy={busy}
          submitText={auth.createAccount}
          busyText={auth.creatingAccount}
          closeText={m.cancel}
          onType={() => setError(null)}
          onClose={() => setOpen(false)}
          onSubmit={(typed) =>
            submit(async () => {
              const [email, username, password] = [
                typed('email'),
                typed('username'),
                typed('password'),
              ]
              const { token } = await withProof({ email, username, password }, (body) =>
                call('POST /api/events/:event/keep', { params: { event }, body }),
              )
              storeToken(token)
              location.assign(pages.gallery.path)
            })
          }
        >
          <TextField
            id="username"
            label={auth.username}
            autoComplete="username"
            hint={auth.usernameHint}
          />
          <EmailField />
          <PasswordField
            id="password"
            label={auth.password}
            autoComplete="new-password"
            hint={auth.passwordHint}
          />
          <p className="text-[0.95rem] text-grey">{auth.adultsOnly}</p>
        </FormDialog>,
        document.body,
      )}
    </>
  )
}
