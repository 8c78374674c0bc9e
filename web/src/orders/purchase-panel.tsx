import { useState } from 'react'
import { fill, formatMessage } from '@starside/contract/fill.ts'
import { FoldButton, Button } from '../ui/button.tsx'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { loadPart } from '../ui/load-later.tsx'
import { LoadingMore } from '../ui/query-state.tsx'
import { useListener } from '../ui/use-listener.ts'
import type { PackageOffersProps } from './package-offers.tsx'
import { priceText } from '@starside/contract/packages.ts'
import { useNow } from '../ui/use-elapsed.ts'
import { timeLeftMs, type StoredOrder } from './order-store.ts'

const PackageOffers = loadPart(
  () => import('./package-offers.tsx'),
  'PackageOffers',
  <LoadingMore />,
)

/** The tier in one line, and under it the packages, which fold. */
export function PurchasePanel(props: PackageOffersProps & { creditsBalance: number | null }) {
  'use memo'
  const { creditsBalance, ...offers } = props
  const { premium } = offers
  const { language } = useLanguage()
  const m = useMessages('dashboard')
  const [unfolded, toggle] = useUnfolded(creditsBalance)
  const count = creditsBalance ?? m.creditsUnknown
  const credits = formatMessage(m.creditCount, { count }, language)
  return (
    <section aria-labelledby="purchase" id="packages" tabIndex={-1} className="page-width">
      <div className="flex flex-wrap items-center gap-x-4 bg-paper-deep px-3">
        <p className="flex min-w-0 grow basis-44 flex-wrap items-baseline gap-x-3 py-1">
          <strong>{premium ? m.premiumUser : m.freeUser}</strong>
          <span>{premium ? fill(m.currentCredits, { count }) : credits}</span>
          <span className={`text-[0.9rem] ${premium ? 'text-green' : 'text-grey'}`}>
            {premium ? m.watermarkFree : m.watermarkWarning}
          </span>
        </p>
        <h2 id="purchase">
          <FoldButton
            className="text-link min-h-11 font-semibold text-ink"
            unfolded={unfolded}
            aria-controls="package-offers"
            onClick={toggle}
          >
            {m.purchaseTitle}
          </FoldButton>
        </h2>
      </div>
      <div id="package-offers" hidden={!unfolded}>
        {unfolded ? <PackageOffers {...offers} /> : null}
      </div>
    </section>
  )
}

/** Unfolded by the button or a link; else on a wide screen, or when the page finds no credits. */
function useUnfolded(creditsBalance: number | null): [unfolded: boolean, toggle: () => void] {
  const [isUnfolded, setUnfolded] = useState<boolean | null>(
    () => matchMedia('(width >= 1280px)').matches || location.hash === '#packages' || null,
  )
  if (isUnfolded === null && creditsBalance !== null) setUnfolded(creditsBalance === 0)
  useListener('click', ({ target }) => {
    const link = target instanceof Element ? target.closest('a') : null
    if (link?.hash === '#packages') setUnfolded(true)
  })
  return [isUnfolded === true, () => setUnfolded(isUnfolded !== true)]
}

/** An order that waits for its payment: what it is, how long there is, and the way to pay. */
export function OpenOrder({ order, onShow }: { order: StoredOrder; onShow: () => void }) {
  const { language } = useLanguage()
  const m = useMessages('dashboard')
  const nowMs = useNow(true)
  const { credits, paymentUrl } = order
  const isPaid = order.status === 'processing' && !order.underpaid
  const text = formatMessage(
    isPaid ? m.openOrderPaid : m.openOrder,
    {
      credits,
      price: priceText(Math.round(order.amount * 100)),
      minutes: Math.ceil(timeLeftMs(order, nowMs) / 60_000),
    },
    language,
  )
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-l-[10px] border-amber py-1 pl-4">
      <p className="font-semibold">{text}</p>
      <div className="flex flex-wrap gap-2">
        {paymentUrl && !isPaid ? (
          <a className="button button-main" href={paymentUrl} target="_blank" rel="noreferrer">
            {m.payNow}
          </a>
        ) : null}
        <Button onClick={onShow}>{m.showOrder}</Button>
      </div>
    </div>
  )
}
