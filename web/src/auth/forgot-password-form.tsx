import { useState } from 'react'
import { type Typed, FormError, Notice } from '../ui/form.tsx'
import { Link } from '../ui/link.tsx'
import { call } from '../api/call.ts'
import { useMessages } from '../ui/language.tsx'
import { useSubmission } from '../ui/use-submission.ts'
import { AuthForm } from './auth-form.tsx'
import { EmailField } from './email-field.tsx'

/** Asks for a reset link; the answer is the same whether the address has an account or not. */
export function ForgotPasswordForm() {
  const m = useMessages('auth')
  const [isSent, setIsSent] = useState(false)
  const { busy, error, setError, submit } = useSubmission(m.requestFailed)
  const send = async (typed: Typed): Promise<void> => {
    const body = { email: typed('email') }
    if (!body.email) return
    setIsSent(await submit(() => call('POST /api/auth?action=forgot-password', { body })))
  }
  return (
    <>
      <h2 data-page-heading className="display narrow text-5xl">
        {m.forgotHeading}
      </h2>
      <FormError message={error} />
      <div role="status">
        {isSent ? <Notice>{m.linkSent}</Notice> : <p className="mt-4">{m.forgotText}</p>}
      </div>
      {isSent ? null : (
        <AuthForm
          busy={busy}
          submitText={m.sendLink}
          busyText={m.sending}
          onType={() => setError(null)}
          onSubmit={send}
        >
          <EmailField required />
        </AuthForm>
      )}
      <p className="mt-6">
        <Link to="/auth" className="text-link">
          {m.backToSignIn}
        </Link>
      </p>
    </>
  )
}
