import { useState } from 'react'
import {
  premiumPackage,
  type CreditPackage,
  type PackageType,
} from '@starside/contract/packages.ts'
import { usePublicSettings } from '../api/use-public-settings.ts'
import { LegalLinks } from '../ui/legal-links.tsx'
import { useMessages } from '../ui/language.tsx'
import { PackageCard } from './package-card.tsx'

interface PackageOffersProps {
  premium: boolean
  onPurchase: (type: PackageType) => Promise<void>
}

/** The packages as boxes of film, and how they are paid. */
export function PackageOffers({ premium, onPurchase }: PackageOffersProps) {
  const m = useMessages('dashboard')
  const settings = usePublicSettings()
  const testMoney = settings?.testMoney ?? false
  const [working, setWorking] = useState<PackageType | null>(null)
  const purchase = async (type: PackageType): Promise<void> => {
    setWorking(type)
    await onPurchase(type)
    setWorking(null)
  }
  const tagOf = ({ type, isPopular }: CreditPackage): string | null => {
    if (premium && type === premiumPackage) return m.currentPlan
    return !premium && isPopular ? m.mostPopular : null
  }
  return (
    <div className="grid gap-x-12 gap-y-6 pt-4 lg:grid-cols-[minmax(0,8fr)_minmax(0,4fr)]">
      <div className="grid gap-4 md:grid-cols-2 md:gap-6 xl:gap-10">
        {settings?.packages.map((offered) => (
          <PackageCard
            key={offered.type}
            creditPackage={offered}
            working={working}
            current={premium && offered.type === premiumPackage}
            tag={tagOf(offered)}
            onPurchase={purchase}
          />
        ))}
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
