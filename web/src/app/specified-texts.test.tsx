import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AuthContext } from '../auth/auth-context.ts'
import { testAuth } from '../auth/testing/test-auth.ts'
import { SignInForm, RegisterForm } from '../auth/auth-page.tsx'
import { CreditsCard, HistoryCard } from './dashboard-page.tsx'
import { PackageOffers } from '../orders/package-offers.tsx'
import { LanguageProvider } from '../ui/language.tsx'
import { placeAt, Router } from '../ui/router.tsx'
import { OrderRows, PaymentDetails } from '../orders/payment-modal.tsx'

/* Texts of the specification that a story passes by too quickly, or doesn't read. */

beforeEach(() => {
  vi.stubGlobal('fetch', async () => Response.json({ success: true }))
})
afterEach(() => {
  vi.unstubAllGlobals()
})

const busy = { ...testAuth, isLoading: true }

async function textOf(view: ReactNode): Promise<string> {
  const { container } = await act(async () =>
    render(
      <LanguageProvider initial="en">
        <QueryClientProvider client={new QueryClient()}>
          <Router initial={placeAt('/auth')}>
            <AuthContext value={busy}>{view}</AuthContext>
          </Router>
        </QueryClientProvider>
      </LanguageProvider>,
    ),
  )
  return container.textContent ?? ''
}

const order = {
  orderId: 'order_mwq_abcdef',
  userId: 'someone',
  amount: 19.9,
  credits: 200,
  packageType: 'premium',
  status: 'pending',
  paymentUrl: '',
  nowpaymentsId: '',
  createdAt: '2026-11-20T12:00:00Z',
  metadata: { package: 'premium', previousCredits: 0, previousTotalBought: 0 },
} as const

const shown: [string, () => ReactNode, string[]][] = [
  [
    'the balance',
    () => <CreditsCard creditsBalance={7} />,
    ['Available Credits', '7', 'Credits never expire'],
  ],
  [
    'the history',
    () => <HistoryCard selfiesCreated={3} />,
    ['Generation History', '3', 'Selfies created'],
  ],
  [
    'the packages',
    () => <PackageOffers settings={null} premium={false} onPurchase={async () => undefined} />,
    ['Secure Payment', 'Bitcoin, Ethereum, USDT and 150+ cryptocurrencies', 'Credits never expire'],
  ],
  [
    'an open payment',
    () => (
      <PaymentDetails order={order} leftMs={125_000}>
        <OrderRows order={order} />
      </PaymentDetails>
    ),
    ['$19.90', '200', 'order_mwq_abcdef', 'Time remaining', '2:05'],
  ],
  [
    'signing in',
    () => <SignInForm registerPath="/auth" notice={null} />,
    ['Welcome back', 'Signing in...', 'Sign up'],
  ],
  ['registering', () => <RegisterForm urlCode={null} />, ['Creating account...', 'Sign in']],
]

test.for(shown)('the part for %s shows the words of the specification', async ([, view, words]) => {
  const text = await textOf(view())
  for (const one of words) expect(text).toContain(one)
})
