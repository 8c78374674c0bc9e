import { Dialog, DialogTitle } from '../ui/dialog.tsx'
import { useMessages, useLanguage } from '../ui/language.tsx'
import { useOrders, applyEvent, timeLeftMs, isPaid, isToAnnounce } from './order-store.ts'
import { amountText, partText, type StoredOrder } from './order-store.ts'
import { applyAnswer } from './monitor-order.ts'
import { activatePrivileges, purchaseAgain } from './use-payments.ts'
import { useEffect, useRef, type ReactNode } from 'react'
import { fill, formatMessage } from '@starside/contract/fill.ts'
import { isFinal, isOpen } from '@starside/contract/order-statuses.ts'
import { usePackageTitle } from './use-package-title.ts'
import type { PublicSettingsAnswer } from '@starside/contract/public-settings.ts'
import { call } from '../api/call.ts'
import type { DashboardMessages } from '../ui/messages/catalogues.ts'
import { Pencil } from '../ui/pencil.tsx'
import { useNow, minutesText } from '../ui/use-elapsed.ts'
import { Button, TextButton, MainButton } from '../ui/button.tsx'
import { SmallError, useSubmission } from '../ui/form.tsx'

type PaymentModalProps = Omit<PaymentStatusProps, 'order'> & { orderId: string; userId: string }

/** The state of one payment, counting down while it is awaited. */
export function PaymentModal({ orderId, userId, ...rest }: PaymentModalProps) {
  const m = useMessages('dashboard')
  const order = useOrders().find((one) => one.orderId === orderId && one.userId === userId)
  // The page that is about to come tells of the success; until then this says that the money is there.
  const isReceived = order?.status === 'completed' && isToAnnounce()
  return (
    <Dialog onClose={rest.onClose} lightDismiss={false} className="max-w-lg">
      {order ? (
        <PaymentStatus {...rest} order={isReceived ? { ...order, status: 'received' } : order} />
      ) : (
        <div className="border-t-[10px] border-red p-6">
          <DialogTitle>{m.orderNotFound}</DialogTitle>
          <Button className="mt-6" onClick={rest.onClose}>
            {m.close}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

interface PaymentStatusProps {
  order: StoredOrder
  settings: Pick<PublicSettingsAnswer, 'contactEmail' | 'testMoney'> | null
  /** Begins another order, which this one came before. */
  onAnother?: (() => void) | undefined
  onClose: () => void
}

function PaymentStatus({ order, settings, onAnother, onClose }: PaymentStatusProps) {
  const contact = settings?.contactEmail
  const m = useMessages('dashboard')
  const { orderId, status } = order
  const waiting = isOpen(status)
  const leftMs = timeLeftMs(order, useNow(waiting))
  useEffect(() => {
    if (status === 'pending' && leftMs === 0) applyEvent(orderId, { type: 'window-closed' })
  }, [status, leftMs, orderId])
  const { title, message } = statusTexts(order, m)
  const notes: Record<string, string> = m.statusNotes
  const part = status === 'completed' ? null : order.underpaid
  const note = part ? partText(part, m.underpaid) : notes[status]
  const isGood = status === 'completed' || status === 'received'
  const bar = isGood ? 'border-green' : isFinal(status) ? 'border-danger' : 'border-amber'
  return (
    <div className={`relative border-t-[10px] p-6 ${bar}`}>
      {settings?.testMoney ? (
        <span className="stamp float-right -mt-3 -mr-2 ml-3">{m.testMoney}</span>
      ) : null}
      <div role="status">
        <DialogTitle className="display narrow pr-24 text-3xl sm:text-4xl">{title}</DialogTitle>
        <p className="mt-2 text-lg">{message}</p>
        {note ? <p className="mt-2 font-semibold">{note}</p> : null}
      </div>
      {isGood ? <Pencil drawing="tick" draws className="absolute top-10 right-6 w-16" /> : null}
      <PaymentDetails order={order} leftMs={waiting && !isPaid(order) ? leftMs : null} />
      <PaymentActions {...{ order, onAnother, onClose }} />
      <PartInstead order={order} />
      <details className="mt-3 text-grey">
        <summary className="min-h-11 cursor-pointer py-2">{m.showOrder}</summary>
        <dl className={list}>
          <OrderRows order={order} />
        </dl>
      </details>
      <p className="mt-2 text-[0.95rem] text-grey">
        {contact ? fill(m.support, { contact, orderId }) : fill(m.supportNoContact, { orderId })}
      </p>
    </div>
  )
}

/** The credits that a part of an order's price is worth, to be taken instead of paying the rest. */
function PartInstead({ order }: { order: StoredOrder }) {
  const { language } = useLanguage()
  const m = useMessages('dashboard')
  const { busy, error, submit } = useSubmission(m.purchaseFailed)
  const { orderId, underpaid } = order
  const credits = underpaid?.worthCredits ?? 0
  if (credits === 0 || order.status === 'completed') return null
  const take = (): Promise<boolean> =>
    submit(async () => {
      const { data } = await call('POST /api/orders/credit-worth', { body: { orderId } })
      applyAnswer(orderId, data)
      activatePrivileges(data)
    })
  return (
    <div className="mt-5 border-t border-line pt-4">
      <p>{m.creditWorthNote}</p>
      <Button className="mt-2" aria-disabled={busy} onClick={() => void take()}>
        {formatMessage(m.creditWorth, { credits }, language)}
      </Button>
      <SmallError>{error}</SmallError>
    </div>
  )
}

/** How an order stands, as title, message (specification, section 8) and word; anything else is 'unknown'. */
export function statusTexts(
  { status, underpaid }: Pick<StoredOrder, 'status' | 'underpaid'>,
  m: DashboardMessages,
): typeof m.partPaid {
  if (underpaid && isOpen(status)) return m.partPaid
  const texts: Record<string, typeof m.partPaid> = m.statuses
  return texts[status] ?? { ...m.statusUnknown, word: status }
}

interface PaymentDetailsProps {
  order: Omit<StoredOrder, 'completedAt' | 'metadata'>
  /** Null where nothing is awaited. */
  leftMs: number | null
  children?: ReactNode
}

const list = 'mt-5 grid grid-cols-[auto_1fr] gap-x-6 border-b border-line'

/** Package, amount and credits of an order, the countdown, and further rows. */
export function PaymentDetails({ order, leftMs, children }: PaymentDetailsProps) {
  const m = useMessages('dashboard')
  const titleOf = usePackageTitle()
  return (
    <dl className={list}>
      <Row term={m.receiptPackage}>{titleOf(order.packageType)}</Row>
      <Row term={m.orderAmount}>{amountText(order, m.partAmount)}</Row>
      <Row term={m.orderCredits}>{order.credits}</Row>
      {leftMs === null ? null : (
        <Row term={m.timeRemaining}>
          <span role="timer" className="text-2xl">
            {minutesText(leftMs)}
          </span>
        </Row>
      )}
      {children}
    </dl>
  )
}

/** What is asked for where something went wrong with an order. */
export function OrderRows({ order }: Pick<PaymentDetailsProps, 'order'>) {
  const m = useMessages('dashboard')
  return (
    <>
      <Row term={m.orderId}>{order.orderId}</Row>
      <Row term={m.orderStatus}>{statusTexts(order, m).word}</Row>
    </>
  )
}

export function Row({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="col-span-2 grid grid-cols-subgrid items-baseline border-t border-line py-2">
      <dt className="text-grey">{term}</dt>
      <dd className="text-right font-mono text-[0.95rem] [overflow-wrap:anywhere] max-sm:text-[0.8rem]">
        {children}
      </dd>
    </div>
  )
}

function PaymentActions({ order, onAnother, onClose }: Omit<PaymentStatusProps, 'settings'>) {
  const m = useMessages('dashboard')
  const { error, submit } = useSubmission(m.cancelFailed)
  const close = useRef<HTMLButtonElement>(null)
  const { orderId, status, paymentUrl } = order
  const isCompleted = status === 'completed'
  const isWaiting = isOpen(status)
  const isPayable = isFinal(status) ? status === 'expired' && order.underpaid : !isPaid(order)
  const cancel = (): Promise<boolean> =>
    submit(async () => {
      const { data } = await call('POST /api/orders/cancel', { body: { orderId } })
      applyAnswer(orderId, data)
      // What was pressed is gone.
      close.current?.focus()
    })
  return (
    <>
      <div className="mt-5 flex flex-wrap gap-2">
        {isCompleted ? <MainButton onClick={onClose}>{m.startUsingPremium}</MainButton> : null}
        {isFinal(status) && !isCompleted && !isPayable ? (
          <MainButton onClick={() => startAnew(order)}>{m.tryAgainPayment}</MainButton>
        ) : null}
        {paymentUrl && isPayable ? (
          <a className="button button-main" href={paymentUrl} target="_blank" rel="noreferrer">
            {order.underpaid ? m.payTheRest : m.continuePayment}
          </a>
        ) : null}
        {isWaiting && onAnother ? <Button onClick={onAnother}>{m.startAnother}</Button> : null}
        {isCompleted ? null : (
          <Button ref={close} onClick={onClose}>
            {isWaiting ? m.hide : m.close}
          </Button>
        )}
        {isWaiting && status !== 'processing' ? (
          <TextButton className="min-h-11" onClick={() => void cancel()}>
            {m.cancelOrder}
          </TextButton>
        ) : null}
      </div>
      {isWaiting ? <SmallError>{error}</SmallError> : null}
    </>
  )
}

/** Reloads the page, without the order that its address may name; the page that comes begins another one of the same package. */
function startAnew({ packageType }: Pick<StoredOrder, 'packageType'>): void {
  history.replaceState({ [purchaseAgain]: packageType }, '', `${location.pathname}#packages`)
  location.reload()
}
