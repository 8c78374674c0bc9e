import { useState } from 'react'
import { Link } from '../ui/link.tsx'
import { call } from '../api/call.ts'
import { useErrorSentence } from '../ui/error-sentence.ts'
import { useMessages } from '../ui/language.tsx'
import { TextField } from '../ui/text-field.tsx'
import { FormError } from './form-error.tsx'

/** Asks for a reset link; the answer is the same whether the address has an account or not. */
export function ForgotPasswordForm() {
  const m = useMessages('auth')
  const sentenceOf = useErrorSentence()
  const [email, setEmail] = useState('')
  const [state, setState] = useState<'idle' | 'sending' | 'sent'>('idle')
  const [error, setError] = useState<string | null>(null)
  const submit = async (): Promise<void> => {
    if (state === 'sending' || !email) return
    setState('sending')
    setError(null)
    try {
      await call('POST /api/auth?action=forgot-password', { body: { email } })
      setState('sent')
    } catch (failure) {
      setState('idle')
      setError(sentenceOf(failure, m.requestFailed))
    }
  }
  return (
    <>
      <h2 data-page-heading className="display narrow text-5xl">
        {m.forgotHeading}
      </h2>
      <FormError message={error} />
      <div role="status">
        {state === 'sent' ? (
          <p className="mt-5 border-l-[10px] border-green px-4 py-2 font-semibold text-green">
            {m.linkSent}
          </p>
        ) : (
          <p className="mt-4">{m.forgotText}</p>
        )}
      </div>
      {state === 'sent' ? null : (
        <form
          className="mt-6 grid gap-5"
          onSubmit={(event) => {
            event.preventDefault()
            void submit()
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
          <button
            type="submit"
            className="button button-main min-h-13"
            disabled={state === 'sending'}
          >
            {state === 'sending' ? m.sending : m.sendLink}
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
