import { useEffect, useRef, useState, type ReactNode } from 'react'
import { fill } from '@starside/contract/fill.ts'
import { pages, unknownPagePath } from '@starside/contract/pages.ts'
import { priceText } from '@starside/contract/packages.ts'
import { usePublicSettings } from '../api/use-public-settings.ts'
import { useAuth } from '../auth/auth-context.ts'
import { carriedCode, codeOf, registrationPath, rememberCode } from '../ui/carried-code.ts'
import { SharedSelfie } from '../sharing/shared-selfie.tsx'
import { useMessages } from '../ui/language.tsx'
import { loadPart } from '../ui/load-later.tsx'
import { Pencil } from '../ui/pencil.tsx'
import { useBrowserSearch, useInBrowser, useLocation, useNavigate, Link } from '../ui/router.tsx'
import { SiteFooter } from '../ui/site-footer.tsx'
import { SkipLink } from '../ui/page-frame.tsx'
import { Wordmark } from '../ui/wordmark.tsx'
import { LiveExample } from './live-example.tsx'
import { landingRedirectDelayMs } from '@starside/contract/limits.ts'
import { MainButton } from '../ui/button.tsx'
import { ExampleImage } from '../ui/example-image.tsx'
import { firstPair, pairFolder } from '../ui/example-list.ts'

const VerifyDialog = loadPart(() => import('../provenance/verify-dialog.tsx'), 'VerifyDialog')
const ReportDialog = loadPart(() => import('../reports/report-dialog.tsx'), 'ReportDialog')
const ConfirmDialog = loadPart(() => import('../auth/confirm-dialog.tsx'), 'ConfirmDialog')

/** The page that everybody may see. */
export function LandingPage() {
  const m = useMessages('shell')
  const { isAuthenticated } = useAuth()
  const { search, hash } = useLocation()
  const isUnknown = useInBrowser(() => `/${hash}` === unknownPagePath, false)
  useEffect(() => {
    const code = codeOf('ref', search)
    if (code) rememberCode('ref', code)
  }, [search])
  useCarriedVoucher()
  const packages = usePublicSettings()?.packages ?? []
  const [least] = packages.toSorted((one, other) => one.priceCents - other.priceCents)
  const price = least && { credits: least.credits, price: priceText(least.priceCents) }
  return (
    <div className="flex min-h-dvh flex-col overflow-x-clip">
      <SkipLink />
      <LandingHeader />
      <main id="main">
        {isUnknown ? (
          <p id="unknown-page" role="alert" className="page-width pb-4 text-xl font-semibold">
            {m.unknownPage}
          </p>
        ) : null}
        <SharedSelfie />
        <div className="page-width grid grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-8 pt-2 pb-12 lg:gap-y-[clamp(0.75rem,6vh-1.75rem,2rem)] lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:pt-2 lg:pb-20">
          <div>
            <h1 className="display text-[clamp(2.75rem,12.2vw,4.5rem)] lg:text-[clamp(3.4rem,min(6.1vw,8.3vh),7rem)]">
              <span className="narrow block">{m.headlineFirst}</span>{' '}
              <span className="wide block">{m.headlineSecond}</span>
            </h1>
            <p className="mt-3 mb-4 max-w-md text-xl leading-normal">{m.lead}</p>
            <StartButton />
            <p className="mt-3 text-grey">{isAuthenticated ? m.closingText : m.note}</p>
            {/* What further ones cost; its line is there before, so that nothing moves. */}
            <p className="text-grey">
              {price && !isAuthenticated ? fill(m.furtherPrice, price) : '\u00a0'}
            </p>
          </div>
          <LiveExample />
        </div>
        <Blurbs />
        <ClosingCall />
      </main>
      <SiteFooter />
      <TrustDialogs />
    </div>
  )
}

function LandingHeader() {
  const m = useMessages('shell')
  const { isAuthenticated, user } = useAuth()
  return (
    <header className="page-width flex items-center justify-between gap-4 py-4">
      <Wordmark />
      <Link
        to={isAuthenticated ? '/dashboard' : '/auth'}
        className={`button ${isAuthenticated ? 'max-w-[60vw] min-w-0 [overflow-wrap:anywhere]' : 'shrink-0'}`}
      >
        {isAuthenticated && user ? fill(m.dashboardOf, { username: user.username }) : m.signIn}
      </Link>
    </header>
  )
}

function ClosingCall() {
  const m = useMessages('shell')
  return (
    <section aria-labelledby="closing" className="on-film bg-film text-bone">
      <div className="sprockets" />
      <div className="page-width flex flex-wrap items-end justify-between gap-x-14 gap-y-8 py-8 lg:py-14">
        <h2 id="closing" className="display text-[clamp(2.5rem,7vw,5.5rem)]">
          <span className="narrow block">{m.closingFirst}</span>{' '}
          <span className="wide relative inline-block">
            {m.closingSecond}
            <Pencil drawing="underline" className="absolute -bottom-3 left-0 h-4 w-full" />
          </span>
        </h2>
        <div className="max-w-sm">
          <p className="mb-5 text-lg">{m.closingText}</p>
          <StartButton />
        </div>
      </div>
    </section>
  )
}

/** What the address opens: `/?verify`, `/?report=ID`, and a mail's `/?confirm#token=…`. */
function TrustDialogs() {
  const asked = new URLSearchParams(useBrowserSearch())
  const navigate = useNavigate()
  const close = (): void => navigate('/', { replace: true })
  const reported = asked.get('report')
  return (
    <>
      {asked.has('verify') ? <VerifyDialog onClose={close} /> : null}
      {reported === null ? null : <ReportDialog reported={reported} onClose={close} />}
      {asked.has('confirm') ? <ConfirmDialog onClose={close} /> : null}
    </>
  )
}

/** Takes a voucher's code out of the address, and leads to where it is redeemed. */
function useCarriedVoucher(): void {
  const { search } = useLocation()
  const { sessionChecked, isAuthenticated } = useAuth()
  const navigate = useNavigate()
  const code = codeOf('voucher', search)
  useEffect(() => {
    if (!sessionChecked || code === null) return
    rememberCode('voucher', code)
    const registration = registrationPath(carriedCode('ref', search))
    navigate(isAuthenticated ? pages.dashboard.path : registration, { replace: true })
  }, [code, sessionChecked, isAuthenticated, search, navigate])
}

/** To the dashboard when signed in, else after two seconds to registration; a press before hydration counts too. */
function StartButton() {
  const m = useMessages('shell')
  const { isAuthenticated } = useAuth()
  const navigate = useNavigate()
  const [processing, setProcessing] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!processing) return
    const lead = () => navigate(registrationPath(carriedCode('ref', location.search)))
    const timer = setTimeout(lead, landingRedirectDelayMs)
    return () => clearTimeout(timer)
  }, [processing, navigate])
  useEffect(() => {
    if (button.current?.dataset['pressed'] !== undefined) setProcessing(true)
  }, [])
  const onClick = (): void => (isAuthenticated ? navigate('/dashboard') : setProcessing(true))
  return (
    <MainButton
      ref={button}
      data-keeps-press=""
      className="min-h-14 px-7 text-lg"
      aria-disabled={processing}
      aria-live="polite"
      onClick={processing ? undefined : onClick}
    >
      {processing ? m.processingMagic : isAuthenticated ? m.startCreating : m.tryNow}
    </MainButton>
  )
}

/** Three short promises, each beside a picture; in rows on a phone. */
function Blurbs() {
  const m = useMessages('shell')
  return (
    <section aria-labelledby="how" className="page-width">
      <h2 id="how" className="edge-print border-t-2 border-ink pt-3 text-sm">
        {m.howHeading}
      </h2>
      <div className="grid gap-6 pt-6 pb-12 lg:grid-cols-3 lg:gap-x-20 lg:pt-10 lg:pb-20">
        <Blurb title={m.easyTitle} text={m.easyText}>
          <div aria-hidden="true" className="bg-film p-1.5 pb-4">
            <ExampleImage folder={firstPair.face} kind="portrait" sizes="10rem" />
          </div>
        </Blurb>
        <Blurb title={m.qualityTitle} text={m.qualityText}>
          <div className="aspect-square overflow-hidden rounded-full border-4 border-film outline-2 outline-line">
            <ExampleImage
              folder="hair"
              kind="detail"
              alt={m.loupeAlt}
              sizes="10rem"
              className="h-full"
            />
          </div>
        </Blurb>
        <Blurb title={m.shareTitle} text={m.shareText}>
          <div
            aria-hidden="true"
            className="relative rotate-3 bg-bone p-1.5 pb-6 outline outline-line"
          >
            <ExampleImage folder={pairFolder(firstPair)} kind="first" sizes="10rem" />
            <span className="stamp absolute right-1.5 bottom-0.5">{m.badgeAi}</span>
          </div>
        </Blurb>
      </div>
    </section>
  )
}

function Blurb(props: { title: string; text: string; children: ReactNode }) {
  return (
    <article className="grid grid-cols-[5rem_1fr] items-start gap-4 lg:grid-cols-[10rem_1fr] lg:gap-6">
      {props.children}
      <div>
        <h3 className="display narrow text-3xl lg:text-4xl">{props.title}</h3>
        <p className="mt-2 max-w-sm">{props.text}</p>
      </div>
    </article>
  )
}
