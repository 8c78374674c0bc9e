import { Link } from '../ui/link.tsx'
import { fill } from '@starside/contract/fill.ts'
import { useMessages } from '../ui/language.tsx'
import { useAuth } from './auth-context.ts'
import { ChangePasswordForm } from './change-password-form.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { Sessions } from './sessions.tsx'
import { failureOf, send } from '../api/call.ts'
import { saveBlob } from '../ui/save-blob.ts'
import { useSubmission } from '../ui/use-submission.ts'

/** Password, sessions, export and deletion. */
export function AccountPage() {
  const m = useMessages('dashboard')
  const { user } = useAuth()
  return (
    <div className="page-width pb-20">
      <p className="mt-4">
        <Link to="/dashboard" className="text-link">
          {m.backToDashboard}
        </Link>
      </p>
      <h2 data-page-heading className="display narrow mt-4 text-[clamp(2.6rem,7vw,5rem)]">
        {m.accountTitle}
      </h2>
      <p className="mt-3 text-lg text-grey">{fill(m.accountLead, { email: user?.email ?? '' })}</p>
      <div className="mt-10 grid gap-x-16 gap-y-12 lg:grid-cols-2">
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
      const blob = await response.blob()
      const ending = blob.type.includes('zip') ? 'zip' : 'json'
      saveBlob(blob, `my-data.${ending}`)
    })
  return (
    <section aria-labelledby="export" className="rule pt-3">
      <h3 id="export" className="text-2xl font-bold">
        {m.exportTitle}
      </h3>
      <p className="mt-3 max-w-md text-grey">{m.exportText}</p>
      <button
        type="button"
        className="button mt-4"
        aria-disabled={busy}
        onClick={() => void download()}
      >
        {busy ? m.exporting : m.exportButton}
      </button>
      <p role="alert" className="mt-2 font-semibold text-red empty:hidden">
        {error}
      </p>
    </section>
  )
}
