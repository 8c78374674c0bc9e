import { orderStatuses } from '@starside/contract/order-statuses.ts'
import type { Order, PastOrder } from '@starside/contract/orders.ts'
import { cleanup } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import * as publicSettings from '../api/public-settings.ts'
import { testSettings } from '../api/testing/test-settings.ts'
import { DashboardPage } from '../app/dashboard-page.tsx'
import { show } from '../auth/testing/show.tsx'
import { testProfile } from '../auth/testing/test-auth.ts'
import { creditStatusOf } from '../credits/credit-status.ts'
import { outline } from '../ui/testing/outline.ts'
import {
  answerRequests,
  happened,
  noted,
  pressEach,
  settle,
  stopTime,
} from '../ui/testing/press-each.ts'
import { catchUpOrders } from './use-payments.ts'
import {
  findOrder,
  forgetOrdersOf,
  readOrders,
  saveOrder,
  type StoredOrder,
} from './order-store.ts'
import { PackageOffers } from './package-offers.tsx'
import { PaymentModal } from './payment-modal.tsx'
import { PurchasePanel } from './purchase-panel.tsx'
import { partPaid, testAnswer, testOrder } from './testing/test-order.ts'

const nowMs = Date.parse('2026-11-22T12:00:00Z')
beforeEach(() => {
  stopTime(nowMs)
  vi.spyOn(publicSettings, 'loadPublicSettings').mockResolvedValue(testSettings)
  vi.spyOn(console, 'warn').mockReturnValue()
  vi.spyOn(window, 'open').mockImplementation(() => {
    happened.push('opens a tab')
    return { opener: 'page', close: noted('closes the tab'), location: {} } as unknown as Window
  })
  happened.length = 0
  answerRequests()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
})

async function open(part: React.ReactNode, user = testProfile): Promise<void> {
  cleanup()
  await show(part, { auth: { user, updateUser: noted('user') } })
  await settle()
}

const order: StoredOrder = { ...testOrder, createdAt: '2026-11-22T11:45:00Z' }
const underpaid = {
  paidAmount: '0.3',
  missingAmount: '0.5',
  currency: 'BTC',
  payUrl: '/pay',
  worthCredits: 20,
}

it.each([...orderStatuses, 'unheard'])(
  'a payment that is %s, and each control of it',
  async (status) => {
    const openIt = async (): Promise<void> => {
      const isUnderpaid = status === 'processing' || status === 'completed'
      saveOrder({ ...order, status, ...(isUnderpaid ? { underpaid } : {}) })
      await open(
        <PaymentModal
          orderId={order.orderId}
          userId={order.userId}
          settings={
            status === 'pending'
              ? { contactEmail: '', testMoney: true }
              : { contactEmail: 'help@example.test', testMoney: false }
          }
          onClose={noted('close')}
        />,
      )
    }
    await openIt()
    expect(outline()).toMatchSnapshot()
    const isSafe = (control: Element): boolean => control.textContent !== 'Try Again'
    expect(await pressEach(openIt, isSafe)).toMatchSnapshot()
  },
)

it.each([
  ['a free user', false],
  ['a premium user', true],
])('the packages for %s, and each control of them', async (_who, premium) => {
  const part = (): React.ReactNode => (
    <>
      <PackageOffers
        settings={testSettings}
        premium={premium}
        onPurchase={async (type) => noted('buy')(type)}
      />
      <PurchasePanel
        settings={{ ...testSettings, testMoney: false }}
        premium={premium}
        creditsBalance={premium ? 3 : null}
        onPurchase={async (type) => noted('buy')(type)}
      />
    </>
  )
  await open(part())
  expect(outline()).toMatchSnapshot()
  expect(await pressEach(() => open(part()))).toMatchSnapshot()
})

it.each([
  ['nothing', {}, [], [false, false, null]],
  ['one credit', { creditsBalance: 1 }, [], [true, false, null]],
  ['no credit', { creditsBalance: 0 }, [], [false, false, null]],
  ['a purchase of before', { totalCreditsEverBought: 1 }, [], [false, true, null]],
  ['an open order', {}, [{ status: 'pending' }], [false, false, null]],
  [
    'a completed order',
    {},
    [
      { status: 'completed', completedAt: '2' },
      { status: 'completed', completedAt: '1' },
    ],
    [false, true, '1'],
  ],
  [
    'an order of somebody else',
    {},
    [{ status: 'completed', completedAt: '1', userId: 'u2' }],
    [false, false, null],
  ],
])('somebody with %s', (_with, user, orders, expected) => {
  const { userId, email, username } = testProfile
  const status = creditStatusOf(
    { userId, email, username, ...user },
    orders.map((change) => ({ ...order, ...change })),
  )
  expect([status.canGenerate, status.isPremiumUser, status.purchaseDate]).toEqual(expected)
  expect(status.canRemoveWatermark).toBe(status.isPremiumUser)
})

const known: PastOrder = {
  ...testAnswer,
  createdAt: order.createdAt,
}

it.each<[stored: string | null, status: Order['status'], becomes: string | undefined]>([
  [null, 'completed', 'completed'],
  [null, 'pending', 'pending'],
  [null, 'processing', 'processing'],
  [null, 'expired', undefined],
  ['pending', 'completed', 'pending'],
  ['expired', 'completed', 'pending'],
  ['failed', 'completed', 'pending'],
  ['completed', 'completed', 'completed'],
  ['pending', 'cancelled', 'cancelled'],
  ['pending', 'processing', 'processing'],
])(
  'an order stored as %s that the server has as %s becomes %s',
  async (stored, status, becomes) => {
    if (stored !== null) saveOrder({ ...order, status: stored })
    const items = [{ ...known, status, completedAt: '2026-11-22T11:50:00Z' }]
    answerRequests({ 'GET /api/orders': { success: true, items } })
    const { signal } = new AbortController()
    await catchUpOrders('u1', signal)
    expect(findOrder(order.orderId)?.status).toBe(becomes)
    if (stored === null && becomes) expect(findOrder(order.orderId)).toMatchSnapshot()
  },
)

it('what is missing of an order’s price is known here once the server knows it, and no more once it has come', async () => {
  saveOrder({ ...order, status: 'pending' })
  const { signal } = new AbortController()
  const learn = async (change: Partial<PastOrder>) => {
    const items = [{ ...known, ...change }]
    answerRequests({ 'GET /api/orders': { success: true, items } })
    await catchUpOrders('u1', signal)
    return findOrder(order.orderId)?.underpaid
  }
  expect(await learn({ underpaid: partPaid })).toEqual(partPaid)
  expect(await learn({ underpaid: null })).toBeNull()
})

it('orders of somebody else stay out, orders that cannot be asked for stay as they are, and go with their account', async () => {
  const { signal } = new AbortController()
  const items = [{ ...known, status: 'completed' as const, userId: 'u2' }]
  answerRequests({ 'GET /api/orders': { success: true, items } })
  await catchUpOrders('u1', signal)
  expect(readOrders()).toEqual([])
  saveOrder(order)
  saveOrder({ ...order, orderId: 'other', userId: 'u2' })
  answerRequests({ 'GET /api/orders': 500 })
  await catchUpOrders('u1', signal)
  expect(readOrders()).toHaveLength(2)
  forgetOrdersOf('u1')
  expect(readOrders().map(({ userId }) => userId)).toEqual(['u2'])
  expect(Object.keys(localStorage)).toEqual(['payment_orders'])
})

it.each([
  ['at the start', '/dashboard', testProfile, null],
  ['with an order', '/dashboard', testProfile, 'pending'],
  ['coming back from a payment', `/dashboard?order=${order.orderId}`, testProfile, 'processing'],
  ['for the gallery', '/gallery', testProfile, null],
  ['for the account', '/dashboard?view=account', testProfile, null],
  [
    'with new terms and what is owed',
    '/dashboard',
    { ...testProfile, creditsOwed: 2, termsToAccept: '2' },
    null,
  ],
])('the dashboard %s', async (_how, address, user, status) => {
  if (status !== null) saveOrder({ ...order, status })
  answerRequests({ 'GET /api/orders': { success: true, items: [] } })
  history.replaceState(null, '', address)
  await open(<DashboardPage />, user)
  await settle()
  await settle()
  expect([outline(), happened]).toMatchSnapshot()
})
