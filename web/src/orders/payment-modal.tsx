import { useId } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { useMessages } from '../ui/language.tsx'
import { PaymentStatus, type PaymentStatusProps } from './payment-status.tsx'
import { useOrders } from './order-store.ts'

interface PaymentModalProps extends Omit<PaymentStatusProps, 'order' | 'titleId'> {
  /** Null when no order is being looked at. */
  orderId: string | null
  userId: string
}

/** The state of one payment, counting down while it is awaited. */
export function PaymentModal({ orderId, userId, ...rest }: PaymentModalProps) {
  const id = useId()
  const order = useOrders().find((one) => one.orderId === orderId && one.userId === userId)
  return (
    <Dialog
      open={orderId !== null}
      onClose={rest.onClose}
      labelledBy={id}
      lightDismiss={false}
      className="max-w-lg"
    >
      {order ? (
        <PaymentStatus {...rest} order={order} titleId={id} />
      ) : (
        <UnknownOrder titleId={id} onClose={rest.onClose} />
      )}
    </Dialog>
  )
}

function UnknownOrder({ titleId, onClose }: { titleId: string; onClose: () => void }) {
  const m = useMessages('dashboard')
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
