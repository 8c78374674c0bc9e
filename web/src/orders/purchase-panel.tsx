import { useState } from 'react'
import {
  packages,
  pricePerCreditText,
  priceText,
  type CreditPackage,
  type PackageType,
} from '@starside/contract/packages.ts'
import { fill } from '../ui/fill.ts'
import { useMessages } from '../ui/language.tsx'
import { PencilRing } from '../ui/pencil.tsx'

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
            {testMoney ? (
              <p className="mt-3">
                <span className="stamp">{m.testMoney}</span> {m.testMoneyText}
              </p>
            ) : null}
          </div>
        </div>
        <div className="grid gap-4 max-md:-mx-4 max-md:snap-x max-md:auto-cols-[82%] max-md:grid-flow-col max-md:scroll-px-4 max-md:overflow-x-auto max-md:px-4 max-md:pb-3 sm:max-md:-mx-8 sm:max-md:px-8 md:grid-cols-2 md:gap-6 xl:gap-10">
          <FilmBox
            creditPackage={packages.basic}
            title={m.basicTitle}
            description={m.basicDescription}
            features={m.basicFeatures}
            working={working}
            current={false}
            tag={null}
            onPurchase={purchase}
          />
          <FilmBox
            creditPackage={packages.premium}
            title={m.premiumTitle}
            description={m.premiumDescription}
            features={m.premiumFeatures}
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

interface FilmBoxProps {
  creditPackage: CreditPackage
  title: string
  description: string
  features: readonly string[]
  working: PackageType | null
  current: boolean
  tag: string | null
  onPurchase: (type: PackageType) => Promise<void>
}

function FilmBox(props: FilmBoxProps) {
  const { creditPackage, title, description, features, working, current, tag } = props
  const m = useMessages('dashboard')
  const { type, credits, priceCents } = creditPackage
  const price = priceText(priceCents)
  const premium = type === 'premium'
  return (
    <article className="flex snap-start flex-col border-2 border-ink bg-paper">
      <div
        className={`on-film relative flex min-h-44 flex-col justify-between p-4 ${premium ? 'bg-amber text-film' : 'bg-film text-bone'}`}
      >
        <div className="flex min-h-7 items-start justify-between gap-3">
          <h3 className="display wide text-xl uppercase">{title}</h3>
          {tag ? <span className="edge-print bg-film px-2 py-1 text-bone">{tag}</span> : null}
        </div>
        <p className="flex items-end gap-5">
          <span className="relative">
            <span className="display narrow text-8xl">{credits}</span>
            {premium && !current ? (
              <PencilRing className="-inset-x-3 -inset-y-1 h-[calc(100%+0.5rem)] w-[calc(100%+1.5rem)] [&_path]:stroke-[#c8271a] [&_path]:[vector-effect:non-scaling-stroke] [&_path]:[stroke-width:4px]" />
            ) : null}
          </span>
          <span className="edge-print pb-3 text-sm">{m.creditsWord}</span>
        </p>
      </div>
      <div className="flex flex-1 flex-col p-4">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="display text-4xl">${price}</span>
          <span className="edge-print text-grey">
            {fill(m.perCredit, { price: pricePerCreditText(creditPackage) })}
          </span>
        </p>
        <p className="mt-2 font-semibold">{description}</p>
        <ul className="mt-3 mb-5 grid gap-1.5">
          {features.map((feature) => (
            <li key={feature} className="flex gap-2 border-b border-line pb-1.5">
              <svg
                aria-hidden="true"
                viewBox="0 0 16 16"
                className="mt-1.5 size-3.5 shrink-0 fill-none stroke-red stroke-2"
              >
                <path d="M1.500 8.500l4.500 5L14.500 2" />
              </svg>
              {feature}
            </li>
          ))}
        </ul>
        <button
          type="button"
          className="button button-main mt-auto min-h-12"
          disabled={current || working !== null}
          onClick={() => void props.onPurchase(type)}
        >
          {working === type ? m.redirecting : fill(m.purchase, { price })}
        </button>
      </div>
    </article>
  )
}
