import { useEffect, useState } from 'react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useLocation, Link, TextLink } from '../ui/router.tsx'
import { ApiError } from '../api/call.ts'
import { usePublicSettings } from '../api/use-public-settings.ts'
import { useAuth, type ClientUser } from '../auth/auth-context.ts'
import { CreditHistory } from '../credits/credit-history.tsx'
import { creditStatusOf } from '../credits/credit-status.ts'
import { GalleryPage, NewestSelfies, newestCount } from '../generation/gallery.tsx'
import { Studio } from '../generation/studio.tsx'
import { UpdateNotice } from '../install/update-notice.tsx'
import { isToAnnounce, useOrders } from '../orders/order-store.ts'
import { PurchasePanel, OpenOrder } from '../orders/purchase-panel.tsx'
import { usePayments } from '../orders/use-payments.ts'
import { ReferralCard } from '../referrals/referral-card.tsx'
import { AlertProvider, useAlert } from '../ui/alerts.tsx'
import { fill } from '@starside/contract/fill.ts'
import { isOpen } from '@starside/contract/order-statuses.ts'
import { findPage, pages } from '@starside/contract/pages.ts'
import { useMessages } from '../ui/language.tsx'
import { SkipLink } from '../ui/page-frame.tsx'
import { Wordmark } from '../ui/wordmark.tsx'
import { carriedCode } from '../ui/carried-code.ts'
import { VoucherForm } from '../vouchers/voucher-form.tsx'
import { SiteFooter } from '../ui/site-footer.tsx'
import { Bought } from './bought.tsx'
import { useCreditGate } from './use-credit-gate.ts'
import { loadLater, loadPart } from '../ui/load-later.tsx'
import { useListener } from '../ui/use-listener.ts'
import { Button } from '../ui/button.tsx'
import '../ui/dashboard.css'

const NewTerms = loadPart(() => import('../legal/new-terms.tsx'), 'NewTerms')
const PaymentModal = loadPart(() => import('../orders/payment-modal.tsx'), 'PaymentModal')
const AccountPage = loadLater(() => import('../auth/account-page.tsx'), 'AccountPage')

/** The signed-in user's page: one of its own for each, should another tab change who that is. */
export function DashboardPage() {
  const { user } = useAuth()
  return user ? <DashboardOf key={user.userId} user={user} /> : null
}

const queries = {
  staleTime: 60_000,
  refetchOnWindowFocus: false,
  // What is asked for without a connection fails, which is said, instead of being put off in silence.
  networkMode: 'always' as const,
  refetchOnReconnect: true,
  retry: (count: number, error: Error) =>
    count < 1 && !(error instanceof ApiError && error.status >= 400),
}

function DashboardOf({ user }: { user: ClientUser }) {
  const [queryClient] = useState(() => new QueryClient({ defaultOptions: { queries } }))
  return (
    <QueryClientProvider client={queryClient}>
      <AlertProvider>
        <Dashboard user={user} />
      </AlertProvider>
    </QueryClientProvider>
  )
}

function Dashboard({ user }: { user: ClientUser }) {
  const m = useMessages('dashboard')
  const { refreshUser, logout } = useAuth()
  const { pathname, search } = useLocation()
  const view =
    findPage(pathname) === 'gallery' ? 'gallery' : new URLSearchParams(search).get('view')
  useIgnoredDrops()
  useRegistrationNotices()
  // Right after registration only the name is known; the rest is read once.
  const incomplete = user.creditsBalance === undefined
  useEffect(() => {
    if (incomplete) refreshUser().catch(() => undefined)
  }, [incomplete, refreshUser])
  return (
    <div className="flex min-h-dvh flex-col overflow-x-clip max-md:has-[.generate-bar]:pb-28">
      <SkipLink />
      <UpdateNotice />
      <header className="page-width grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 py-1 sm:flex sm:flex-wrap sm:gap-x-6 sm:py-2">
        <Link to="/" className="pt-1.5 sm:py-2">
          <Wordmark />
        </Link>
        <p className="row-start-2 min-w-0 text-[0.9rem] leading-tight [overflow-wrap:anywhere] sm:flex-1 sm:text-lg">
          {fill(m.welcome, { username: user.username })}
        </p>
        <nav className="row-span-2 ml-auto flex items-center gap-x-3">
          <TextLink to="/dashboard?view=account">{m.account}</TextLink>
          <Button className="max-sm:px-3" onClick={logout}>
            {m.signOut}
          </Button>
        </nav>
      </header>
      <main id="main" className="grow">
        <h1 className="sr-only">{m.title}</h1>
        {view === 'gallery' ? <GalleryPage /> : null}
        {view === 'account' ? <AccountPage /> : null}
        {view === null ? <Workplace user={user} /> : null}
      </main>
      <SiteFooter />
      {user.termsToAccept ? <NewTerms version={user.termsToAccept} /> : null}
    </div>
  )
}

function Workplace({ user }: { user: ClientUser }) {
  const settings = usePublicSettings()
  const orders = useOrders()
  const payments = usePayments(user, (orderId) => <Bought orderId={orderId} />)
  const gate = useCreditGate()
  // Tier and credits change together, once the reload after a payment brings both.
  const status = creditStatusOf(user, isToAnnounce() ? [] : orders)
  // What a link has brought stands first: one press redeems it.
  const [hasVoucher] = useState(() => carriedCode('voucher') !== null)
  const waiting = orders.findLast((order) => order.userId === user.userId && isOpen(order.status))
  // Where the packages stand open beside no phone, or by themselves, they come below the studio, for keys too.
  const below = status.creditsBalance === 0 ? 'order-1' : 'xl:order-1'
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-y-1 pb-2 [reading-flow:grid-order] md:gap-y-3 md:pb-6">
      <div className="page-width">
        <div className="figure-cards divide-x divide-line border-y-2 border-ink py-0.5 md:grid-cols-3 md:py-2 xl:grid-cols-[1fr_1.4fr_1.1fr]">
          <CreditsCard creditsBalance={status.creditsBalance} />
          <ReferralCard user={user} />
          <HistoryCard selfiesCreated={user.selfiesCreated ?? 0} />
        </div>
        {waiting && payments.shownOrderId === null ? (
          <OpenOrder order={waiting} onShow={() => payments.showOrder(waiting.orderId)} />
        ) : null}
      </div>
      {hasVoucher ? <VoucherForm /> : null}
      <div className={`${below} xl:mt-12`}>
        <PurchasePanel
          settings={settings}
          premium={status.isPremiumUser}
          creditsBalance={status.creditsBalance}
          onPurchase={payments.purchase}
        />
      </div>
      {/* In an element of its own: what `reading-flow` orders and no key focuses, no key gets into either. */}
      <div>
        <Studio {...gate} />
      </div>
      <div className={`${below} mt-4 grid grid-cols-[minmax(0,1fr)] gap-y-4 md:mt-6 md:gap-y-12`}>
        <NewestSelfies />
        {hasVoucher ? null : <VoucherForm />}
        <CreditHistory creditsOwed={user.creditsOwed ?? 0} />
      </div>
      {payments.shownOrderId === null ? null : (
        <PaymentModal
          orderId={payments.shownOrderId}
          userId={user.userId}
          settings={settings}
          onAnother={payments.another}
          onClose={() => payments.showOrder(null)}
        />
      )}
    </div>
  )
}

/** Keeps the browser from opening a file dropped beside its places, which would replace the page. */
export function useIgnoredDrops(): void {
  const ignore = (event: DragEvent): void => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  }
  useListener('dragover', ignore)
  useListener('drop', ignore)
}

/** Tells somebody who has just registered, once, which credits the new account did not get. */
export function useRegistrationNotices(): void {
  const m = useMessages('dashboard')
  const alert = useAlert()
  const { user, updateUser } = useAuth()
  const notices = user?.notices
  useEffect(() => {
    if (notices === undefined || notices.length === 0) return
    for (const notice of notices) alert(m.registrationNotices[notice], 'note')
    updateUser({ notices: [] })
  }, [notices, alert, updateUser, m])
}

/** The balance. */
export function CreditsCard({ creditsBalance }: { creditsBalance: number | null }) {
  const m = useMessages('dashboard')
  return (
    <section aria-labelledby="credits-card" className="figure-card">
      <h2 id="credits-card">{m.availableCredits}</h2>
      <p className="display narrow figure" data-testid="balance">
        {creditsBalance ?? m.creditsUnknown}
      </p>
      <p className="text-grey">{m.creditsNote}</p>
    </section>
  )
}

/** How many selfies there are, with the way to them: to the gallery, where there are more than below. */
export function HistoryCard({ selfiesCreated }: { selfiesCreated: number }) {
  const m = useMessages('dashboard')
  const place = selfiesCreated > newestCount ? pages.gallery.path : '#selfies'
  return (
    <section aria-labelledby="history-card" className="figure-card">
      <h2 id="history-card">{m.generationHistory}</h2>
      <p className="display narrow figure">{selfiesCreated}</p>
      <p className="text-grey">{m.selfiesCreated}</p>
      <TextLink to={place} className="figure-links font-semibold">
        {m.seeSelfies}
      </TextLink>
    </section>
  )
}
