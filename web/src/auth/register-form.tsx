import { referralCodeLengthMax } from '@starside/contract/limits.ts'
import { FormError } from '../ui/form-error.tsx'
import { useMessages } from '../ui/language.tsx'
import { LegalLinks } from '../ui/legal-links.tsx'
import { Link } from '../ui/link.tsx'
import { TextField } from '../ui/text-field.tsx'
import { PasswordField } from './password-field.tsx'
import { useRegistration } from './use-registration.ts'

interface RegisterFormProps {
  urlCode: string | null
  signInPath: string
}

/** The registration form. A code from the address hides its field, unless the server rejects it. */
export function RegisterForm({ urlCode, signInPath }: RegisterFormProps) {
  const m = useMessages('auth')
  const { fields, type, fault, error, codeRejected, isLoading, clearError, submit } =
    useRegistration(urlCode)
  const codeFromUrl = urlCode !== null && !codeRejected
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
      <FormError message={error} />
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
          value={fields.username}
          onChange={type('username')}
          invalid={fault === 'username_too_short'}
        />
        <TextField
          id="email"
          label={m.email}
          type="email"
          autoComplete="email"
          value={fields.email}
          onChange={type('email')}
        />
        <PasswordField
          id="password"
          label={m.password}
          autoComplete="new-password"
          hint={m.passwordHint}
          value={fields.password}
          onChange={type('password')}
        />
        <PasswordField
          id="confirmPassword"
          label={m.confirmPassword}
          autoComplete="new-password"
          value={fields.confirmPassword}
          onChange={type('confirmPassword')}
        />
        {codeFromUrl ? null : (
          <TextField
            id="referralCode"
            label={m.referralCode}
            autoComplete="off"
            maxLength={referralCodeLengthMax}
            value={fields.referralCode}
            onChange={type('referralCode')}
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
