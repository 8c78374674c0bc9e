import { beforeEach, expect, it, vi } from 'vitest'
import { storageKeys } from '@starside/contract/api.ts'
import { orderStatuses } from '@starside/contract/order-statuses.ts'
import {
  applyEvent,
  confirmOrder,
  expireOldOrders,
  findOrder,
  partText,
  readOrders,
  saveOrder,
  subscribeOrders,
  timeLeftMs,
  type StoredOrder,
} from './order-store.ts'
import { partPaid, testOrder } from './testing/test-order.ts'

const createdAt = '2026-11-01T10:00:00.000Z'
const minute = 60_000
const start = Date.parse(createdAt)

function someOrder(change: Partial<StoredOrder> = {}): StoredOrder {
  return { ...testOrder, status: 'initiated', createdAt, ...change }
}

beforeEach(() => {
  localStorage.clear()
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})

it('keeps orders as a map by their id', () => {
  saveOrder(someOrder())
  const stored: unknown = JSON.parse(localStorage.getItem(storageKeys.paymentOrders) ?? '')
  expect(stored).toEqual({ order_m1abc_x7k2p9: someOrder() })
})

it('gives the oldest first, whichever was kept last', () => {
  const orders = ['10', '09', '11'].map((hour) =>
    someOrder({ orderId: hour, createdAt: `2026-11-01T${hour}:00:00.000Z` }),
  )
  orders.forEach(saveOrder)
  expect(readOrders().map(({ orderId }) => orderId)).toEqual(['09', '10', '11'])
})

it('gives the same list until something changes', () => {
  saveOrder(someOrder())
  const before = readOrders()
  expect(readOrders()).toBe(before)
  applyEvent('order_m1abc_x7k2p9', { type: 'answer', status: 'pending' })
  expect(readOrders()).not.toBe(before)
})

it('tells its listeners of changes only', () => {
  const listener = vi.fn()
  saveOrder(someOrder())
  const stop = subscribeOrders(listener)
  applyEvent('order_m1abc_x7k2p9', { type: 'answer', status: 'initiated' })
  expect(listener).not.toHaveBeenCalled()
  applyEvent('order_m1abc_x7k2p9', { type: 'answer', status: 'pending' })
  expect(listener).toHaveBeenCalledTimes(1)
  stop()
})

it.each(orderStatuses)('confirms an order that is %s only when it is awaited', (status) => {
  saveOrder(someOrder({ status }))
  const allowed = status === 'pending' || status === 'processing'
  confirmOrder('order_m1abc_x7k2p9', createdAt)
  expect(findOrder('order_m1abc_x7k2p9')?.status).toBe(allowed ? 'completed' : status)
})

it('refuses to confirm what it does not know', () => {
  confirmOrder('order_none', createdAt)
  expect(console.warn).toHaveBeenCalledWith('Order order_none not found')
})

it('expires what has been pending for 30 minutes, and nothing else', () => {
  saveOrder(someOrder({ orderId: 'a', status: 'pending' }))
  saveOrder(someOrder({ orderId: 'b', status: 'processing' }))
  expireOldOrders(start + 30 * minute - 1)
  expect(findOrder('a')?.status).toBe('pending')
  expireOldOrders(start + 30 * minute)
  expect(findOrder('a')?.status).toBe('expired')
  expect(findOrder('b')?.status).toBe('processing')
})

it('counts the time that is left down to nothing', () => {
  expect(timeLeftMs(someOrder(), start + minute)).toBe(29 * minute)
  expect(timeLeftMs(someOrder(), start + 99 * minute)).toBe(0)
})

it('lives with a spoilt store', () => {
  localStorage.setItem(storageKeys.paymentOrders, '{"a":{"orderId":"a"},"b":7')
  expect(readOrders()).toEqual([])
  localStorage.setItem(storageKeys.paymentOrders, '{"a":{"orderId":"a"},"b":7}')
  expect(readOrders()).toEqual([])
})

it('tells of each change that another tab makes to the orders, and of a cleared store, until it is stopped', () => {
  const listener = vi.fn()
  const stop = subscribeOrders(listener)
  const keys = [storageKeys.paymentOrders, null, storageKeys.paymentNotice]
  const heard = keys.map((key) => {
    dispatchEvent(new StorageEvent('storage', { key }))
    return listener.mock.calls.length
  })
  expect(heard).toEqual([1, 2, 2])
  stop()
  dispatchEvent(new StorageEvent('storage', { key: null }))
  expect(listener).toHaveBeenCalledTimes(2)
})

it.each([
  ['6', '4', '6 of 10'],
  ['0.1', '0.2', '0.1 of 0.3'],
  ['0.00000003', '0.00000004', '0.00000003 of 0.00000007'],
  ['1200.5', '0.5', '1200.5 of 1201'],
])(
  'of a price of which %s came and %s is missing, all is said',
  (paidAmount, missingAmount, said) => {
    const part = { ...partPaid, paidAmount, missingAmount }
    expect(partText(part, '{paidAmount} of {total}')).toBe(said)
  },
)
