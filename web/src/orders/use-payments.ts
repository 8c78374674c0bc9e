import { useCallback, useEffect, useRef, useState } from 'react'
import { storageKeys } from '@starside/contract/api.ts'
import { reloadAfterPaymentMs } from '@starside/contract/limits.ts'
import type { Order, OrderListAnswer } from '@starside/contract/orders.ts'
import type { PackageType } from '@starside/contract/packages.ts'
import type { ClientUser } from '../auth/auth-state.ts'
import { call } from '../api/call.ts'
import { useAlert } from '../ui/alerts.tsx'
import { fill } from '../ui/fill.ts'
import { useMessages } from '../ui/language.tsx'
import { monitorOrder } from './monitor-order.ts'
import {
  expireOldOrders,
  findOrder,
  isOpen,
  readOrders,
  rememberOrder,
  saveOrder,
  setOrderStatus,
} from './order-store.ts'
import { createOrder, openPaymentTab } from './start-purchase.ts'

/** Name of the event on `window` by which the page learns that a purchase took effect. */
export const privilegesActivatedEvent = 'privileges-activated'

/** Starts purchases, watches open orders, and announces a payment that came through. */
export function usePayments(user: ClientUser) {
  const m = useMessages('dashboard')
  const alert = useAlert()
  const [shownOrderId, setShownOrderId] = useState<string | null>(null)
  const [serverOrders, setServerOrders] = useState<readonly Order[]>([])
  const { userId } = user
  const latest = useRef({ m, alert })
  useEffect(() => {
    latest.current = { m, alert }
  })

  const watch = useCallback(
    (orderId: string) =>
      monitorOrder(orderId, userId, (order) => activatePrivileges(order, latest.current)),
    [userId],
  )

  // What earlier visits left: a notice to show, old orders to expire, open ones to watch.
  useEffect(() => {
    const notice = localStorage.getItem(storageKeys.paymentNotice)
    if (notice) {
      localStorage.removeItem(storageKeys.paymentNotice)
      latest.current.alert(notice)
    }
    const stops: (() => void)[] = []
    const controller = new AbortController()
    void catchUp(userId, controller.signal).then((orders) => {
      if (controller.signal.aborted) return
      setServerOrders(orders)
      expireOldOrders(Date.now())
      for (const order of readOrders()) {
        if (order.userId === userId && isOpen(order.status)) stops.push(watch(order.orderId))
      }
      const returned = new URLSearchParams(location.search).get('order')
      if (returned) setShownOrderId(returned)
    })
    return () => {
      controller.abort()
      for (const stop of stops) stop()
    }
  }, [userId, watch])

  const purchase = async (type: PackageType): Promise<void> => {
    const tab = openPaymentTab()
    try {
      const order = await createOrder(type)
      rememberOrder(order, {
        credits: user.creditsBalance ?? 0,
        totalBought: user.totalCreditsEverBought ?? 0,
      })
      setShownOrderId(order.orderId)
      watch(order.orderId)
      if (!order.paymentUrl) throw new Error('The order has no payment page')
      if (tab) tab.location.href = order.paymentUrl
    } catch (error) {
      console.warn(error)
      tab?.close()
      alert(m.purchaseFailed)
    }
  }
  return { purchase, shownOrderId, showOrder: setShownOrderId, serverOrders }
}

/** Brings the stored orders in step with the server's list, which also knows other devices' orders. */
async function catchUp(userId: string, signal: AbortSignal): Promise<readonly Order[]> {
  try {
    const { items } = await call<OrderListAnswer>('/orders', { signal })
    for (const order of items) {
      const stored = findOrder(order.orderId)
      if (stored) {
        if (
          order.status === 'completed' &&
          stored.status !== 'completed' &&
          !isOpen(stored.status)
        ) {
          // Paid after its window had closed here: still credited, so still told.
          setOrderStatus(order.orderId, 'pending')
        } else if (!isOpen(order.status) && order.status !== 'completed') {
          setOrderStatus(order.orderId, order.status)
        }
      } else if (order.userId === userId && order.status === 'completed') {
        saveOrder({
          ...rememberOrder(order, { credits: 0, totalBought: 0 }),
          status: 'completed',
          ...(order.completedAt ? { completedAt: order.completedAt } : {}),
        })
      }
    }
    return items
  } catch {
    return []
  }
}

/** Refused unless the order is completed: says so, fires the event, and reloads after 2 seconds. */
function activatePrivileges(
  order: Order,
  page: { m: { paymentSuccessful: string }; alert: (text: string) => void },
): void {
  if (order.status !== 'completed') return
  const notice = fill(page.m.paymentSuccessful, { credits: order.credits })
  localStorage.setItem(storageKeys.paymentNotice, notice)
  dispatchEvent(new CustomEvent(privilegesActivatedEvent, { detail: { orderId: order.orderId } }))
  page.alert(notice)
  setTimeout(() => location.reload(), reloadAfterPaymentMs)
}
