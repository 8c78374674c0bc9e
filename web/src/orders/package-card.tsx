import { useState } from 'react'
import {
  pricePerCreditText,
  priceText,
  type CreditPackage,
  type PackageFeature,
  type PackageType,
} from '@starside/contract/packages.ts'
import { fill } from '@starside/contract/fill.ts'
import { FoldSign } from '../ui/fold-sign.tsx'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { PencilRing } from '../ui/pencil.tsx'

interface PackageCardProps {
  creditPackage: CreditPackage
  working: PackageType | null
  /** What to buy in place of this one, which stays closed then; null where it is open. */
  instead: CreditPackage | null
  tag: string | null
  onPurchase: (type: PackageType) => Promise<void>
}

/** One package as a box of film, with its price and what comes with it. */
export function PackageCard(props: PackageCardProps) {
  const { creditPackage, working, instead } = props
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const { type, priceCents } = creditPackage
  const price = priceText(priceCents)
  return (
    <article className="flex flex-col border-2 border-ink bg-paper">
      <PackageHead {...props} />
      <div className="flex flex-1 flex-col p-4">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="display text-4xl">${price}</span>
          <span className="edge-print text-grey">
            {fill(m.perCredit, { price: pricePerCreditText(creditPackage) })}
          </span>
        </p>
        <p className="mt-2 font-semibold">{creditPackage.description[language]}</p>
        <Features features={creditPackage.features[language]} />
        {instead ? (
          <p className="mb-2 text-[0.95rem] text-grey">
            {fill(m.currentPlanNote, { title: instead.title[language] })}
          </p>
        ) : null}
        <button
          type="button"
          className="button button-main mt-auto min-h-12"
          disabled={instead !== null || working !== null}
          onClick={() => void props.onPurchase(type)}
        >
          {working === type ? m.redirecting : fill(m.purchase, { price })}
        </button>
      </div>
    </article>
  )
}

function PackageHead({ creditPackage, instead, tag }: PackageCardProps) {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const { credits, isPopular: stands, title } = creditPackage
  return (
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
          {stands && !instead ? (
            <PencilRing className="-inset-x-3 -inset-y-1 h-[calc(100%+0.5rem)] w-[calc(100%+1.5rem)] [&_path]:stroke-[#c8271a] [&_path]:[vector-effect:non-scaling-stroke] [&_path]:[stroke-width:4px]" />
          ) : null}
        </span>
        <span className="edge-print text-sm md:pb-3">{m.creditsWord}</span>
      </p>
    </div>
  )
}

/** What comes with a package; on a phone it unfolds, so that both prices fit the screen. */
function Features({ features }: { features: readonly PackageFeature[] }) {
  const m = useMessages('dashboard')
  const [unfolded, setUnfolded] = useState(false)
  return (
    <>
      <button
        type="button"
        className="text-link min-h-11 self-start md:hidden"
        aria-expanded={unfolded}
        onClick={() => setUnfolded(!unfolded)}
      >
        {m.showFeatures}
        <FoldSign unfolded={unfolded} />
      </button>
      <ul className={`mt-3 mb-5 gap-1.5 md:grid ${unfolded ? 'grid' : 'hidden'}`}>
        {features.map(({ text, isDistinct }) => (
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
    </>
  )
}
