import { isRecord, readRecord } from '../api/is-record.ts'
import { useCallback, useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { storageKeys } from '@starside/contract/api.ts'
import { reloadAfterPaymentMs } from '@starside/contract/limits.ts'
import { isFinal, isOpen } from '@starside/contract/order-statuses.ts'
import type { Order } from '@starside/contract/orders.ts'
import type { ClientUser } from '../auth/auth-context.ts'
import { useAlert } from '../ui/alerts.tsx'
import { formatMessage } from '@starside/contract/fill.ts'
import { useErrorSentence, useLanguage, useMessages } from '../ui/language.tsx'
import { applyAnswer, monitorOrder, stopMonitoring } from './monitor-order.ts'
import { applyEvent, expireOldOrders, findOrder } from './order-store.ts'
import { readOrders, rememberOrder, saveOrder } from './order-store.ts'
import { ApiError, call, newIdempotencyKey } from '../api/call.ts'
import { loadPublicSettings } from '../api/public-settings.ts'

/** Starts purchases, watches open orders, and announces a payment that came through, with `bought`. */
export function usePayments(user: ClientUser, bought: (orderId: string) => ReactNode) {
  const { language } = useLanguage()
  const m = useMessages('dashboard')
  const alert = useAlert()
  const sentenceOf = useErrorSentence()
  const { userId } = user
  const [shownOrderId, setShownOrderId] = useState<string | null>(null)
  /** The package of another order, while one is shown of which a part is paid. */
  const [askedType, setAskedType] = useState<string | null>(null)

  const announceSuccess = useEffectEvent((notice: Pick<Order, 'credits' | 'orderId'>) =>
    alert(formatMessage(m.paymentSuccessful, notice, language), 'success', {
      heading: m.thanksForPurchase,
      content: bought(notice.orderId),
      button: m.startUsingPremium,
    }),
  )
  // Seen also where the order's dialog was hidden, or another's is open.
  const showEnd = useCallback((order: Order): void => {
    setShownOrderId(order.orderId)
    activatePrivileges(order)
  }, [])
  const begin = async (type: string, tab = openTab()): Promise<void> => {
    setAskedType(null)
    try {
      const order = await createOrder(type)
      rememberOrder(order, {
        previousCredits: user.creditsBalance ?? 0,
        previousTotalBought: user.totalCreditsEverBought ?? 0,
      })
      setShownOrderId(order.orderId)
      monitorOrder(order.orderId, userId, showEnd)
      if (!order.paymentUrl) throw new Error('The order has no payment page')
      if (tab) tab.location.href = order.paymentUrl
    } catch (error) {
      console.warn(error)
      tab?.close()
      const hasNewPrice = error instanceof ApiError && error.code === 'price_changed'
      alert(hasNewPrice ? sentenceOf(error, m.purchaseFailed) : m.purchaseFailed, 'failure')
    }
  }
  /** Begins an order; before that it shows one of which a part is paid, and waits for `another`. */
  const purchase = async (type: string, tab?: null): Promise<void> => {
    const part = readOrders().findLast(
      ({ userId: of, status, underpaid }) => of === userId && isOpen(status) && underpaid,
    )
    if (!part) return begin(type, tab)
    setAskedType(type)
    setShownOrderId(part.orderId)
  }
  // No press is left by which browsers would open a tab: the order's dialog leads on.
  const repeat = useEffectEvent(() => {
    const type = isRecord(history.state) && history.state[purchaseAgain]
    if (typeof type !== 'string') return
    history.replaceState(null, '')
    void purchase(type, null)
  })
  // What earlier visits left: a purchase to announce, old orders to expire, open ones to watch.
  useEffect(() => {
    const notice = takeNotice()
    if (notice) announceSuccess(notice)
    const controller = new AbortController()
    void catchUpOrders(userId, controller.signal).then(() => {
      if (controller.signal.aborted) return
      expireOldOrders(Date.now())
      for (const order of readOrders()) {
        if (order.userId === userId && !isFinal(order.status)) {
          monitorOrder(order.orderId, userId, showEnd)
        }
      }
      const returned = new URLSearchParams(location.search).get('order')
      // Who has just read of the success need not see it once more below.
      if (returned && notice === null) setShownOrderId(returned)
      repeat()
    })
    return () => {
      controller.abort()
      stopMonitoring()
    }
  }, [userId, showEnd])
  const showOrder = (orderId: string | null): void => {
    setAskedType(null)
    setShownOrderId(orderId)
  }
  const another = askedType === null ? undefined : () => void begin(askedType)
  return { purchase, another, shownOrderId, showOrder }
}

/** In the browser's history: of which package the page begins an order once it is loaded. */
export const purchaseAgain = 'purchaseAgain'

/** At once: browsers allow it straight from a click only. */
function openTab(): Window | null {
  const tab = window.open('', '_blank')
  if (tab) tab.opener = null
  return tab
}

/** Tells `window` of a completed order and reloads after 2 s; the page that comes then says what was bought. */
export function activatePrivileges(order: Order): void {
  if (order.status !== 'completed') return
  const { credits, orderId } = order
  localStorage.setItem(storageKeys.paymentNotice, JSON.stringify({ credits, orderId }))
  dispatchEvent(new CustomEvent('privileges-activated', { detail: { orderId } }))
  setTimeout(() => location.reload(), reloadAfterPaymentMs)
}

/** The purchase that is still to be announced, once; null when there is none. */
function takeNotice(): Pick<Order, 'credits' | 'orderId'> | null {
  const { credits, orderId } = readRecord(localStorage.getItem(storageKeys.paymentNotice))
  localStorage.removeItem(storageKeys.paymentNotice)
  return typeof credits === 'number' ? { credits, orderId: String(orderId) } : null
}

/** Brings the stored orders in step with the server's list, which knows other devices' orders too. */
export async function catchUpOrders(userId: string, signal: AbortSignal): Promise<void> {
  const { items } = await call('GET /api/orders', { signal }).catch(() => ({ items: [] }))
  for (const order of items) {
    const { orderId, status, credits, underpaid, receivedAmount } = order
    const stored = findOrder(orderId)
    if (stored) {
      saveOrder({ ...stored, credits, underpaid, receivedAmount })
      // Paid after its window had closed here: it waits again, so that it is announced.
      applyEvent(orderId, { type: 'answer', status })
    } else if (order.userId === userId && (status === 'completed' || isOpen(status))) {
      rememberOrder(order, { previousCredits: 0, previousTotalBought: 0 })
      applyAnswer(orderId, order)
    }
  }
}

/** An order with its payment page. Throws 'Invalid package type: {type}' and `ApiError`. */
export async function createOrder(packageType: string): Promise<Order> {
  const { packages } = await loadPublicSettings()
  const offered = packages.find(({ type }) => type === packageType)
  if (!offered) throw new Error(`Invalid package type: ${packageType}`)
  const body = { packageType, priceCents: offered.priceCents }
  const { data } = await call('POST /api/orders', { body, idempotencyKey: newIdempotencyKey() })
  return data
}
