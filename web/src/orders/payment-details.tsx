import { Fragment, type ReactNode } from 'react'
import { useMessages } from '../ui/language.tsx'
import { minutesText } from '../ui/use-elapsed.ts'
import type { StoredOrder } from './order-store.ts'

interface PaymentDetailsProps {
  order: StoredOrder
  /** Milliseconds until the payment's window closes; null where nothing is awaited. */
  leftMs: number | null
}

/** Amount, credits, id and status of an order, and the countdown. */
export function PaymentDetails({ order, leftMs }: PaymentDetailsProps) {
  const m = useMessages('dashboard')
  const statuses: Record<string, { word: string }> = m.statuses
  return (
    <dl className="mt-5 grid grid-cols-[auto_1fr] gap-x-6 border-b border-line">
      <Row term={m.orderAmount}>${order.amount.toFixed(2)}</Row>
      <Row term={m.orderCredits}>{order.credits}</Row>
      <Row term={m.orderId}>
        <OrderId id={order.orderId} />
      </Row>
      <Row term={m.orderStatus}>{statuses[order.status]?.word ?? order.status}</Row>
      {leftMs === null ? null : (
        <Row term={m.timeRemaining}>
          <span role="timer" className="text-2xl">
            {minutesText(leftMs)}
          </span>
        </Row>
      )}
    </dl>
  )
}

function Row({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="col-span-2 grid grid-cols-subgrid border-t border-line py-2">
      <dt className="text-grey">{term}</dt>
      <dd className="text-right font-mono text-[0.95rem] [overflow-wrap:anywhere] max-sm:text-sm">
        {children}
      </dd>
    </div>
  )
}

/** An order's id, which breaks at its underscores where it has to. */
function OrderId({ id }: { id: string }) {
  return id.split('_').map((part, index) => (
    <Fragment key={part}>
      {index === 0 ? null : (
        <>
          _<wbr />
        </>
      )}
      {part}
    </Fragment>
  ))
}
