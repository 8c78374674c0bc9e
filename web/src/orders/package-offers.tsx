import { useState } from 'react'
import {
  premiumPackage,
  type CreditPackage,
  type PackageType,
} from '@starside/contract/packages.ts'
import { formatMessage } from '@starside/contract/fill.ts'
import type { PublicSettingsAnswer } from '@starside/contract/public-settings.ts'
import { LegalLinks } from '../ui/legal-links.tsx'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { PackageCard } from './package-card.tsx'

export interface PackageOffersProps {
  /** What is on sale, once the settings have come. */
  settings: Pick<PublicSettingsAnswer, 'packages' | 'testMoney'> | null
  premium: boolean
  onPurchase: (type: PackageType) => Promise<void>
}

/** The packages as boxes of film, and how they are paid. */
export function PackageOffers({ settings, premium, onPurchase }: PackageOffersProps) {
  const { language } = useLanguage()
  const m = useMessages('dashboard')
  const testMoney = settings?.testMoney ?? false
  const [working, setWorking] = useState<PackageType | null>(null)
  const purchase = async (type: PackageType): Promise<void> => {
    setWorking(type)
    await onPurchase(type)
    setWorking(null)
  }
  const packages = settings?.packages ?? []
  const other = packages.find(({ type }) => type !== premiumPackage) ?? null
  /** What a premium user buys in place of a package: closed is only what has another beside it. */
  const insteadOf = ({ type }: CreditPackage): CreditPackage | null =>
    premium && type === premiumPackage ? other : null
  const tagOf = (offered: CreditPackage): string | null => {
    if (insteadOf(offered)) return m.currentPlan
    return !premium && offered.isPopular ? m.mostPopular : null
  }
  // Whoever has bought anything has had as many.
  const least = Math.min(...packages.map(({ credits }) => credits))
  const benefitCredits = formatMessage(m.benefitCredits, { credits: least }, language)
  return (
    <div className="grid gap-x-12 gap-y-6 pt-4 lg:grid-cols-[minmax(0,8fr)_minmax(0,4fr)]">
      <div className="grid gap-4 md:grid-cols-2 md:gap-6 xl:gap-10">
        {packages.map((offered) => (
          <PackageCard
            key={offered.type}
            creditPackage={offered}
            working={working}
            instead={insteadOf(offered)}
            tag={tagOf(offered)}
            onPurchase={purchase}
          />
        ))}
      </div>
      <div className="grid max-w-sm content-start gap-4 text-[0.95rem]">
        {premium && settings ? (
          <div>
            <p className="font-semibold">{m.premiumBenefits}</p>
            <ul className="mt-1 list-['+_'] pl-4">
              {[m.benefitQuality, benefitCredits, m.benefitSupport].map((benefit) => (
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
