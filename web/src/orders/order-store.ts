import { useSyncExternalStore } from 'react'
import { isRecord, readRecord } from '../api/is-record.ts'
import { fill } from '@starside/contract/fill.ts'
import { storageKeys } from '@starside/contract/api.ts'
import { paymentTimeoutMs } from '@starside/contract/limits.ts'
import type { Order } from '@starside/contract/orders.ts'
import { isOpen } from '@starside/contract/order-statuses.ts'

/** An order as this browser remembers it (specification, section 3). It grants nothing. */
export interface StoredOrder extends Pick<
  Order,
  'orderId' | 'userId' | 'amount' | 'credits' | 'paymentUrl' | 'nowpaymentsId' | 'createdAt'
> {
  packageType: string
  /** One of the contract's statuses, or one that a newer server knows. */
  status: string
  /** ISO time. */
  completedAt?: string
  /** What the server last said of a deposit that was too small. */
  underpaid?: Order['underpaid']
  receivedAmount?: Order['receivedAmount']
  metadata: { package: string; previousCredits: number; previousTotalBought: number }
}

let snapshot: { text: string | null; orders: readonly StoredOrder[] } = { text: null, orders: [] }

/** The orders that this browser remembers, kept current. */
export function useOrders(): readonly StoredOrder[] {
  return useSyncExternalStore(subscribeOrders, readOrders)
}

/** True from a completed payment on, until the page that the reload brings has told of it. */
export function isToAnnounce(): boolean {
  return localStorage.getItem(storageKeys.paymentNotice) !== null
}

/** Calls `listener` of every change of the stored orders. Gives the way to stop. */
export function subscribeOrders(listener: () => void): () => void {
  const onStorage = (event: StorageEvent): void => {
    if (event.key === storageKeys.paymentOrders || event.key === null) listener()
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}

/** All stored orders, oldest first; the same array as long as nothing changed. */
export function readOrders(): readonly StoredOrder[] {
  const text = localStorage.getItem(storageKeys.paymentOrders)
  if (text !== snapshot.text) snapshot = { text, orders: parseOrders(text) }
  return snapshot.orders
}

export function findOrder(orderId: string): StoredOrder | undefined {
  return readOrders().find((order) => order.orderId === orderId)
}

/** Adds or replaces one order. */
export function saveOrder(order: StoredOrder): void {
  writeOrders([...readOrders().filter((stored) => stored.orderId !== order.orderId), order])
}

/** Keeps what the server created, as initiated, with the balances from before. */
export function rememberOrder(order: Order, before: Omit<StoredOrder['metadata'], 'package'>) {
  const { orderId, userId, amount, credits, packageType, createdAt } = order
  const { paymentUrl, nowpaymentsId } = order
  const created = { orderId, userId, amount, credits, packageType, createdAt }
  const metadata = { package: packageType, ...before }
  saveOrder({ ...created, paymentUrl, nowpaymentsId, status: 'initiated', metadata })
}

/** Lets something happen to a stored order; true where that changed it, and so never when it is missing. */
export function applyEvent(orderId: string, event: OrderEvent): boolean {
  const order = findOrder(orderId)
  const next = order && reduceOrder(order, event)
  if (!next || next === order) return false
  saveOrder(next)
  return true
}

/** Completes a pending or processing order; a missing one and any other status is refused and logged. */
export function confirmOrder(orderId: string, completedAt: string): void {
  if (applyEvent(orderId, { type: 'confirm', completedAt })) return
  const order = findOrder(orderId)
  const reason = order ? `cannot be confirmed in status ${order.status}` : 'not found'
  console.warn(`Order ${orderId} ${reason}`)
}

/** An order's price; where a part of it was taken as enough, what came of the price, said by `text`. */
export function amountText(order: Pick<StoredOrder, 'amount' | 'receivedAmount'>, text: string) {
  const price = `$${order.amount.toFixed(2)}`
  const received = order.receivedAmount?.toFixed(2)
  return received ? fill(text, { received, price }) : price
}

/** What came of a price and what is missing, in the coin's own unit, said by `text`. */
export function partText(part: NonNullable<StoredOrder['underpaid']>, text: string): string {
  const total = coinFormat.format(Number(part.paidAmount) + Number(part.missingAmount))
  return fill(text, { ...part, payUrl: '', total })
}
const coinFormat = new Intl.NumberFormat('en', { maximumSignificantDigits: 12, useGrouping: false })

/** Milliseconds until an order's payment window closes; 0 when it is closed. */
export function timeLeftMs(order: StoredOrder, nowMs: number): number {
  return Math.max(0, Date.parse(order.createdAt) + paymentTimeoutMs - nowMs)
}

/** Marks every order expired that has been pending for longer than 30 minutes. */
export function expireOldOrders(nowMs: number): void {
  for (const order of readOrders()) {
    if (timeLeftMs(order, nowMs) === 0) applyEvent(order.orderId, { type: 'window-closed' })
  }
}

/** Forgets all orders of a user, as when the account is deleted. */
export function forgetOrdersOf(userId: string): void {
  writeOrders(readOrders().filter((order) => order.userId !== userId))
}

function writeOrders(orders: readonly StoredOrder[]): void {
  const map = Object.fromEntries(orders.map((order) => [order.orderId, order]))
  localStorage.setItem(storageKeys.paymentOrders, JSON.stringify(map))
  // The browser tells it to other tabs alone.
  dispatchEvent(new StorageEvent('storage', { key: storageKeys.paymentOrders }))
}

function parseOrders(text: string | null): readonly StoredOrder[] {
  return Object.values(readRecord(text))
    .filter(isStoredOrder)
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
}

function isStoredOrder(value: unknown): value is StoredOrder {
  const names: readonly (keyof StoredOrder)[] = ['orderId', 'userId', 'createdAt', 'status']
  return isRecord(value) && names.every((name) => typeof value[name] === 'string')
}

/** What happens to an order that this browser remembers. */
export type OrderEvent =
  /** The server does not know the order, or could not be asked. */
  | { type: 'not-found' }
  /** The server's own status, which may be one that this version does not know. */
  | { type: 'answer'; status: string }
  /** The payment came through: allowed only while it is pending or processing. */
  | { type: 'confirm'; completedAt: string }
  /** The last of the allowed questions was asked. */
  | { type: 'checks-exhausted' }
  /** The countdown has reached zero. */
  | { type: 'window-closed' }

/** True where the whole price has come, and only the credits are awaited. */
export function isPaid({ status, underpaid }: StoredOrder): boolean {
  return status === 'received' || (status === 'processing' && !underpaid)
}

/** The transitions of the specification's section 4, 'Order statuses'; the same order for no change. */
export function reduceOrder(order: StoredOrder, event: OrderEvent): StoredOrder {
  const { status } = order
  const become = (next: string): StoredOrder =>
    next === status ? order : { ...order, status: next }
  switch (event.type) {
    case 'not-found':
      return status === 'initiated' ? become('pending') : order
    case 'checks-exhausted':
      return isOpen(status) ? become('expired') : order
    case 'window-closed':
      return status === 'pending' ? become('expired') : order
    case 'answer':
      // The window has closed on the screen; only a payment that came late changes that.
      if (status === 'expired' && ['initiated', 'pending'].includes(event.status)) return order
      if (event.status !== 'completed' || status === 'completed') return become(event.status)
      // A payment may be the first thing heard of, or come after the window closed.
      return canConfirm(status) ? order : become('pending')
    case 'confirm':
      if (!canConfirm(status)) return order
      return { ...order, status: 'completed', completedAt: event.completedAt }
  }
}

function canConfirm(status: string): boolean {
  return status === 'pending' || status === 'processing'
}
