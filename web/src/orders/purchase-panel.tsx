import { useEffect, useState } from 'react'
import { fill, formatMessage } from '@starside/contract/fill.ts'
import { Button, TextButton } from '../ui/button.tsx'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { loadPart } from '../ui/load-later.tsx'
import { LoadingMore } from '../ui/query-state.tsx'
import { forgetPart } from '../ui/router.tsx'
import { useListener } from '../ui/use-listener.ts'
import { useMedia } from '../ui/use-media.ts'
import type { PackageOffersProps } from './package-offers.tsx'
import { priceText } from '@starside/contract/packages.ts'
import { useNow } from '../ui/use-elapsed.ts'
import { isPaid, partText, timeLeftMs, type StoredOrder } from './order-store.ts'

const PackageOffers = loadPart(
  () => import('./package-offers.tsx'),
  'PackageOffers',
  <LoadingMore />,
)

/** The tier in one line, with a link to the packages under it, which no link folds. */
export function PurchasePanel(props: PackageOffersProps & { creditsBalance: number | null }) {
  'use memo'
  const { creditsBalance, ...offers } = props
  const { language } = useLanguage()
  const m = useMessages('dashboard')
  const [unfolded, fold] = useUnfolded(creditsBalance)
  const count = creditsBalance ?? m.creditsUnknown
  const credits = formatMessage(m.creditCount, { count }, language)
  return (
    <section aria-labelledby="purchase" id="packages" tabIndex={-1} className="page-width">
      <div className="tier-line flex items-center gap-x-2 bg-paper-deep px-2 md:gap-x-4 md:px-3">
        <p className="flex min-w-0 grow flex-wrap items-baseline gap-x-2 py-1 md:gap-x-3">
          <strong>{offers.premium ? m.premiumUser : m.freeUser}</strong>
          <span>{offers.premium ? fill(m.currentCredits, { count }) : credits}</span>
          <span className={`md:text-[0.9rem] ${offers.premium ? 'text-green' : 'text-grey'}`}>
            {offers.premium ? m.watermarkFree : m.watermarkWarning}
          </span>
        </p>
        <h2 id="purchase" className="shrink-0">
          <a href="#packages" className="text-link tall font-semibold hover:text-ink">
            {m.purchaseTitle}
          </a>
        </h2>
      </div>
      {unfolded ? (
        <>
          <PackageOffers {...offers} />
          <TextButton className="min-h-11 xl:hidden" onClick={fold}>
            {m.hide}
          </TextButton>
        </>
      ) : null}
    </section>
  )
}

/** Unfolded on a wide screen, below the studio; else by a link, or when the page finds no credits. */
function useUnfolded(creditsBalance: number | null): [unfolded: boolean, fold: () => void] {
  const isWide = useMedia('(width >= 80rem)')
  const [isUnfolded, setUnfolded] = useState<boolean | null>(
    () => location.hash === '#packages' || null,
  )
  if (isUnfolded === null && creditsBalance !== null) setUnfolded(creditsBalance === 0)
  // An address that names them leads to them, also while the result above them still comes.
  useEffect(() => {
    if (location.hash !== '#packages') return
    forgetPart()
    const lead = () => document.getElementById('packages')?.scrollIntoView()
    const growth = new ResizeObserver(lead)
    growth.observe(document.body)
    const stop = () => growth.disconnect()
    for (const act of ['wheel', 'pointerdown', 'keydown'])
      addEventListener(act, stop, { once: true })
    return stop
  }, [])
  useListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a')?.hash === '#packages') setUnfolded(true)
  })
  return [isWide || isUnfolded === true, () => setUnfolded(false)]
}

/** An order that waits for its payment: what it is, how long there is, and the way to pay. */
export function OpenOrder({ order, onShow }: { order: StoredOrder; onShow: () => void }) {
  const { language } = useLanguage()
  const m = useMessages('dashboard')
  const { credits, paymentUrl, underpaid } = order
  const minutes = Math.ceil(timeLeftMs(order, useNow(true)) / 60_000)
  const price = priceText(Math.round(order.amount * 100))
  const state = isPaid(order) ? m.openOrderPaid : m.openOrder
  const waits = formatMessage(state, { credits, price, minutes }, language)
  const text = underpaid ? partText(underpaid, m.underpaid) : waits
  return (
    <div className="open-order flex flex-wrap items-center gap-x-4 gap-y-2 border-l-[10px] border-amber py-1 pl-4">
      <p className="font-semibold">{text}</p>
      <div className="flex flex-wrap gap-2">
        {paymentUrl && !isPaid(order) ? (
          <a className="button button-main" href={paymentUrl} target="_blank" rel="noreferrer">
            {underpaid ? m.payTheRest : m.payNow}
          </a>
        ) : null}
        <Button onClick={onShow}>{m.showOrder}</Button>
      </div>
    </div>
  )
}
