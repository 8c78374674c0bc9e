import { QueryClient } from '@tanstack/react-query'
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { PastOrder } from '@starside/contract/orders.ts'
import * as publicSettings from '../api/public-settings.ts'
import { holdQuestions, type HeldQuestion } from '../api/testing/test-answers.ts'
import { testSettings } from '../api/testing/test-settings.ts'
import { settle, show } from '../auth/testing/show.tsx'
import { testProfile } from '../auth/testing/test-auth.ts'
import { OrderList } from './order-list.tsx'
import { basic } from './testing/test-packages.ts'
import { partPaid, testAnswer } from './testing/test-order.ts'

let questions: HeldQuestion[]
beforeEach(() => {
  questions = holdQuestions()
  vi.spyOn(publicSettings, 'loadPublicSettings').mockResolvedValue({
    ...testSettings,
    packages: [basic],
    operator: { name: 'Glitter Ltd', address: '1 Way\nTown' },
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const paid: PastOrder = {
  ...testAnswer,
  status: 'completed',
  createdAt: '2026-11-20T12:00:00Z',
  completedAt: '2026-11-21T12:00:00Z',
  payments: [
    {
      paymentId: '5077',
      amount: '6',
      currency: 'USDC (Polygon)',
      arrivedAt: '2026-11-21T11:40:00Z',
    },
    { paymentId: '5078', amount: '4', currency: 'XYZ', arrivedAt: '2026-11-21T11:50:00Z' },
  ],
}
const answer = async (items: readonly PastOrder[]) => {
  await show(<OrderList />)
  await questions[0]?.answer({ success: true, items })
  await settle()
}
const entries = () => [...document.querySelectorAll('details')]
const receipt = () => entries()[0]?.querySelector('dl')?.textContent

it('tells that orders are loaded, that there are none, or that they can’t be had', async () => {
  const { unmount } = await show(<OrderList />)
  expect(screen.getByRole('status').textContent).toBe('Loading your orders...')
  await questions[0]?.fail()
  await settle()
  expect(screen.getByRole('alert').textContent).toContain('could not be loaded')
  unmount()
  questions.length = 0
  await answer([])
  expect(screen.getByText('No orders yet. What you buy appears here.')).toBeTruthy()
})

it('each order tells its package, price, day and state', async () => {
  const open: PastOrder = { ...paid, orderId: 'order_2', status: 'pending', completedAt: null }
  await answer([paid, { ...open, packageType: 'gone' }])
  const [first, second] = entries().map((one) => one.querySelector('summary')?.textContent)
  expect(first).toMatch(/^Basic, \$10\.00Nov 21, 2026.*, paid$/)
  expect(screen.queryByText(/^No orders yet/)).toBeNull()
  expect(second, 'a package that is no longer sold').toMatch(/^gone, .*, waiting for payment$/)
  expect(screen.getAllByText('Print or save'), 'of what was paid alone').toHaveLength(1)
})

it('an order that was cancelled a moment ago is listed with its state, though the list was asked for before', async () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } })
  queryClient.setQueryData(['orders'], { success: true, items: [] })
  await show(<OrderList />, { queryClient })
  const cancelled = { ...paid, status: 'cancelled', completedAt: null, payments: [] }
  await questions[0]?.answer({ success: true, items: [cancelled] })
  await settle()
  expect(entries()[0]?.querySelector('summary')?.textContent).toMatch(/^Basic, .*, cancelled$/)
})

it('an order that a part was taken of is listed with what came, of which price', async () => {
  await answer([{ ...paid, receivedAmount: 6, credits: 60 }])
  const summary = entries()[0]?.querySelector('summary')?.textContent
  expect(summary).toMatch(/^Basic, \$6\.00 of \$10\.00Nov/)
  expect(receipt()).toContain('Amount$6.00 of $10.00Credits60')
})

it('an order of which a part was paid says so, and leads to paying the rest; one that is paid does not', async () => {
  const open = { ...paid, status: 'processing', completedAt: null, underpaid: partPaid } as const
  await answer([open, { ...paid, orderId: 'order_m1abc_paid01', underpaid: partPaid }])
  expect(screen.queryByText(/^No orders yet/)).toBeNull()
  expect(entries()[0]?.querySelector('summary')?.textContent).toMatch(/, partly paid$/)
  expect(receipt()).toContain('Statuspartly paid')
  expect(screen.getByText('Pay the rest').getAttribute('href')).toBe(paid.paymentUrl)
})

it('a receipt names the order, each payment with its time, the buyer and who sold it; it can be printed', async () => {
  const print = vi.fn()
  vi.stubGlobal('print', print)
  await answer([paid])
  for (const part of ['$10.00', '100', paid.orderId, 'PackageBasic']) {
    expect(receipt()).toContain(part)
  }
  expect(receipt(), 'a coin with its network').toMatch(/6 USDC \(Polygon\), Nov 21, 2026, .*, 5077/)
  expect(receipt(), 'or by its code').toMatch(/4 XYZ, Nov 21, 2026, .*, 5078/)
  expect(receipt()).toContain(`Buyer${testProfile.username}, ${testProfile.email}`)
  expect(receipt()).toContain('Glitter Ltd\n1 Way\nTown\nhello@selfie.example')
  await act(async () => void fireEvent.click(screen.getByText('Print or save')))
  expect(print).toHaveBeenCalledOnce()
})

it('what was paid in test money, or went back, says so', async () => {
  await answer([{ ...paid, testMoney: true, refundedAt: '2026-11-22T12:00:00Z' }])
  expect(entries()[0]?.textContent).toContain('No real money is used.')
  expect(receipt()).toContain('Statusrefunded')
})

it('of a seller without a name or address the site is named; one receipt is unfolded at a time', async () => {
  vi.mocked(publicSettings.loadPublicSettings).mockResolvedValue(testSettings)
  await answer([paid, { ...paid, orderId: 'order_2' }])
  expect(receipt()).toMatch(/SellerSelfie\nhello@selfie\.example$/)
  expect(entries().map((entry) => entry.getAttribute('name'))).toEqual(['receipt', 'receipt'])
})
