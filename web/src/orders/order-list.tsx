import { useQuery } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { useAuth } from '../auth/auth-context.ts'
import { usePublicSettings } from '../api/use-public-settings.ts'
import { Button } from '../ui/button.tsx'
import { dateTimeText, useLanguage, useMessages } from '../ui/language.tsx'
import { QueryState } from '../ui/query-state.tsx'
import { amountText } from './order-store.ts'
import { OrderRows, PaymentDetails, Row, statusTexts } from './payment-modal.tsx'
import { usePackageTitle } from './use-package-title.ts'

/** All orders of the user, newest first. What one unfolds is its receipt, alone on the sheet in print (`dashboard.css`). */
export function OrderList() {
  const m = useMessages('dashboard')
  const { language } = useLanguage()
  const { user } = useAuth()
  const settings = usePublicSettings()
  const query = useQuery({
    queryKey: ['orders'],
    queryFn: ({ signal }) => call('GET /api/orders', { signal }),
    // What was ordered or cancelled a moment ago stands in it too.
    staleTime: 0,
  })
  const { name = '', address } = settings?.operator ?? {}
  const seller = [name || settings?.brand.name, address, settings?.contactEmail].filter(Boolean)
  const titleOf = usePackageTitle()
  const orders = query.data?.items.map((order) =>
    order.refundedAt === null ? order : { ...order, status: 'refunded' },
  )
  return (
    <>
      <QueryState query={query} loading={m.ordersLoading} failed={m.ordersFailed} />
      {orders?.length === 0 ? <p className="text-grey">{m.ordersEmpty}</p> : null}
      {orders?.map((order) => (
        <details key={order.orderId} name="receipt" className="receipt border-b border-line">
          <summary className="min-h-11 cursor-pointer py-2">
            <span className="font-semibold">
              {titleOf(order.packageType)}, {amountText(order, m.partAmount)}
            </span>
            <span className="block text-[0.95rem] text-grey">
              {dateTimeText(order.completedAt ?? order.createdAt, language)},{' '}
              {statusTexts(order, m).word}
            </span>
          </summary>
          {order.testMoney ? <p>{m.testMoneyText}</p> : null}
          <PaymentDetails order={order} leftMs={null}>
            <OrderRows order={order} />
            {order.payments.map(({ paymentId, amount, currency, arrivedAt }) => (
              <Row key={paymentId} term={m.receiptPayment}>
                {amount} {currency}, {dateTimeText(arrivedAt, language)}, {paymentId}
              </Row>
            ))}
            <Row term={m.receiptBuyer}>{[user?.username, user?.email].join(', ')}</Row>
            <Row term={m.receiptSeller}>
              <span className="whitespace-pre-line">{seller.join('\n')}</span>
            </Row>
          </PaymentDetails>
          {order.paymentUrl && statusTexts(order, m) === m.partPaid ? (
            <a className="button my-4" href={order.paymentUrl} target="_blank" rel="noreferrer">
              {m.payTheRest}
            </a>
          ) : null}
          {order.completedAt === null ? null : (
            <Button className="my-4 print:hidden" onClick={() => print()}>
              {m.printReceipt}
            </Button>
          )}
        </details>
      ))}
    </>
  )
}
