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
        <div className="mx-auto grid max-w-[100rem] grid-cols-[minmax(0,1fr)] gap-x-14 gap-y-8 px-4 pt-2 pb-12 sm:px-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:px-12 lg:pt-4 lg:pb-20">
          <div>
            <h1 className="display text-[clamp(2.75rem,12.2vw,4.5rem)] lg:text-[clamp(3.4rem,6.1vw,7rem)]">
              <span className="narrow block">{m.headlineFirst}</span>{' '}
              <span className="wide block">{m.headlineSecond}</span>
            </h1>
            <p className="mt-4 max-w-md text-xl leading-normal">{m.lead}</p>
            <div className="mt-5">
              <MainButton />
            </div>
            <p className="mt-3 text-grey">{m.note}</p>
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
