import { useEffect } from 'react'
import { useLocation } from '../ui/router.tsx'
import { referralCodeOf, rememberReferralCode } from '../referrals/carry-referral.ts'
import { SharedSelfie } from '../sharing/shared-selfie.tsx'
import { useMessages } from '../ui/language.tsx'
import { SkipLink } from '../ui/skip-link.tsx'
import { Blurbs } from './blurbs.tsx'
import { ClosingCall } from './closing-call.tsx'
import { LandingHeader } from './landing-header.tsx'
import { LiveExample } from './live-example.tsx'
import { MainButton } from './main-button.tsx'
import { MoreResults } from './more-results.tsx'
import { SiteFooter } from '../ui/site-footer.tsx'
import { TrustDialogs } from './trust-dialogs.tsx'
import { useCarriedVoucher } from './use-carried-voucher.ts'

/** The page that everybody may see. */
export function LandingPage() {
  const m = useMessages('shell')
  const { search } = useLocation()
  useEffect(() => {
    const code = referralCodeOf(search)
    if (code) rememberReferralCode(code)
  }, [search])
  useCarriedVoucher()
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
        <MoreResults />
        <Blurbs />
        <ClosingCall />
      </main>
      <SiteFooter />
      <TrustDialogs />
    </div>
  )
}
