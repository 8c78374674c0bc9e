import { useAuth } from '../auth/auth-context.ts'
import { fill } from '@starside/contract/fill.ts'
import { useMessages } from '../ui/language.tsx'
import { Link } from '../ui/link.tsx'
import { Wordmark } from '../ui/wordmark.tsx'

/** The product's name, and the way to sign in or to the dashboard. */
export function LandingHeader() {
  const m = useMessages('shell')
  const { isAuthenticated, user } = useAuth()
  return (
    <header className="mx-auto flex w-full max-w-[100rem] items-center justify-between gap-4 px-4 py-4 sm:px-8 lg:px-12">
      <Wordmark name={m.productName} />
      <Link
        to={isAuthenticated ? '/dashboard' : '/auth'}
        className="button min-w-0 max-w-[60vw] [overflow-wrap:anywhere]"
      >
        {isAuthenticated && user ? fill(m.dashboardOf, { username: user.username }) : m.signIn}
      </Link>
    </header>
  )
}
