import { useEffect } from 'react'
import { useLocation } from 'react-router'
import { Link } from '../ui/link.tsx'
import { useAuth } from '../auth/auth-context.ts'
import { referralCodeOf, rememberReferralCode } from '../referrals/carry-referral.ts'
import { SharedSelfie } from '../sharing/shared-selfie.tsx'
import { fill } from '../ui/fill.ts'
import { useMessages } from '../ui/language.tsx'
import { PencilTick, PencilUnderline } from '../ui/pencil.tsx'
import { SkipLink } from '../ui/skip-link.tsx'
import { Sprockets } from '../ui/sprockets.tsx'
import { Wordmark } from '../ui/wordmark.tsx'
import { ExamplePicture, LiveExample } from './live-example.tsx'
import { MainButton } from './main-button.tsx'
import { SiteFooter } from './site-footer.tsx'
import { TrustDialogs } from './trust-dialogs.tsx'

/** The page that everybody may see. */
export function LandingPage() {
  const m = useMessages('shell')
  const { search } = useLocation()
  useEffect(() => {
    const code = referralCodeOf(search)
    if (code) rememberReferralCode(code)
  }, [search])
  return (
    <div className="flex min-h-dvh flex-col overflow-x-clip">
      <SkipLink target="main" text={m.skipToContent} />
      <LandingHeader />
      <main id="main">
        <SharedSelfie />
        <div className="mx-auto grid max-w-[100rem] grid-cols-[minmax(0,1fr)] gap-y-16 pt-6 pb-16 sm:pt-10 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:items-center lg:gap-x-10 lg:pt-12 lg:pb-24">
          <div className="px-4 sm:px-8 lg:pr-0 lg:pl-12">
            <h1 className="display text-[clamp(2.75rem,12.2vw,4.5rem)] lg:text-[clamp(3.4rem,6.1vw,7rem)]">
              <span className="narrow block">{m.headlineFirst}</span>{' '}
              <span className="wide block">{m.headlineSecond}</span>
            </h1>
            <p className="mt-7 max-w-md text-xl leading-normal">{m.lead}</p>
            <div className="mt-8">
              <MainButton />
            </div>
            <p className="mt-5 text-grey">{m.note}</p>
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

/** Three short promises, each beside a detail of the example's pictures. */
function Blurbs() {
  const m = useMessages('shell')
  return (
    <section aria-labelledby="how" className="mx-auto max-w-[100rem] px-4 sm:px-8 lg:px-12">
      <h2 id="how" className="edge-print rule flex justify-between pt-3 text-sm">
        {m.howHeading}
        <span aria-hidden="true">1 → 3</span>
      </h2>
      <div className="grid gap-y-14 pt-10 pb-24 md:grid-cols-3 md:gap-x-10 lg:gap-x-16">
        <article>
          <div className="relative mb-6 flex h-56 items-end gap-3" aria-hidden="true">
            <div className="w-28 bg-film p-1.5 pb-5">
              <ExamplePicture picture="person" alt="" sizes="7rem" />
            </div>
            <div className="w-28 bg-film p-1.5 pb-5">
              <ExamplePicture picture="star" alt="" sizes="7rem" />
            </div>
            <PencilTick className="absolute bottom-1 left-20 w-16" />
            <PencilTick className="absolute bottom-1 left-52 w-16" />
          </div>
          <h3 className="display narrow text-4xl">{m.easyTitle}</h3>
          <p className="mt-3 max-w-sm">{m.easyText}</p>
        </article>
        <article>
          <div className="relative mb-6 h-56">
            <div className="size-56 overflow-hidden rounded-full border-[7px] border-film outline-2 outline-line">
              <ExamplePicture
                picture="result"
                alt={m.loupeAlt}
                sizes="40rem"
                className="h-full origin-[76%_20%] scale-[2.3]"
              />
            </div>
          </div>
          <h3 className="display narrow text-4xl">{m.qualityTitle}</h3>
          <p className="mt-3 max-w-sm">{m.qualityText}</p>
        </article>
        <article>
          <div className="mb-6 flex h-56 items-end" aria-hidden="true">
            <div className="relative w-40 rotate-3 bg-bone p-2 pb-8 outline outline-line">
              <ExamplePicture picture="result" alt="" sizes="10rem" />
              <span className="stamp absolute right-2 bottom-1.5">{m.badgeAi}</span>
            </div>
            <span className="mb-6 ml-8 -rotate-6 font-hand text-4xl text-pencil">{m.atYou}</span>
          </div>
          <h3 className="display narrow text-4xl">{m.shareTitle}</h3>
          <p className="mt-3 max-w-sm">{m.shareText}</p>
        </article>
      </div>
      <p className="border-t border-line py-4 text-sm text-grey">{m.exampleNote}</p>
    </section>
  )
}

/** The film's end: one unexposed frame, and the main button once more. */
function ClosingCall() {
  const m = useMessages('shell')
  return (
    <section aria-labelledby="closing" className="on-film mt-16 bg-film text-bone">
      <Sprockets />
      <div className="mx-auto grid max-w-[100rem] gap-10 px-4 py-12 sm:px-8 md:grid-cols-[1fr_auto] md:items-center lg:px-12 lg:py-16">
        <div>
          <h2 id="closing" className="display text-[clamp(2.5rem,7vw,5.5rem)]">
            <span className="narrow block">{m.closingFirst}</span>{' '}
            <span className="wide relative inline-block">
              {m.closingSecond}
              <PencilUnderline className="absolute -bottom-3 left-0 h-4 w-full" />
            </span>
          </h2>
          <p className="mt-8 mb-7 max-w-lg text-lg">{m.closingText}</p>
          <MainButton />
        </div>
        <div
          aria-hidden="true"
          className="hidden aspect-4/5 w-64 flex-col justify-between border border-ash/50 p-3 md:flex"
        >
          <span className="edge-print text-amber">14</span>
          <span className="edge-print text-ash">{m.emptyFrame}</span>
        </div>
      </div>
    </section>
  )
}
