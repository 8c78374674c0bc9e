import { Component, Suspense, type ReactNode } from 'react'
import { Redirect, useLocation } from '../ui/router.tsx'
import type { Language } from '@starside/contract/languages.ts'
import { findPage, pages } from '@starside/contract/pages.ts'
import { AuthProvider } from '../auth/auth-provider.tsx'
import { LanguageProvider, useMessages } from '../ui/language.tsx'
import { AudienceGate, Loading } from './audience-gate.tsx'
import { pagePrograms } from './page-programs.tsx'
import { usePageFocus } from './use-page-focus.ts'

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

/**
 * The page of the current path. Fixed paths need no route matcher, which would be the largest part
 * of the router in the landing page's bundle.
 */
function CurrentPage() {
  const { pathname } = useLocation()
  usePageFocus()
  const name = findPage(pathname)
  if (!name) return <Redirect to={pages.landing.path} />
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

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true }
  }

  override render(): ReactNode {
    return this.state.failed ? <Broken /> : this.props.children
  }
}

function Broken() {
  const m = useMessages('shell')
  return (
    <main className="mx-auto flex min-h-dvh max-w-2xl flex-col items-start justify-center gap-6 px-6">
      <h1 className="display narrow text-6xl">{m.somethingBroke}</h1>
      <button type="button" className="button button-main" onClick={() => location.reload()}>
        {m.reload}
      </button>
    </main>
  )
}
