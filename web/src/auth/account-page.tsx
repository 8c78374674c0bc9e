import { TextLink } from '../ui/router.tsx'
import { fill } from '@starside/contract/fill.ts'
import { useMessages, useLanguage, dateTimeText } from '../ui/language.tsx'
import { useAuth } from './auth-context.ts'
import { failureOf, send, call } from '../api/call.ts'
import { storeToken } from '../api/token.ts'
import { saveBlob } from '../ui/save-blob.ts'
import { SmallError, Form, FormError, Notice, useSubmission, type Typed } from '../ui/form.tsx'
import { findPasswordFault } from '@starside/contract/registration.ts'
import { useState, type ReactNode } from 'react'
import { PasswordField, NewPasswordFields } from './auth-form.tsx'
import { OrderList } from '../orders/order-list.tsx'
import { forgetOrdersOf } from '../orders/order-store.ts'
import { FormDialog } from '../ui/form-dialog.tsx'
import { Button, TextButton, MainButton } from '../ui/button.tsx'
import { useQuery } from '@tanstack/react-query'
import { QueryState } from '../ui/query-state.tsx'
import { deviceName } from '@starside/contract/device-name.ts'

/** Orders, password, sessions, export and deletion. */
export function AccountPage() {
  const m = useMessages('dashboard')
  const { user } = useAuth()
  return (
    <div className="page-width pb-20">
      <TextLink to="/dashboard">{m.backToDashboard}</TextLink>
      <h2 data-page-heading className="display narrow mt-4 text-[clamp(2.5rem,7vw,5.5rem)]">
        {m.accountTitle}
      </h2>
      <p className="mt-3 text-lg text-grey">{fill(m.accountLead, { email: user?.email ?? '' })}</p>
      <div className="mt-10 grid gap-x-16 gap-y-12 lg:grid-cols-2">
        <AccountSection id="orders" title={m.ordersTitle}>
          <OrderList />
        </AccountSection>
        <ChangePasswordForm />
        <Sessions />
        <ExportData />
        <DeleteAccount />
      </div>
    </div>
  )
}

/** Everything that is held about the user, as one file. */
export function ExportData() {
  const m = useMessages('dashboard')
  const { busy, error, submit } = useSubmission(m.requestFailed)
  const download = (): Promise<boolean> =>
    submit(async () => {
      const response = await send('GET /api/user?action=export', { query: { format: 'zip' } })
      if (!response.ok) throw await failureOf(response)
      saveBlob(await response.blob(), 'my-data.zip')
    })
  return (
    <AccountSection id="export" title={m.exportTitle}>
      <p className="mt-3 max-w-md text-grey">{m.exportText}</p>
      <Button className="mt-4" aria-disabled={busy} onClick={() => void download()}>
        {busy ? m.exporting : m.exportButton}
      </Button>
      <SmallError>{error}</SmallError>
    </AccountSection>
  )
}

/** Sets a new password; the answer brings a new token, as all sessions end with the old one. */
export function ChangePasswordForm() {
  const m = useMessages('dashboard')
  const texts = useMessages('auth')
  const [isSaved, setIsSaved] = useState(false)
  const { busy, error, setError, submit } = useSubmission(m.requestFailed)
  const save = async (typed: Typed, form: HTMLFormElement): Promise<void> => {
    const [currentPassword, newPassword] = [typed('current-password'), typed('password')]
    if (!currentPassword || !newPassword) return setError(texts.fields_required)
    const confirmPassword = typed('confirmPassword')
    const fault = findPasswordFault({ password: newPassword, confirmPassword })
    if (fault) return setError(texts[fault])
    const body = { currentPassword, newPassword }
    const isDone = await submit(async () =>
      storeToken((await call('POST /api/auth?action=change-password', { body })).token),
    )
    if (isDone) form.reset()
    setIsSaved(isDone)
  }
  const clear = (): void => {
    setError(null)
    setIsSaved(false)
  }
  return (
    <AccountSection id="change-password" title={m.changePassword}>
      <FormError message={error} />
      <Notice role="status" className="mt-4">
        {isSaved ? m.passwordChanged : null}
      </Notice>
      <Form noValidate className="mt-4 grid max-w-md gap-4" onType={clear} onSubmit={save}>
        <PasswordField id="current-password" label={m.currentPassword} />
        <NewPasswordFields labels={[m.newPassword, m.confirmPassword]} />
        <MainButton type="submit" className="justify-self-start" aria-disabled={busy}>
          {busy ? m.saving : m.savePassword}
        </MainButton>
      </Form>
    </AccountSection>
  )
}

/** Deletes the account for good, after the password was typed once more. */
export function DeleteAccount() {
  const m = useMessages('dashboard')
  const { user, logout } = useAuth()
  const { selfiesCreated: selfies = 0, creditsBalance: credits = 0 } = user ?? {}
  const [open, setOpen] = useState(false)
  const remove = async (typed: Typed): Promise<void> => {
    const password = typed('delete-password')
    if (!password) return
    await call('POST /api/user?action=delete-account', { body: { password } })
    if (user) forgetOrdersOf(user.userId)
    logout()
  }
  return (
    <AccountSection id="delete-account" title={m.deleteAccount}>
      <p className="mt-3 max-w-md text-grey">{m.deleteAccountText}</p>
      <Button className="button-danger mt-4" onClick={() => setOpen(true)}>
        {m.deleteAccountButton}
      </Button>
      {open ? (
        <FormDialog
          danger
          title={m.deleteConfirmTitle}
          intro={fill(m.deleteConfirmText, { selfies, credits })}
          failed={m.requestFailed}
          submitText={m.deleteForGood}
          busyText={m.deleting}
          closeText={m.cancel}
          onSubmit={remove}
          onClose={() => setOpen(false)}
        >
          <PasswordField id="delete-password" label={m.currentPassword} required />
        </FormDialog>
      ) : null}
    </AccountSection>
  )
}

function AccountSection(props: { id: string; title: string; children: ReactNode }): ReactNode {
  return (
    <section aria-labelledby={props.id} className="border-t-2 border-ink pt-3">
      <h3 id={props.id} tabIndex={-1} className="text-2xl font-bold">
        {props.title}
      </h3>
      {props.children}
    </section>
  )
}

/** Where the user is signed in, and the way to end all of it. */
export function Sessions() {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const { logout } = useAuth()
  const { error, submit } = useSubmission(m.requestFailed)
  const query = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => call('GET /api/auth?action=sessions', { signal }),
  })
  const signOutEverywhere = () =>
    submit(() => call('POST /api/auth?action=logout-everywhere').then(logout))
  const endSession = async (sessionId: string): Promise<void> => {
    await submit(() => call('POST /api/auth?action=end-session', { body: { sessionId } }))
    await query.refetch()
    document.getElementById('sessions')?.focus()
  }
  return (
    <AccountSection id="sessions" title={m.sessions}>
      <p className="mt-3 text-grey">{m.signOutEverywhereText}</p>
      <Button className="my-2" onClick={() => void signOutEverywhere()}>
        {m.signOutEverywhere}
      </Button>
      <SmallError>{error}</SmallError>
      <QueryState query={query} loading={m.sessionsLoading} failed={m.sessionsFailed} />
      <ul>
        {query.data?.sessions.map(({ id, userAgent, isCurrent, createdAt }) => (
          <li key={id} className="border-b border-line py-2">
            <span className="flex flex-wrap items-center gap-x-2">
              <span className="font-semibold">{deviceName(userAgent) ?? m.unknownDevice}</span>
              {isCurrent ? <span className="stamp">{m.thisDevice}</span> : null}
            </span>
            <span className="block text-[0.95rem] text-grey">
              {fill(m.sessionSince, { date: dateTimeText(createdAt, language) })}
            </span>
            {isCurrent ? null : (
              <TextButton className="py-1 text-[0.95rem]" onClick={() => void endSession(id)}>
                {m.endSession}
              </TextButton>
            )}
          </li>
        ))}
      </ul>
    </AccountSection>
  )
}
