import { useState } from 'react'
import { storageKeys } from '@starside/contract/api.ts'
import { referralCodeLengthMax } from '@starside/contract/limits.ts'
import { FormError } from '../ui/form-error.tsx'
import { useMessages } from '../ui/language.tsx'
import { LegalLinks } from '../ui/legal-links.tsx'
import { Link } from '../ui/link.tsx'
import { Notice } from '../ui/notice.tsx'
import { TextField } from '../ui/text-field.tsx'
import { useAuth } from './auth-context.ts'
import { AuthForm } from './auth-form.tsx'
import { EmailField } from './email-field.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import {
  faultSentence,
  findRegistrationFault,
  type RegistrationFault,
} from './validate-registration.ts'

const empty = { username: '', email: '', password: '', confirmPassword: '' }

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
      <h2 data-page-heading className="display narrow text-4xl sm:text-5xl">
        {m.createHeading}
      </h2>
      {codeFromUrl ? <Notice>{m.referralNotice}</Notice> : null}
      <FormError message={error} />
      <AuthForm
        noValidate
        busy={isLoading}
        submitText={m.createAccount}
        busyText={m.creatingAccount}
        onSubmit={submit}
      >
        <TextField
          id="username"
          label={m.username}
          autoComplete="username"
          hint={m.usernameHint}
          value={fields.username}
          onChange={(username) => type({ username })}
          invalid={fault === 'username_too_short'}
        />
        <EmailField value={fields.email} onChange={(email) => type({ email })} />
        <NewPasswordFields
          value={fields}
          labels={[m.password, m.confirmPassword]}
          onChange={type}
        />
        {codeFromUrl ? null : (
          <TextField
            id="referralCode"
            label={m.referralCode}
            autoComplete="off"
            maxLength={referralCodeLengthMax}
            value={fields.referralCode}
            onChange={(referralCode) => type({ referralCode })}
            invalid={codeRejected && error !== null}
          />
        )}
      </AuthForm>
      <div className="mt-4 text-[0.95rem]">
        <p className="text-grey">{m.adultsOnly}</p>
        <LegalLinks />
      </div>
      <p className="mt-6">
        {m.haveAccount}{' '}
        <Link to={signInPath} className="text-link font-semibold" onClick={clearError}>
          {m.signInLink}
        </Link>
      </p>
    </>
  )
}

/** What is typed into the registration form, what is wrong with it, and sending it. */
function useRegistration(urlCode: string | null) {
  const m = useMessages('auth')
  const { register, isLoading, error, clearError } = useAuth()
  const [fields, setFields] = useState({ ...empty, referralCode: urlCode ?? '' })
  const [codeRejected, setCodeRejected] = useState(false)
  const [fault, setFault] = useState<RegistrationFault | null>(null)
  const submit = async (): Promise<void> => {
    if (isLoading) return
    clearError()
    const found = findRegistrationFault(fields)
    setFault(found)
    if (found) return
    const { email, password, username, referralCode } = fields
    const code = referralCode.trim() || null
    const outcome = await register({ email, password, username, referralCode: code })
    if (!outcome.success && outcome.code === 'referral_unknown') {
      setCodeRejected(true)
      sessionStorage.removeItem(storageKeys.referralCode)
    }
  }
  return {
    fields,
    /** Takes over what was typed; an error goes away with it. */
    type: (change: Partial<typeof fields>) => {
      setFields((old) => ({ ...old, ...change }))
      setFault(null)
      clearError()
    },
    fault,
    error: fault ? faultSentence(m, fault) : error,
    codeRejected,
    isLoading,
    clearError,
    submit,
  }
}
