import { useState } from 'react'
import { storageKeys } from '@starside/contract/api.ts'
import { referralCodeLengthMax } from '@starside/contract/limits.ts'
import { type Typed, TextField, Notice } from '../ui/form.tsx'
import { useMessages } from '../ui/language.tsx'
import { LegalLinks } from '../ui/legal-links.tsx'
import { Link } from '../ui/router.tsx'
import { useAuth } from './auth-context.ts'
import {
  AuthForm,
  EmailField,
  NewPasswordFields,
  faultyFields,
  findRegistrationFault,
  type RegistrationFault,
} from './auth-form.tsx'

/** The registration form. A code from the address hides its field, unless the server rejects it. */
export function RegisterForm(props: { urlCode: string | null; signInPath: string }) {
  const { urlCode, signInPath } = props
  const m = useMessages('auth')
  const { wrong, error, codeRejected, isLoading, clear, submit } = useRegistration(urlCode)
  const codeFromUrl = urlCode !== null && !codeRejected
  return (
    <>
      <AuthForm
        noValidate
        heading={m.createHeading}
        headingSize="text-4xl sm:text-5xl"
        notice={codeFromUrl ? <Notice>{m.referralNotice}</Notice> : null}
        error={error}
        busy={isLoading}
        submitText={m.createAccount}
        busyText={m.creatingAccount}
        onType={clear}
        onSubmit={submit}
      >
        <TextField
          id="username"
          label={m.username}
          autoComplete="username"
          hint={m.usernameHint}
          isWrong={wrong.includes('username')}
        />
        <EmailField isWrong={wrong.includes('email')} />
        <NewPasswordFields labels={[m.password, m.confirmPassword]} wrong={wrong} />
        {codeFromUrl ? null : (
          <TextField
            id="referralCode"
            label={m.referralCode}
            autoComplete="off"
            maxLength={referralCodeLengthMax}
            defaultValue={urlCode ?? ''}
            isWrong={wrong.includes('referralCode')}
          />
        )}
      </AuthForm>
      <div className="mt-4 text-[0.95rem]">
        <p className="text-grey">{m.adultsOnly}</p>
        <LegalLinks />
      </div>
      <p className="mt-6">
        {m.haveAccount}{' '}
        <Link to={signInPath} className="text-link font-semibold" onClick={clear}>
          {m.signInLink}
        </Link>
      </p>
    </>
  )
}

function useRegistration(urlCode: string | null) {
  const m = useMessages('auth')
  const { register, isLoading, error, clearError } = useAuth()
  const [codeRejected, setCodeRejected] = useState(false)
  const [fault, setFault] = useState<RegistrationFault | null>(null)
  /** The fields that the error is about. */
  const [wrong, setWrong] = useState<readonly string[]>([])
  const submit = async (typed: Typed): Promise<void> => {
    if (isLoading) return
    clearError()
    const [email, password, username] = [typed('email'), typed('password'), typed('username')]
    const confirmPassword = typed('confirmPassword')
    const found = findRegistrationFault({ email, password, username, confirmPassword })
    setFault(found)
    setWrong(faultyFields(found ?? '', typed))
    if (found) return
    const isHidden = urlCode !== null && !codeRejected
    const code = (isHidden ? urlCode : typed('referralCode')).trim()
    const outcome = await register({ email, password, username, referralCode: code || null })
    if (!outcome.success) setWrong(faultyFields(outcome.code ?? '', typed))
    if (!outcome.success && outcome.code === 'referral_unknown') {
      setCodeRejected(true)
      sessionStorage.removeItem(storageKeys.referralCode)
    }
  }
  const clear = (): void => {
    setFault(null)
    setWrong([])
    clearError()
  }
  return { wrong, error: fault ? m[fault] : error, codeRejected, isLoading, clear, submit }
}
