import { lazy, Suspense, type ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useAuth } from '../auth/auth-context.ts'
import { AuthProvider } from '../auth/auth-provider.tsx'
import { FullScreenSpinner } from '../ui/full-screen-spinner.tsx'
import { LanguageProvider, useMessages } from '../ui/language.tsx'
import { loadCatalogue, type Area, type Language } from '../ui/messages/catalogues.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { LandingPage } from './landing-page.tsx'
import { usePageFocus } from './use-page-focus.ts'

const loadAuthPage = () => import('../auth/auth-page.tsx')
const loadDashboard = () => import('./dashboard-page.tsx')
const AuthPage = lazy(async () => ({ default: (await loadAuthPage()).AuthPage }))
const Dashboard = lazy(async () => ({ default: (await loadDashboard()).DashboardPage }))

/** Starts loading what a path will need, while it is not yet known who is signed in. */
export function loadAhead(pathname: string, language: Language): void {
  const areas: Area[] =
    pathname === '/dashboard' ? ['dashboard', 'auth', 'errors'] : ['auth', 'errors']
  if (pathname === '/') return
  const page = pathname === '/dashboard' ? loadDashboard() : loadAuthPage()
  // A failure shows when the page itself is rendered.
  Promise.all([page, ...areas.map((area) => loadCatalogue(area, language))]).catch(() => undefined)
}

/** The routes of the specification's section 2; every other path leads to the landing page. */
export function App({ language }: { language: Language }) {
  return (
    <LanguageProvider initial={language}>
      <AuthProvider>
        <ErrorBoundary>
          <Suspense fallback={<Loading />}>
            <Page />
          </Suspense>
        </ErrorBoundary>
      </AuthProvider>
    </LanguageProvider>
  )
}

/**
 * The page of the current path. Three fixed paths need no route matcher, which would be the
 * largest part of the router in the landing page's bundle.
 */
function Page() {
  const { pathname } = useLocation()
  usePageFocus()
  switch (pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname) {
    case '/':
      return <Landing />
    case '/auth':
      return (
        <SignedOutOnly>
          <AuthPage />
        </SignedOutOnly>
      )
    case '/dashboard':
      return (
        <SignedInOnly>
          <Dashboard />
        </SignedInOnly>
      )
    default:
      return <Navigate to="/" replace />
  }
}

function Loading() {
  const m = useMessages('shell')
  return <FullScreenSpinner text={m.loading} />
}

/**
 * The landing page stands in the document before any script runs, so it stays mounted while a
 * stored token is checked; the spinner covers it (and is shown by style alone before this runs).
 */
function Landing() {
  const { isLoading } = useAuth()
  return (
    <>
      <LandingPage />
      {isLoading ? <PendingCover /> : null}
    </>
  )
}

/** Covers the page only where the boot script found a token: others need not wait. */
function PendingCover() {
  return (
    <div className="auth-pending-cover">
      <Loading />
    </div>
  )
}

function SignedOutOnly({ children }: { children: ReactNode }) {
  const { isAuthenticated, user } = useAuth()
  const location = useLocation()
  const known = useSessionKnown()
  if (!known) return <Loading />
  const resets = new URLSearchParams(location.search).get('mode') === 'reset'
  if (isAuthenticated && user && !resets) return <Navigate to={originOf(location.state)} replace />
  return children
}

function SignedInOnly({ children }: { children: ReactNode }) {
  const { isAuthenticated } = useAuth()
  const location = useLocation()
  const known = useSessionKnown()
  if (!known) return <Loading />
  if (!isAuthenticated) return <Navigate to="/auth" replace state={{ from: location }} />
  return children
}

/** False until the stored token was looked at; signing in later must not unmount its form. */
function useSessionKnown(): boolean {
  return useAuth().sessionChecked
}

/** Where somebody wanted to go before they had to sign in; the dashboard when unknown. */
function originOf(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('from' in state)) return '/dashboard'
  const from = state.from as { pathname?: unknown; search?: unknown }
  if (typeof from.pathname !== 'string' || !from.pathname.startsWith('/dashboard'))
    return '/dashboard'
  return `${from.pathname}${typeof from.search === 'string' ? from.search : ''}`
}
