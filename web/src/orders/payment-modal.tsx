import { Fragment, useEffect, useId, useState, type ReactNode } from 'react'
import { call } from '../api/call.ts'
import { Dialog } from '../ui/dialog.tsx'
import { useErrorSentence } from '../ui/error-sentence.ts'
import { fill } from '../ui/fill.ts'
import { useMessages } from '../ui/language.tsx'
import { PencilTick } from '../ui/pencil.tsx'
import { minutesText, useNow } from '../ui/use-elapsed.ts'
import { isOpen, setOrderStatus, timeLeftMs } from './order-store.ts'
import { statusTexts } from './status-texts.ts'
import { useOrders } from './use-orders.ts'

/** What the server told about an order beyond the stored copy. */
export interface Underpayment {
  missingAmount: string
  currency: string
  payUrl: string | null
}

interface PaymentModalProps {
  /** Null when no order is being looked at. */
  orderId: string | null
  userId: string
  contactEmail: string | null
  testMoney: boolean
  underpaid: Underpayment | null
  onClose: () => void
}

/** The state of one payment, counting down while it is awaited. */
export function PaymentModal(props: PaymentModalProps) {
  const { orderId, onClose } = props
  const id = useId()
  return (
    <Dialog
      open={orderId !== null}
      onClose={onClose}
      labelledBy={id}
      lightDismiss={false}
      className="max-w-lg"
    >
      {orderId ? <Status {...props} orderId={orderId} titleId={id} /> : null}
    </Dialog>
  )
}

function Status(props: PaymentModalProps & { orderId: string; titleId: string }) {
  const { orderId, titleId, userId, contactEmail, testMoney, underpaid, onClose } = props
  const m = useMessages('dashboard')
  const sentenceOf = useErrorSentence()
  const order = useOrders().find((one) => one.orderId === orderId && one.userId === userId)
  const waiting = order ? isOpen(order.status) : false
  const nowMs = useNow(waiting)
  const leftMs = order ? timeLeftMs(order, nowMs) : 0
  const [error, setError] = useState<string | null>(null)
  useEffect(() => {
    if (order?.status === 'pending' && leftMs === 0) setOrderStatus(orderId, 'expired')
  }, [order?.status, leftMs, orderId])

  if (!order) {
    return (
      <div className="border-t-[10px] border-red p-6">
        <h2 id={titleId} className="display narrow text-4xl">
          {m.orderNotFound}
        </h2>
        <button type="button" className="button mt-6" onClick={onClose}>
          {m.close}
        </button>
      </div>
    )
  }
  const { title, message } = statusTexts(order.status, m)
  const words: Record<string, string> = m.statusWords
  const ended =
    order.status === 'failed' || order.status === 'cancelled' || order.status === 'expired'
  const completed = order.status === 'completed'
  const rows: [string, ReactNode][] = [
    [m.orderAmount, `$${order.amount.toFixed(2)}`],
    [m.orderCredits, String(order.credits)],
    [m.orderId, <OrderId key="id" id={order.orderId} />],
    [m.orderStatus, words[order.status] ?? order.status],
  ]
  const cancel = async (): Promise<void> => {
    setError(null)
    try {
      await call('/orders/cancel', { method: 'POST', body: { orderId } })
      setOrderStatus(orderId, 'cancelled')
    } catch (failure) {
      setError(sentenceOf(failure, m.cancelFailed))
    }
  }
  return (
    <div
      className={`relative border-t-[10px] p-6 ${completed ? 'border-green' : ended ? 'border-red' : 'border-amber'}`}
    >
      {testMoney ? <span className="stamp absolute top-3 right-4">{m.testMoney}</span> : null}
      <div role="status">
        <h2 id={titleId} className="display narrow pr-24 text-4xl">
          {title}
        </h2>
        <p className="mt-2 text-lg">{message}</p>
      </div>
      {completed ? <PencilTick draws className="absolute top-10 right-6 w-16" /> : null}
      <dl className="mt-5 grid grid-cols-[auto_1fr] gap-x-6 border-b border-line">
        {rows.map(([term, value]) => (
          <div key={term} className="col-span-2 grid grid-cols-subgrid border-t border-line py-2">
            <dt className="text-grey">{term}</dt>
            <dd className="text-right font-mono text-[0.95rem] [overflow-wrap:anywhere] max-sm:text-sm">
              {value}
            </dd>
          </div>
        ))}
        {waiting ? (
          <div className="col-span-2 grid grid-cols-subgrid border-t border-line py-2">
            <dt className="text-grey">{m.timeRemaining}</dt>
            <dd className="text-right font-mono text-2xl">
              <span role="timer">{minutesText(leftMs)}</span>
            </dd>
          </div>
        ) : null}
      </dl>
      {underpaid && !completed ? (
        <div className="error-box mt-4" role="alert">
          <p className="font-semibold">
            {fill(m.underpaid, { amount: underpaid.missingAmount, currency: underpaid.currency })}
          </p>
          {underpaid.payUrl ? (
            <a
              className="text-link"
              href={underpaid.payUrl}
              target="_blank"
              rel="noopener noreferrer"
            >
              {m.payTheRest}
            </a>
          ) : null}
        </div>
      ) : null}
      <div className="mt-5 flex flex-wrap gap-2">
        {waiting && order.paymentUrl ? (
          <a
            className="button button-main"
            href={order.paymentUrl}
            target="_blank"
            rel="noopener noreferrer"
          >
            {m.continuePayment}
          </a>
        ) : null}
        {completed ? (
          <button type="button" className="button button-main" onClick={onClose}>
            {m.startUsingPremium}
          </button>
        ) : null}
        {ended ? (
          <>
            <button type="button" className="button button-main" onClick={() => location.reload()}>
              {m.tryAgainPayment}
            </button>
            <button type="button" className="button" onClick={onClose}>
              {m.close}
            </button>
          </>
        ) : null}
        {waiting ? (
          <>
            <button type="button" className="button" onClick={onClose}>
              {m.hide}
            </button>
            <button type="button" className="text-link min-h-11 px-2" onClick={() => void cancel()}>
              {m.cancelOrder}
            </button>
          </>
        ) : null}
      </div>
      <p role="alert" className="mt-2 font-semibold text-red empty:hidden">
        {error}
      </p>
      <p className="mt-5 text-[0.95rem] text-grey">
        {waiting || order.status === 'expired' ? `${m.lateNote} ` : ''}
        {contactEmail
          ? fill(m.support, { contact: contactEmail, orderId: order.orderId })
          : fill(m.supportNoContact, { orderId: order.orderId })}
      </p>
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
