import { isRecord } from '../api/is-record.ts'
import { useLocation } from '../ui/router.tsx'
import {
  carriedReferralCode,
  referralCodeOf,
  registrationPath,
} from '../referrals/carry-referral.ts'
import { ExampleImage } from '../ui/example-image.tsx'
import { bestPairs, pairFolder } from '../ui/example-list.ts'
import { useMessages } from '../ui/language.tsx'
import { PageFrame } from '../ui/page-frame.tsx'
import { useAuth } from './auth-context.ts'
import { ForgotPasswordForm, ResetPasswordForm } from './forgot-password-form.tsx'
import { carriedVoucherCode } from '../vouchers/carry-voucher.ts'
import { Notice, TextField, type Typed } from '../ui/form.tsx'
import {
  AuthForm,
  EmailField,
  FormLink,
  PasswordField,
  NewPasswordFields,
  faultyFields,
} from './auth-form.tsx'
import { useState } from 'react'
import { storageKeys } from '@starside/contract/api.ts'
import { referralCodeLengthMax } from '@starside/contract/limits.ts'
import { findRegistrationFault, type RegistrationFault } from '@starside/contract/registration.ts'
import { LegalLinks } from '../ui/legal-links.tsx'

/** Signing in, registering and a new password, beside a strip of examples. */
export function AuthPage() {
  const m = useMessages('auth')
  const location = useLocation()
  const query = new URLSearchParams(location.search)
  const mode = query.get('mode')
  // The referral of the address decides what is shown; one kept from an earlier link goes along.
  const urlCode = referralCodeOf(location.search)
  const { sessionLost } = useAuth()
  const wasReset = isRecord(location.state) && location.state['notice'] === 'reset'
  const notice = wasReset ? m.resetDone : sessionLost ? m.sessionEnded : null
  const isRegistering = mode === 'register' || (urlCode !== null && mode === null)
  const form = (() => {
    if (mode === 'forgot') return <ForgotPasswordForm />
    if (mode === 'reset') return <ResetPasswordForm token={resetTokenOf(location)} />
    if (isRegistering) return <RegisterForm urlCode={urlCode} />
    return (
      <SignInForm
        registerPath={registrationPath(carriedReferralCode(location.search))}
        notice={notice}
        key={String(location.state)}
      />
    )
  })()
  return (
    <PageFrame className="grid gap-y-5 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:gap-x-20 lg:pt-10">
      <div>
        <h1 className="display text-[clamp(1.5rem,7.5vw,4rem)] max-sm:flex max-sm:items-baseline max-sm:[&:not(:lang(zh))]:gap-2 lg:text-[clamp(4rem,7.2vw,8rem)]">
          <span className="narrow block">{m.titleFirst}</span>{' '}
          <span className="wide block lg:pt-4">{m.titleSecond}</span>
        </h1>
        <div aria-hidden="true" className="mt-12 -ml-12 hidden -rotate-[1.6deg] bg-film lg:block">
          <div className="sprockets" />
          <div className="grid grid-cols-3 gap-3 px-6 py-3">
            {bestPairs.slice(0, 3).map((pair) => (
              <ExampleImage key={pair.face} folder={pairFolder(pair)} kind="result" sizes="14rem" />
            ))}
          </div>
          <div className="sprockets" />
        </div>
      </div>
      <div className="w-full max-w-md lg:pt-2">
        {carriedVoucherCode() ? <Notice className="mb-5">{m.voucherWaiting}</Notice> : null}
        {form}
        {isRegistering ? (
          <p className="mt-10 border-t border-line pt-3 text-sm text-grey">{m.freeCredit}</p>
        ) : null}
      </div>
    </PageFrame>
  )
}

/** The token of a mailed link: behind `#`, which no server sees, or in the query. */
function resetTokenOf(location: { search: string; hash: string }): string | null {
  const fragment = new URLSearchParams(location.hash.slice(1)).get('token')
  return fragment ?? new URLSearchParams(location.search).get('token')
}

/** E-mail and password; nothing is sent while one of them is empty. */
export function SignInForm(props: { registerPath: string; notice: string | null }) {
  const m = useMessages('auth')
  const { login, isLoading, error, clearError } = useAuth()
  const submit = (typed: Typed): void => {
    const [email, password] = [typed('email'), typed('password')]
    if (isLoading || !email || !password) return
    void login({ email, password })
  }
  return (
    <>
      <AuthForm
        heading={m.welcomeBack}
        notice={props.notice ? <Notice role="status">{props.notice}</Notice> : null}
        error={error}
        busy={isLoading}
        submitText={m.signIn}
        busyText={m.signingIn}
        onType={clearError}
        onSubmit={submit}
      >
        <EmailField required />
        <PasswordField id="password" label={m.password} required />
      </AuthForm>
      <FormLink before={m.noAccount} to={props.registerPath} onClick={clearError}>
        {m.signUp}
      </FormLink>
      <FormLink to="/auth?mode=forgot" onClick={clearError}>
        {m.forgot}
      </FormLink>
    </>
  )
}

/** The registration form. A code from the address hides its field, unless the server rejects it. */
export function RegisterForm({ urlCode }: { urlCode: string | null }) {
  const m = useMessages('auth')
  const { wrong, error, codeRejected, isLoading, clear, submit } = useRegistration(urlCode)
  const codeFromUrl = urlCode !== null && !codeRejected
  const signInPath = urlCode ? `/auth?mode=login&ref=${encodeURIComponent(urlCode)}` : '/auth'
  return (
    <>
      <AuthForm
        noValidate
        heading={m.createHeading}
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
      <FormLink before={m.haveAccount} to={signInPath} onClick={clear}>
        {m.signInLink}
      </FormLink>
    </>
  )
}

function useRegistration(urlCode: string | null) {
  const m = useMessages('auth')
  const { register, isLoading, error, clearError } = useAuth()
  const [codeRejected, setCodeRejected] = useState(false)
  const [fault, setFault] = useState<RegistrationFault | null>(null)
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
