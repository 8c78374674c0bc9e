import { useState } from 'react'
import { Link } from '../ui/link.tsx'
import { call } from '../api/call.ts'
import { useMessages } from '../ui/language.tsx'
import { TextField } from '../ui/text-field.tsx'
import { useSubmission } from '../ui/use-submission.ts'
import { FormError } from '../ui/form-error.tsx'

/** Asks for a reset link; the answer is the same whether the address has an account or not. */
export function ForgotPasswordForm() {
  const m = useMessages('auth')
  const [email, setEmail] = useState('')
  const [isSent, setIsSent] = useState(false)
  const { busy, error, setError, submit } = useSubmission(m.requestFailed)
  const send = async (): Promise<void> => {
    if (!email) return
    setIsSent(
      await submit(() => call('POST /api/auth?action=forgot-password', { body: { email } })),
    )
  }
  return (
    <>
      <h2 data-page-heading className="display narrow text-5xl">
        {m.forgotHeading}
      </h2>
      <FormError message={error} />
      <div role="status">
        {isSent ? (
          <p className="mt-5 border-l-[10px] border-green px-4 py-2 font-semibold text-green">
            {m.linkSent}
          </p>
        ) : (
          <p className="mt-4">{m.forgotText}</p>
        )}
      </div>
      {isSent ? null : (
        <form
          className="mt-6 grid gap-5"
          onSubmit={(event) => {
            event.preventDefault()
            void send()
          }}
        >
          <TextField
            id="email"
            label={m.email}
            type="email"
            autoComplete="email"
            required
            value={email}
            onChange={(value) => {
              setEmail(value)
              setError(null)
            }}
          />
          <button type="submit" className="button button-main min-h-13" disabled={busy}>
            {busy ? m.sending : m.sendLink}
          </button>
        </form>
      )}
      <p className="mt-6">
        <Link to="/auth" className="text-link">
          {m.backToSignIn}
        </Link>
      </p>
    </>
  )
}
