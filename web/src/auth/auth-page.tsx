import { isRecord } from '../api/is-record.ts'
import { useLocation } from '../ui/router.tsx'
import { carriedCode, codeOf, forgetCode, registrationPath } from '../ui/carried-code.ts'
import { ExampleImage } from '../ui/example-image.tsx'
import { bestPairs, exampleSrc, pairFolder, sampleStars } from '../ui/example-list.ts'
import { keysOf } from '@starside/contract/keys-of.ts'
import { fill } from '@starside/contract/fill.ts'
import { useMessages } from '../ui/language.tsx'
import { PageFrame } from '../ui/page-frame.tsx'
import { useAuth } from './auth-context.ts'
import { ForgotPasswordForm, ResetPasswordForm } from './forgot-password-form.tsx'
import { Notice, TextField, type Typed } from '../ui/form.tsx'
import {
  AuthForm,
  EmailField,
  FormLink,
  PasswordField,
  NewPasswordFields,
  UsernameField,
  faultyFields,
} from './auth-form.tsx'
import { useState } from 'react'
import { referralCodeLengthMax } from '@starside/contract/limits.ts'
import { findRegistrationFault, type RegistrationFault } from '@starside/contract/registration.ts'
import { LegalLinks } from '../ui/legal-links.tsx'

/** Signing in, registering and a new password, beside a strip of examples. */
export function AuthPage() {
  const m = useMessages('auth')
  const location = useLocation()
  const mode = new URLSearchParams(location.search).get('mode')
  // The referral of the address decides what is shown; one kept from an earlier link goes along.
  const urlCode = codeOf('ref', location.search)
  const { sessionLost } = useAuth()
  const state = isRecord(location.state) ? location.state : {}
  const notice = state['notice'] === 'reset' ? m.resetDone : sessionLost ? m.sessionEnded : null
  const isRegistering = mode === 'register' || (urlCode !== null && mode === null)
  const form = (() => {
    if (mode === 'forgot') return <ForgotPasswordForm />
    const token = new URLSearchParams(location.hash.slice(1)).get('token')
    if (mode === 'reset') return <ResetPasswordForm token={token} />
    if (isRegistering) return <RegisterForm urlCode={urlCode} />
    return (
      <SignInForm
        registerPath={registrationPath(carriedCode('ref', location.search))}
        notice={notice}
        key={String(state['notice'])}
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
        <div
          aria-hidden="true"
          className="film-strip mt-12 -ml-12 hidden -rotate-[1.6deg] bg-film lg:block"
        >
          <div className="grid grid-cols-3 gap-3 px-6 py-3">
            {bestPairs.slice(0, 3).map((pair) => (
              <ExampleImage key={pair.face} folder={pairFolder(pair)} kind="result" sizes="14rem" />
            ))}
          </div>
        </div>
      </div>
      <div className="w-full max-w-md lg:pt-4">
        <KeptPhoto {...state} />
        {carriedCode('voucher') ? <Notice className="mb-5">{m.voucherWaiting}</Notice> : null}
        {form}
        {isRegistering ? (
          <p className="mt-10 border-t border-line pt-3 text-sm text-grey">{m.freeCredit}</p>
        ) : null}
      </div>
    </PageFrame>
  )
}

/** The photo that waits on this device for the studio, and the star that was tried beside it. */
function KeptPhoto({ photo, star: tried }: { photo?: unknown; star?: unknown }) {
  const m = useMessages('auth')
  const star = keysOf(sampleStars).find((one) => one === tried)
  if (typeof photo !== 'string' || !star) return null
  return (
    <div className="mb-5 flex items-center gap-3">
      {[photo, exampleSrc(star, 'portrait')].map((source) => (
        <img
          key={source}
          src={source}
          alt=""
          className="aspect-4/5 w-16 object-cover"
          // Not each browser shows what the studio reads, and none after a reload.
          onError={({ currentTarget }) => currentTarget.toggleAttribute('hidden', true)}
        />
      ))}
      <p className="font-semibold">{fill(m.photoWaits, { star: sampleStars[star] })}</p>
    </div>
  )
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
  const { wrong, error, codeFromUrl, isLoading, clear, submit } = useRegistration(urlCode)
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
        <UsernameField isWrong={wrong.includes('username')} />
        <EmailField hint={m.emailHint} isWrong={wrong.includes('email')} />
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

const nothingFound = { fault: null as RegistrationFault | null, wrong: [] as readonly string[] }

function useRegistration(urlCode: string | null) {
  const m = useMessages('auth')
  const { register, isLoading, error, clearError } = useAuth()
  const [codeRejected, setCodeRejected] = useState(false)
  const codeFromUrl = urlCode !== null && !codeRejected
  const [{ fault, wrong }, setFound] = useState(nothingFound)
  const submit = async (typed: Typed, form: HTMLFormElement): Promise<void> => {
    if (isLoading) return
    clearError()
    const [email, password, username] = [typed('email'), typed('password'), typed('username')]
    const confirmPassword = typed('confirmPassword')
    const found = findRegistrationFault({ email, password, username, confirmPassword })
    const faulty = faultyFields(found ?? '', typed)
    setFound({ fault: found, wrong: faulty })
    if (found) return form.querySelector<HTMLElement>(`#${faulty[0]}`)?.focus()
    const code = (codeFromUrl ? urlCode : typed('referralCode')).trim()
    const refusal = await register({ email, password, username, referralCode: code || null })
    setFound({ fault: null, wrong: faultyFields(refusal ?? '', typed) })
    if (refusal === 'referral_unknown') {
      setCodeRejected(true)
      forgetCode('ref')
    }
  }
  const clear = (): void => {
    setFound(nothingFound)
    clearError()
  }
  return { wrong, error: fault ? m[fault] : error, codeFromUrl, isLoading, clear, submit }
}
