import { call } from '../api/call.ts'
import { SmallError } from '../ui/form.tsx'
import { useMessages } from '../ui/language.tsx'
import { useSubmission } from '../ui/use-submission.ts'
import { setOrderStatus, type StoredOrder, isOpen, isFinal } from './order-store.ts'
import { Button, TextButton } from '../ui/button.tsx'

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
        <Button main onClick={onClose}>
          {m.startUsingPremium}
        </Button>
      ) : null}
      {canRetry ? (
        <Button main onClick={() => location.reload()}>
          {m.tryAgainPayment}
        </Button>
      ) : null}
      {!isFinal(status) && paymentUrl ? <PaymentLink address={paymentUrl} /> : null}
      {status === 'completed' ? null : <Button onClick={onClose}>{m.close}</Button>}
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
        <Button onClick={onClose}>{m.hide}</Button>
        <TextButton className="min-h-11 px-2" onClick={() => void cancel()}>
          {m.cancelOrder}
        </TextButton>
      </div>
      <SmallError>{error}</SmallError>
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
