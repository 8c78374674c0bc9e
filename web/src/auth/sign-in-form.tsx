import { type Typed, Notice } from '../ui/form.tsx'
import { Link } from '../ui/link.tsx'
import { useMessages } from '../ui/language.tsx'
import { useAuth } from './auth-context.ts'
import { AuthForm, EmailField, PasswordField } from './auth-form.tsx'

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
        <PasswordField id="password" label={m.password} autoComplete="current-password" required />
      </AuthForm>
      <p className="mt-6">
        {m.noAccount}{' '}
        <Link to={props.registerPath} className="text-link font-semibold" onClick={clearError}>
          {m.signUp}
        </Link>
      </p>
      <p className="mt-2">
        <Link to="/auth?mode=forgot" className="text-link" onClick={clearError}>
          {m.forgot}
        </Link>
      </p>
    </>
  )
}
