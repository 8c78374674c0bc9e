import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render } from '@testing-library/react'
import { Suspense, type ReactNode } from 'react'
import { AlertProvider } from '../../ui/alerts.tsx'
import { LanguageProvider } from '../../ui/language.tsx'
import { Router } from '../../ui/router.tsx'
import { AuthContext, type AuthContextValue } from '../auth-context.ts'
import { testAuth, testProfile } from './test-auth.ts'

/** Lets the cache of queries tell the page what has come. */
export const settle = () =>
  act(async () => {
    await new Promise((done) => {
      setTimeout(done)
    })
  })

/** Shows a part of the app, with all that the program has around it, to somebody who is signed in. */
export async function show(
  part: ReactNode,
  {
    auth = {},
    queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } }),
  }: { auth?: Partial<AuthContextValue>; queryClient?: QueryClient } = {},
) {
  const updates: unknown[] = []
  const value: AuthContextValue = {
    ...testAuth,
    user: testProfile,
    isAuthenticated: true,
    updateUser: (changes) => updates.push(changes),
    ...auth,
  }
  const around = (inner: ReactNode) => (
    <QueryClientProvider client={queryClient}>
      <LanguageProvider initial="en">
        <AuthContext value={value}>
          <Router>
            <AlertProvider>
              <Suspense>{inner}</Suspense>
            </AlertProvider>
          </Router>
        </AuthContext>
      </LanguageProvider>
    </QueryClientProvider>
  )
  const shown = await act(async () => render(around(part)))
  return {
    ...shown,
    /** What the part said is different of the user, in order. */
    updates,
    /** Shows it anew, as with other properties. */
    again: (other: ReactNode) => act(async () => shown.rerender(around(other))),
  }
}
