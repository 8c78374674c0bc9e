import { call } from '../api/call.ts'
import { useMessages } from '../ui/language.tsx'
import { useSubmission } from '../ui/use-submission.ts'
import { setOrderStatus, type StoredOrder } from './order-store.ts'
import { isOpen, isFinal } from './order-transitions.ts'

interface PaymentActionsProps {
  order: StoredOrder
  onClose: () => void
  onCancelled: () => void
}

/** What can be done with an order in its status. */
export function PaymentActions(props: PaymentActionsProps) {
  const { order, onClose } = props
  const m = useMessages('dashboard')
  const { status, paymentUrl } = order
  if (isOpen(status)) return <OpenActions {...props} />
  const canRetry = isFinal(status) && status !== 'completed'
  return (
    <div className="mt-5 flex flex-wrap gap-2">
      {status === 'completed' ? (
        <button type="button" className="button button-main" onClick={onClose}>
          {m.startUsingPremium}
        </button>
      ) : null}
      {canRetry ? (
        <button type="button" className="button button-main" onClick={() => location.reload()}>
          {m.tryAgainPayment}
        </button>
      ) : null}
      {!isFinal(status) && paymentUrl ? <PaymentLink address={paymentUrl} /> : null}
      {status === 'completed' ? null : (
        <button type="button" className="button" onClick={onClose}>
          {m.close}
        </button>
      )}
    </div>
  )
}

function OpenActions({ order, onClose, onCancelled }: PaymentActionsProps) {
  const m = useMessages('dashboard')
  const { error, submit } = useSubmission(m.cancelFailed)
  const { orderId, paymentUrl } = order
  const cancel = (): Promise<boolean> =>
    submit(async () => {
      await call('POST /api/orders/cancel', { body: { orderId } })
      setOrderStatus(orderId, 'cancelled')
      onCancelled()
    })
  return (
    <>
      <div className="mt-5 flex flex-wrap gap-2">
        {paymentUrl ? <PaymentLink address={paymentUrl} /> : null}
        <button type="button" className="button" onClick={onClose}>
          {m.hide}
        </button>
        <button type="button" className="text-link min-h-11 px-2" onClick={() => void cancel()}>
          {m.cancelOrder}
        </button>
      </div>
      <p role="alert" className="mt-2 font-semibold text-red empty:hidden">
        {error}
      </p>
    </>
  )
}

function PaymentLink({ address }: { address: string }) {
  const m = useMessages('dashboard')
  return (
    <a className="button button-main" href={address} target="_blank" rel="noopener noreferrer">
      {m.continuePayment}
    </a>
  )
}
