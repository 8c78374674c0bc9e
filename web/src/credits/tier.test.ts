import { expect, it } from 'vitest'
import type { StoredOrder } from '../orders/order-store.ts'
import { testOrder } from '../orders/testing/test-order.ts'
import { creditStatusOf } from './credit-status.ts'

const user = { userId: 'u1', email: 'a@b.c', username: 'ada' }
const order: StoredOrder = {
  ...testOrder,
  status: 'completed',
  createdAt: '2026-11-01T10:00:00.000Z',
  completedAt: '2026-11-01T10:05:00.000Z',
}

it('is free and cannot generate before anything is known', () => {
  expect(creditStatusOf(user, [])).toEqual({
    canGenerate: false,
    creditsBalance: null,
    canRemoveWatermark: false,
    isPremiumUser: false,
    purchaseDate: null,
    totalCreditsEverBought: 0,
  })
})

it('is premium once credits were bought', () => {
  const status = creditStatusOf({ ...user, creditsBalance: 3, totalCreditsEverBought: 100 }, [])
  expect(status).toMatchObject({ canGenerate: true, isPremiumUser: true, canRemoveWatermark: true })
})

it('counts a completed order of the user\u2019s own as bought', () => {
  expect(creditStatusOf(user, [order])).toMatchObject({
    isPremiumUser: true,
    purchaseDate: '2026-11-01T10:05:00.000Z',
  })
  expect(creditStatusOf(user, [{ ...order, userId: 'u2' }]).isPremiumUser).toBe(false)
  expect(creditStatusOf(user, [{ ...order, status: 'pending' }]).isPremiumUser).toBe(false)
})

it.each([
  [0, false],
  [1, true],
])('with %d credits a selfie can be made: %s', (creditsBalance, expected) => {
  expect(creditStatusOf({ ...user, creditsBalance }, []).canGenerate).toBe(expected)
})

it('knows the first of several purchases, in whichever order they are kept', () => {
  const later = { ...order, orderId: 'order_2', completedAt: '2026-11-05T10:05:00.000Z' }
  const others = { ...order, userId: 'u2', completedAt: '2026-10-01T10:05:00.000Z' }
  for (const orders of [
    [later, order, others],
    [others, order, later],
  ]) {
    expect(creditStatusOf(user, orders).purchaseDate).toBe('2026-11-01T10:05:00.000Z')
  }
})
