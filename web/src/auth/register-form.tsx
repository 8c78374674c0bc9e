import { useState } from 'react'
import { Link } from '../ui/link.tsx'
import { storageKeys } from '@starside/contract/api.ts'
import { referralCodeLengthMax } from '@starside/contract/limits.ts'
import { useMessages } from '../ui/language.tsx'
import { LegalLinks } from '../ui/legal-links.tsx'
import { TextField } from '../ui/text-field.tsx'
import { useAuth } from './auth-context.ts'
import { FormError } from './form-error.tsx'
import { PasswordField } from './password-field.tsx'
import { findRegistrationFault, type RegistrationFault } from './validate-registration.ts'

/** The registration form. A code from the address hides its field, unless the server rejects it. */
export function RegisterForm({
  urlCode,
  signInPath,
}: {
  urlCode: string | null
  signInPath: string
}) {
  const m = useMessages('auth')
  const { register, isLoading, error, clearError } = useAuth()
  const [username, setUsername] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [confirmPassword, setConfirmPassword] = useState('')
  const [referralCode, setReferralCode] = useState(urlCode ?? '')
  const [codeRejected, setCodeRejected] = useState(false)
  const [fault, setFault] = useState<RegistrationFault | null>(null)
  const faultTexts: Record<RegistrationFault, string> = {
    fields_required: m.fieldsRequired,
    passwords_differ: m.passwordsDiffer,
    password_too_short: m.passwordTooShort,
    username_too_short: m.usernameTooShort,
  }
  const codeFromUrl = urlCode !== null && !codeRejected

  const submit = async (): Promise<void> => {
    if (isLoading) return
    clearError()
    const found = findRegistrationFault({ username, email, password, confirmPassword })
    setFault(found)
    if (found) return
    const code = referralCode.trim()
    const outcome = await register({ email, password, username, referralCode: code || null })
    if (!outcome.success && outcome.code === 'referral_unknown') {
      setCodeRejected(true)
      sessionStorage.removeItem(storageKeys.referralCode)
    }
  }
  const typed = (set: (value: string) => void) => (value: string) => {
    set(value)
    setFault(null)
    clearError()
  }
  return (
    <>
      <h2 data-page-heading className="display narrow text-5xl">
        {m.createHeading}
      </h2>
      {codeFromUrl ? (
        <p className="mt-5 border-l-[10px] border-green px-4 py-2 font-semibold text-green">
          {m.referralNotice}
        </p>
      ) : null}
      <FormError message={fault ? faultTexts[fault] : error} />
      <form
        noValidate
        className="mt-6 grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextField
          id="username"
          label={m.username}
          autoComplete="username"
          value={username}
          onChange={typed(setUsername)}
          invalid={fault === 'username_too_short'}
        />
        <TextField
          id="email"
          label={m.email}
          type="email"
          autoComplete="email"
          value={email}
          onChange={typed(setEmail)}
        />
        <PasswordField
          id="password"
          label={m.password}
          autoComplete="new-password"
          hint={m.passwordHint}
          value={password}
          onChange={typed(setPassword)}
        />
        <PasswordField
          id="confirmPassword"
          label={m.confirmPassword}
          autoComplete="new-password"
          value={confirmPassword}
          onChange={typed(setConfirmPassword)}
        />
        {codeFromUrl ? null : (
          <TextField
            id="referralCode"
            label={m.referralCode}
            autoComplete="off"
            maxLength={referralCodeLengthMax}
            value={referralCode}
            onChange={typed(setReferralCode)}
            invalid={codeRejected && error !== null}
          />
        )}
        <div className="text-[0.95rem]">
          <p className="text-grey">{m.adultsOnly}</p>
          <LegalLinks />
        </div>
        <button type="submit" className="button button-main min-h-13" disabled={isLoading}>
          {isLoading ? m.creatingAccount : m.createAccount}
        </button>
      </form>
      <p className="mt-6">
        {m.haveAccount}{' '}
        <Link to={signInPath} className="text-link font-semibold" onClick={clearError}>
          {m.signInLink}
        </Link>
      </p>
    </>
  )
}
