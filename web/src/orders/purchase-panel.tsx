import { useEffect, useState } from 'react'
import { packages, type PackageType } from '@starside/contract/packages.ts'
import { LegalLinks } from '../ui/legal-links.tsx'
import { fill } from '../ui/fill.ts'
import { useMessages } from '../ui/language.tsx'
import { PackageCard } from './package-card.tsx'

/** Priority, resolution and support: what only the larger package has. */
const premiumOnly = [2, 3, 4]

interface PurchasePanelProps {
  premium: boolean
  creditsBalance: number | null
  testMoney: boolean
  onPurchase: (type: PackageType) => Promise<void>
}

/** The tier in one line, and under it, folded while there are credits, the two packages. */
export function PurchasePanel({
  premium,
  creditsBalance,
  testMoney,
  onPurchase,
}: PurchasePanelProps) {
  'use memo'
  const m = useMessages('dashboard')
  const [unfolded, toggle] = useUnfolded(creditsBalance)
  const count = creditsBalance ?? m.creditsUnknown
  const credits = creditsBalance === 1 ? m.creditCountOne : fill(m.creditCount, { count })
  return (
    <section aria-labelledby="purchase" id="packages" tabIndex={-1}>
      <div className="flex flex-wrap items-center gap-x-4 bg-paper-deep px-3">
        <p className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 py-1">
          <strong>{premium ? m.premiumUser : m.freeUser}</strong>
          <span>{premium ? fill(m.currentCredits, { count }) : credits}</span>
          <span className={`text-[0.9rem] ${premium ? 'text-green' : 'text-grey'}`}>
            {premium ? m.watermarkFree : m.watermarkWarning}
          </span>
        </p>
        <h2 id="purchase">
          <button
            type="button"
            className="text-link min-h-11 font-semibold hover:text-ink"
            aria-expanded={unfolded}
            aria-controls="package-offers"
            onClick={toggle}
          >
            {m.purchaseTitle}
          </button>
        </h2>
      </div>
      <div id="package-offers" hidden={!unfolded}>
        {unfolded ? (
          <Offers premium={premium} testMoney={testMoney} onPurchase={onPurchase} />
        ) : null}
      </div>
    </section>
  )
}

/**
 * Whether the packages are unfolded: at the press of the button, else when the page finds no
 * credits (not when the last one is used, which would move what is looked at). A link to
 * `#packages` unfolds them too.
 */
function useUnfolded(creditsBalance: number | null): [unfolded: boolean, toggle: () => void] {
  const [isUnfolded, setUnfolded] = useState<boolean | null>(null)
  if (isUnfolded === null && creditsBalance !== null) setUnfolded(creditsBalance === 0)
  useEffect(() => {
    const follow = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (link?.hash === '#packages') setUnfolded(true)
    }
    document.addEventListener('click', follow)
    return () => document.removeEventListener('click', follow)
  }, [])
  return [isUnfolded === true, () => setUnfolded(isUnfolded !== true)]
}

/** The two packages as two boxes of film, and how they are paid. */
function Offers(props: Omit<PurchasePanelProps, 'creditsBalance'>) {
  const { premium, testMoney, onPurchase } = props
  const m = useMessages('dashboard')
  const [working, setWorking] = useState<PackageType | null>(null)
  const purchase = async (type: PackageType): Promise<void> => {
    setWorking(type)
    await onPurchase(type)
    setWorking(null)
  }
  return (
    <div className="grid gap-x-12 gap-y-6 pt-4 lg:grid-cols-[minmax(0,8fr)_minmax(0,4fr)]">
      <div className="grid gap-4 md:grid-cols-2 md:gap-6 xl:gap-10">
        <PackageCard
          creditPackage={packages.basic}
          title={m.basicTitle}
          description={m.basicDescription}
          features={m.basicFeatures}
          distinct={[]}
          working={working}
          current={false}
          tag={null}
          onPurchase={purchase}
        />
        <PackageCard
          creditPackage={packages.premium}
          title={m.premiumTitle}
          description={m.premiumDescription}
          features={m.premiumFeatures}
          distinct={premiumOnly}
          working={working}
          current={premium}
          tag={premium ? m.currentPlan : m.mostPopular}
          onPurchase={purchase}
        />
      </div>
      <div className="grid max-w-sm content-start gap-4 text-[0.95rem]">
        {premium ? (
          <div>
            <p className="font-semibold">{m.premiumBenefits}</p>
            <ul className="mt-1 list-['+_'] pl-4">
              {[m.benefitQuality, m.benefitCredits, m.benefitSupport].map((benefit) => (
                <li key={benefit}>{benefit}</li>
              ))}
            </ul>
          </div>
        ) : null}
        <div>
          <p className="font-semibold">{m.securePayment}</p>
          <p className="text-grey">{m.securePaymentText}</p>
          <LegalLinks />
        </div>
        {testMoney ? (
          <p>
            <span className="stamp">{m.testMoney}</span> {m.testMoneyText}
          </p>
        ) : null}
      </div>
    </div>
  )
}
