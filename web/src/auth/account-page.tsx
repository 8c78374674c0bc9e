import { Link } from '../ui/link.tsx'
import { fill } from '@starside/contract/fill.ts'
import { useMessages } from '../ui/language.tsx'
import { useAuth } from './auth-context.ts'
import { ChangePasswordForm } from './change-password-form.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { ExportData } from './export-data.tsx'
import { Sessions } from './sessions.tsx'

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
