import { expect, it } from 'vitest'
import { isFinal, isOpen, orderStatuses } from '@starside/contract/order-statuses.ts'
import { type StoredOrder, reduceOrder, type OrderEvent } from './order-store.ts'

const at = '2026-11-01T10:00:00.000Z'
const answer = (status: string): OrderEvent => ({ type: 'answer', status })
const confirm: OrderEvent = { type: 'confirm', completedAt: at }

it.each<[from: string, event: OrderEvent, to: string]>([
  ['initiated', { type: 'not-found' }, 'pending'],
  ['pending', { type: 'not-found' }, 'pending'],
  ['expired', { type: 'not-found' }, 'expired'],
  ['processing', { type: 'not-found' }, 'processing'],
  ['initiated', answer('processing'), 'processing'],
  ['pending', answer('failed'), 'failed'],
  ['pending', answer('on_hold'), 'on_hold'],
  ['on_hold', answer('pending'), 'pending'],
  ['expired', answer('initiated'), 'expired'],
  ['expired', answer('pending'), 'expired'],
  ['expired', answer('processing'), 'processing'],
  ['expired', answer('cancelled'), 'cancelled'],
  ['initiated', answer('completed'), 'pending'],
  ['expired', answer('completed'), 'pending'],
  ['processing', answer('completed'), 'processing'],
  ['completed', answer('completed'), 'completed'],
  ['pending', confirm, 'completed'],
  ['processing', confirm, 'completed'],
  ['initiated', confirm, 'initiated'],
  ['failed', confirm, 'failed'],
  ['initiated', { type: 'checks-exhausted' }, 'expired'],
  ['pending', { type: 'checks-exhausted' }, 'expired'],
  ['processing', { type: 'checks-exhausted' }, 'expired'],
  ['on_hold', { type: 'checks-exhausted' }, 'on_hold'],
  ['completed', { type: 'checks-exhausted' }, 'completed'],
  ['pending', { type: 'window-closed' }, 'expired'],
  ['processing', { type: 'window-closed' }, 'processing'],
  ['initiated', { type: 'window-closed' }, 'initiated'],
])('an order that is %s, after %j, is %s', (from, event, to) => {
  const order = { status: from } as StoredOrder
  const next = reduceOrder(order, event)
  expect(next.status).toBe(to)
  if (from === to) expect(next, 'no change is the same order').toBe(order)
  expect(next.completedAt).toBe(to === 'completed' && from !== to ? at : undefined)
})

it('tells waiting, final and unknown statuses apart', () => {
  expect(orderStatuses.filter(isOpen)).toEqual(['initiated', 'pending', 'processing'])
  expect(orderStatuses.filter(isFinal)).toEqual(['completed', 'failed', 'cancelled', 'expired'])
  expect([isOpen('on_hold'), isFinal('on_hold')]).toEqual([false, false])
})
