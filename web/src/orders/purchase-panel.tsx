import { useState } from 'react'
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

/** The two packages as two boxes of film, for free and for premium users. */
export function PurchasePanel({
  premium,
  creditsBalance,
  testMoney,
  onPurchase,
}: PurchasePanelProps) {
  'use memo'
  const m = useMessages('dashboard')
  const [working, setWorking] = useState<PackageType | null>(null)
  const count = creditsBalance ?? m.creditsUnknown
  const credits = creditsBalance === 1 ? m.creditCountOne : fill(m.creditCount, { count })
  const purchase = async (type: PackageType): Promise<void> => {
    setWorking(type)
    await onPurchase(type)
    setWorking(null)
  }
  return (
    <section
      aria-labelledby="purchase"
      id="packages"
      tabIndex={-1}
      className="mx-auto w-full max-w-[100rem] px-4 sm:px-8 lg:px-12"
    >
      <div className="rule grid gap-x-12 gap-y-8 pt-4 lg:grid-cols-[minmax(0,4fr)_minmax(0,8fr)]">
        <div>
          <h2 id="purchase" className="display narrow text-[clamp(2.2rem,5vw,3.6rem)]">
            {m.purchaseTitle}
          </h2>
          <p className="mt-5 flex flex-wrap items-baseline gap-x-3 text-xl">
            <strong>{premium ? m.premiumUser : m.freeUser}</strong>
            <span>{premium ? fill(m.currentCredits, { count }) : credits}</span>
          </p>
          <p
            className={`mt-2 border-l-[10px] py-1 pl-3 font-semibold ${premium ? 'border-green text-green' : 'border-amber'}`}
          >
            {premium ? m.watermarkFree : m.watermarkWarning}
          </p>
          {premium ? (
            <div className="mt-4">
              <p className="font-semibold">{m.premiumBenefits}</p>
              <ul className="mt-1 list-['+_'] pl-4">
                {[m.benefitQuality, m.benefitCredits, m.benefitSupport].map((benefit) => (
                  <li key={benefit}>{benefit}</li>
                ))}
              </ul>
            </div>
          ) : null}
          <div className="mt-6 max-w-sm text-[0.95rem]">
            <p className="font-semibold">{m.securePayment}</p>
            <p className="text-grey">{m.securePaymentText}</p>
            <LegalLinks />
            {testMoney ? (
              <p className="mt-3">
                <span className="stamp">{m.testMoney}</span> {m.testMoneyText}
              </p>
            ) : null}
          </div>
        </div>
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
      </div>
    </section>
  )
}
