import { priceText } from '@starside/contract/packages.ts'
import { formatMessage } from '@starside/contract/fill.ts'
import { useLanguage, useMessages } from '../ui/language.tsx'
import { useNow } from '../ui/use-elapsed.ts'
import { timeLeftMs, type StoredOrder } from './order-store.ts'
import { Button } from '../ui/button.tsx'

/** An order that waits for its payment: what it is, how long there is, and the way to pay. */
export function OpenOrder({ order, onShow }: { order: StoredOrder; onShow: () => void }) {
  const { language } = useLanguage()
  const m = useMessages('dashboard')
  const nowMs = useNow(true)
  const isPaid = order.status === 'processing'
  const text = formatMessage(
    isPaid ? m.openOrderPaid : m.openOrder,
    {
      credits: order.credits,
      price: priceText(Math.round(order.amount * 100)),
      minutes: Math.ceil(timeLeftMs(order, nowMs) / 60_000),
    },
    language,
  )
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-l-[10px] border-amber py-1 pl-4">
      <p className="font-semibold">{text}</p>
      <div className="flex flex-wrap gap-2">
        {order.paymentUrl && !isPaid ? (
          <a
            className="button button-main"
            href={order.paymentUrl}
            target="_blank"
            rel="noopener noreferrer"
          >
            {m.payNow}
          </a>
        ) : null}
        <Button onClick={onShow}>{m.showOrder}</Button>
      </div>
    </div>
  )
}
