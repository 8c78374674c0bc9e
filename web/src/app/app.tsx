import { Component, Suspense, useEffect, useRef, type ReactNode } from 'react'
import { forgetPart, Redirect, useLocation } from '../ui/router.tsx'
import type { Language } from '@starside/contract/languages.ts'
import { findPage, pages, unknownPagePath, type Page } from '@starside/contract/pages.ts'
import { AuthProvider } from '../auth/auth-provider.tsx'
import { shown } from '../ui/brand.ts'
import { LanguageProvider, useMessages } from '../ui/language.tsx'
import { pagePrograms } from './page-programs.tsx'
import { MainButton } from '../ui/button.tsx'
import { isRecord } from '../api/is-record.ts'
import { useAuth } from '../auth/auth-context.ts'
import { forgetDraft, rememberTriedStar } from '../generation/selfie-draft.ts'
import { removeEntry } from '../install/photo-store.ts'

/** The pages of the contract's list; every other path leads to the landing page. */
export function App({ language }: { language: Language }) {
  return (
    <LanguageProvider initial={language}>
      <AuthProvider>
        <ErrorBoundary>
          <Suspense fallback={<Loading />}>
            <CurrentPage />
          </Suspense>
        </ErrorBoundary>
      </AuthProvider>
    </LanguageProvider>
  )
}

/** The page of the current path; fixed paths need no route matcher, which would be large. */
function CurrentPage() {
  const { pathname } = useLocation()
  usePageFocus()
  const name = findPage(pathname)
  if (!name) return <Redirect to={unknownPagePath} />
  const { View } = pagePrograms[name]
  if (pages[name].audience === 'guests') return <View />
  return (
    <AudienceGate key={pages[name].audience} audience={pages[name].audience}>
      <View />
    </AudienceGate>
  )
}

class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError = () => ({ failed: true })

  override render(): ReactNode {
    return this.state.failed ? <Broken /> : this.props.children
  }
}

function Broken() {
  const m = useMessages('shell')
  return (
    <main className="mx-auto flex min-h-dvh max-w-2xl flex-col items-start justify-center gap-6 px-6">
      <h1 className="display narrow text-4xl">{m.somethingBroke}</h1>
      <MainButton onClick={() => location.reload()}>{m.reload}</MainButton>
    </main>
  )
}

/** Each page after the first starts at its top, or where it was left; its heading gets the focus and names the tab. */
export function usePageFocus(): void {
  const location = useLocation()
  const query = new URLSearchParams(location.search)
  const page = `${location.pathname}?${query.get('mode') ?? query.get('view') ?? ''}`
  const lastPage = useRef<string>(page)
  useEffect(() => {
    const { pathname, hash } = location
    const isNew = lastPage.current !== page
    lastPage.current = page
    if (isNew) {
      scrollTo(0, location.leftAtPx)
      // The form's own heading says more than the page's, where there is one.
      const heading =
        document.querySelector<HTMLElement>('[data-page-heading]') ??
        document.querySelector<HTMLElement>('main h1')
      focusPart(heading)
      document.title = (pathname === '/' ? shown.brand?.name : heading?.innerText) ?? ''
    }
    const part = hash.length > 1 ? document.getElementById(hash.slice(1)) : null
    if (part) {
      part.scrollIntoView()
      focusPart(part)
      forgetPart()
    }
  }, [page, location])
}

function focusPart(part: HTMLElement | null): void {
  if (!part) return
  if (part.tabIndex < 0) part.tabIndex = -1
  part.focus({ preventScroll: true })
}

/** Shows a page to those it is for, and leads everybody else to where they can go on. */
export function AudienceGate(props: { audience: Page['audience']; children: ReactNode }) {
  const { isAuthenticated, user, isLoading, sessionChecked, sessionLost } = useAuth()
  const location = useLocation()
  // Who signs out takes along what was chosen; a session that only ended leaves it.
  const isOver = sessionChecked && !isAuthenticated && !sessionLost
  const wasSignedIn = useRef(false)
  useEffect(() => {
    if (isOver) forgetDraft()
    // One that was shared before signing in waits for that.
    if (isOver && wasSignedIn.current) {
      void removeEntry('shared_photo')
      rememberTriedStar(null)
    }
    wasSignedIn.current = isAuthenticated
  }, [isOver, isAuthenticated])
  if (props.audience === 'everyone') {
    return (
      <>
        {props.children}
        {/* By style alone before this runs, and only where the boot script found a token. */}
        {isLoading ? (
          <div className="auth-pending-cover">
            <Loading />
          </div>
        ) : null}
      </>
    )
  }
  // Until the stored token was looked at; signing in later must not unmount its form.
  if (!sessionChecked) return <Loading />
  if (props.audience === 'signed-in') {
    if (isAuthenticated) return props.children
    return <Redirect to={pages.auth.path} state={{ from: location }} />
  }
  const resets = new URLSearchParams(location.search).get('mode') === 'reset'
  if (isAuthenticated && user && !resets) return <Redirect to={originOf(location.state)} />
  return props.children
}

/** The full-screen spinner of the specification: a reel that turns until it is known who is signed in. */
export function Loading() {
  const m = useMessages('shell')
  return (
    <div
      role="status"
      className="fixed inset-0 z-50 flex flex-col items-center justify-center gap-6 bg-paper text-ink"
    >
      <span aria-hidden="true" className="reel" />
      <p className="edge-print text-base">{m.loading}</p>
    </div>
  )
}

function originOf(state: unknown): string {
  const dashboard = pages.dashboard.path
  if (!isRecord(state) || !isRecord(state['from'])) return dashboard
  const { pathname, search } = state['from']
  const page = typeof pathname === 'string' ? findPage(pathname) : undefined
  if (page === undefined || pages[page].audience !== 'signed-in') return dashboard
  return `${pages[page].path}${typeof search === 'string' ? search : ''}`
}
