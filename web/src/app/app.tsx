import { Suspense } from 'react'
import { Redirect, useLocation } from '../ui/router.tsx'
import type { Language } from '@starside/contract/languages.ts'
import { findPage, pages } from '@starside/contract/pages.ts'
import { AuthProvider } from '../auth/auth-provider.tsx'
import { LanguageProvider } from '../ui/language.tsx'
import { AudienceGate, Loading } from './audience-gate.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
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
  return (
    <AudienceGate key={pages[name].audience} audience={pages[name].audience}>
      <View />
    </AudienceGate>
  )
}
