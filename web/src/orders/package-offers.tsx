import { useState } from 'react'
import { premiumPackage, pricePerCreditText, priceText } from '@starside/contract/packages.ts'
import type { CreditPackage } from '@starside/contract/packages.ts'
import { formatMessage, fill } from '@starside/contract/fill.ts'
import type { PublicSettingsAnswer } from '@starside/contract/public-settings.ts'
import { LegalLinks } from '../ui/legal-links.tsx'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { Pencil } from '../ui/pencil.tsx'
import { FoldButton, MainButton } from '../ui/button.tsx'

export interface PackageOffersProps {
  /** What is on sale, once the settings have come. */
  settings: Pick<PublicSettingsAnswer, 'packages' | 'testMoney'> | null
  premium: boolean
  onPurchase: (type: string) => Promise<void>
}

/** The packages as boxes of film, and how they are paid. */
export function PackageOffers({ settings, premium, onPurchase }: PackageOffersProps) {
  const { language } = useLanguage()
  const m = useMessages('dashboard')
  const [working, setWorking] = useState<string | null>(null)
  const purchase = async (type: string): Promise<void> => {
    setWorking(type)
    await onPurchase(type)
    setWorking(null)
  }
  const packages = settings?.packages ?? []
  // Whoever has bought anything has had as many.
  const least = Math.min(...packages.map(({ credits }) => credits))
  const benefitCredits = formatMessage(m.benefitCredits, { credits: least }, language)
  const plan = packages.find(({ type }) => type === premiumPackage)
  const title = packages.length > 1 && plan?.title[language]
  const rule = premium ? m.premiumForGood : m.anyPurchase
  return (
    <div className="grid gap-x-12 gap-y-6 pt-4 lg:grid-cols-[minmax(0,8fr)_minmax(0,4fr)]">
      <div className="grid gap-4 md:grid-cols-2 md:gap-6 xl:gap-10">
        {packages.map((offered) => (
          <PackageCard
            key={offered.type}
            creditPackage={offered}
            working={working}
            premium={premium}
            other={packages.find(({ type }) => type !== offered.type)}
            onPurchase={purchase}
          />
        ))}
      </div>
      <div className="grid max-w-sm content-start gap-4 text-[0.95rem]">
        {title ? <p className="font-semibold">{fill(rule, { title })}</p> : null}
        {premium && settings ? (
          <div>
            <p className="font-semibold">{m.premiumBenefits}</p>
            <ul className="mt-1 list-['✓_'] pl-4">
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
        {settings?.testMoney ? (
          <p>
            <span className="stamp">{m.testMoney}</span> {m.testMoneyText}
          </p>
        ) : null}
      </div>
    </div>
  )
}

interface PackageCardProps extends Omit<PackageOffersProps, 'settings'> {
  creditPackage: CreditPackage
  working: string | null
  /** What is on sale beside it. */
  other: CreditPackage | undefined
}

/** One package as a box of film, with its price and what comes with it. */
export function PackageCard(props: PackageCardProps) {
  const { creditPackage, working, premium, other } = props
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const { type, credits, isPopular: stands, title } = creditPackage
  const price = priceText(creditPackage.priceCents)
  // A premium user's plan is closed where there is another one to buy in its place.
  const isClosed = premium && type === premiumPackage && other !== undefined
  const more = other && {
    credits: credits - other.credits,
    title: other.title[language],
    price: priceText(creditPackage.priceCents - other.priceCents),
  }
  const tag = isClosed ? m.currentPlan : !premium && stands ? m.mostPopular : null
  // On a phone they unfold, so that both prices fit the screen.
  const [unfolded, setUnfolded] = useState(false)
  return (
    <article className="flex flex-col border-2 border-ink bg-paper">
      <div
        className={`on-film relative flex flex-col justify-between p-4 max-md:gap-2 md:min-h-44 ${stands ? 'bg-amber text-film' : 'bg-film text-bone'}`}
      >
        <div className="flex min-h-7 items-start justify-between gap-3">
          <h3 className="display wide text-xl uppercase">{title[language]}</h3>
          {tag ? (
            <span className="edge-print border border-transparent bg-film px-2 py-1 text-bone">
              {tag}
            </span>
          ) : null}
        </div>
        <p className="flex items-end gap-5">
          <span className="relative">
            <span className="display narrow text-6xl md:text-8xl">{credits}</span>
            {stands && !isClosed ? (
              <Pencil
                drawing="ring"
                className="-inset-x-3 -inset-y-1 h-[calc(100%+0.5rem)] w-[calc(100%+1.5rem)] [&_path]:stroke-accent-light [&_path]:[vector-effect:non-scaling-stroke] [&_path]:[stroke-width:4px]"
              />
            ) : null}
          </span>
          <span className="edge-print text-sm md:pb-3">{m.creditsWord}</span>
        </p>
      </div>
      <div className="flex flex-1 flex-col p-4">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="display text-4xl">${price}</span>
          <span className="edge-print text-grey">
            {fill(m.perCredit, { price: pricePerCreditText(creditPackage) })}
          </span>
        </p>
        <p className="mt-2 font-semibold">{creditPackage.description[language]}</p>
        <FoldButton
          className="text-link min-h-11 self-start md:hidden"
          unfolded={unfolded}
          onClick={() => setUnfolded(!unfolded)}
        >
          {m.showFeatures}
        </FoldButton>
        <ul className={`mt-3 mb-5 gap-1.5 md:grid ${unfolded ? 'grid' : 'hidden'}`}>
          {creditPackage.features[language].map(({ text, isDistinct }) => (
            <li
              key={text}
              className={`flex gap-2 border-b border-line pb-1.5 ${isDistinct ? 'font-bold' : ''}`}
            >
              <span aria-hidden="true" className="text-red">
                ✓
              </span>
              {text}
            </li>
          ))}
        </ul>
        {more && more.credits > 0 ? (
          <p className="mb-3">{formatMessage(m.moreCredits, more, language)}</p>
        ) : null}
        <MainButton
          className="mt-auto min-h-12"
          disabled={isClosed}
          aria-disabled={working !== null}
          onClick={working === null ? () => void props.onPurchase(type) : undefined}
        >
          {working === type ? m.redirecting : fill(m.purchase, { price })}
        </MainButton>
        <p className="mt-1.5 text-center text-sm text-grey">{m.paidInCryptocurrency}</p>
      </div>
    </article>
  )
}
