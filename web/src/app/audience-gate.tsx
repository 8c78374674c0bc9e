import { isRecord } from '../api/is-record.ts'
import { useEffect, useRef, type ReactNode } from 'react'
import { Redirect, useLocation } from '../ui/router.tsx'
import { findPage, pages, type Page } from '@starside/contract/pages.ts'
import { useAuth } from '../auth/auth-context.ts'
import { forgetDraft } from '../generation/selfie-draft.ts'
import { forgetSharedPhoto } from '../install/photo-store.ts'
import { useMessages } from '../ui/language.tsx'

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
    if (isOver && wasSignedIn.current) void forgetSharedPhoto()
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
      <span aria-hidden="true" className="reel animate-[spin_1.6s_linear_infinite]" />
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
