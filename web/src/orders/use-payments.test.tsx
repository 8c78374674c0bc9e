import { storageKeys } from '@starside/contract/api.ts'
import { act, renderHook, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import * as publicSettings from '../api/public-settings.ts'
import { testSettings } from '../api/testing/test-settings.ts'
import { testProfile } from '../auth/testing/test-auth.ts'
import { holdQuestions, type HeldQuestion } from '../api/testing/test-answers.ts'
import { AlertProvider } from '../ui/alerts.tsx'
import { LanguageProvider } from '../ui/language.tsx'
import { findOrder, saveOrder, type StoredOrder } from './order-store.ts'
import { stopMonitoring } from './monitor-order.ts'
import { basic } from './testing/test-packages.ts'
import { partPaid, testOrder } from './testing/test-order.ts'
import { activatePrivileges, usePayments } from './use-payments.ts'

const openOrder: StoredOrder = { ...testOrder, userId: testProfile.userId }

let questions: HeldQuestion[]
beforeEach(async () => {
  questions = holdQuestions()
})
afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
})

const wrapper = ({ children }: { children: ReactNode }) => (
  <LanguageProvider initial="en">
    <AlertProvider>{children}</AlertProvider>
  </LanguageProvider>
)
const open = () => renderHook(() => usePayments(testProfile, (id) => `of ${id}`), { wrapper })
const success = /You've been upgraded to Premium with 1 credit\./

it('a purchase of before the page was loaded is announced once', async () => {
  localStorage.setItem(storageKeys.paymentNotice, JSON.stringify({ credits: 1 }))
  const first = open()
  expect(screen.getByText(success)).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Thank you for your purchase' })).toBeTruthy()
  first.unmount()
  open()
  expect(screen.queryByText(success)).toBeNull()
})

it.each(['pending', 'cancelled'])(
  'an order that was begun since and is %s covers no success of the one before',
  async (status) => {
    saveOrder({ ...openOrder, status })
    const notice = { credits: 1, orderId: 'order_before' }
    localStorage.setItem(storageKeys.paymentNotice, JSON.stringify(notice))
    const { result } = open()
    await questions[0]?.answer({ success: true, items: [] })
    expect(screen.getByText(success)).toBeTruthy()
    expect(screen.getByText(/of order_before/), 'which order it was').toBeTruthy()
    expect(result.current.shownOrderId).toBeNull()
  },
)

it('an older order that still waits does not hold the success of a newer one back', () => {
  saveOrder({ ...openOrder, createdAt: new Date(Date.now() - 60_000).toISOString() })
  saveOrder({ ...openOrder, orderId: 'order_newer', status: 'completed' })
  localStorage.setItem(storageKeys.paymentNotice, JSON.stringify({ credits: 1 }))
  const { result } = open()
  expect(screen.getByText(success)).toBeTruthy()
  expect(result.current.shownOrderId).toBeNull()
})

it.each(['{', 'null', '{"credits":"all"}'])('a notice like %s tells nothing', (notice) => {
  localStorage.setItem(storageKeys.paymentNotice, notice)
  open()
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(localStorage.getItem(storageKeys.paymentNotice)).toBeNull()
})

it('orders that come after the page is gone are not followed', async () => {
  const { unmount } = open()
  unmount()
  await questions[0]?.answer({ success: true, items: [] })
  expect(questions).toHaveLength(1)
})

it.each([
  ['no longer once the page is gone', true, 0],
  ['while it is there', false, 1],
])('an open order is asked about %s', async (_when, isGone, count) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  saveOrder(openOrder)
  const { unmount } = open()
  await questions[0]?.answer({ success: true, items: [] })
  if (isGone) unmount()
  await vi.advanceTimersByTimeAsync(0)
  const asked = questions.filter(({ address }) => address.startsWith('/api/orders/status'))
  expect(asked).toHaveLength(count)
  unmount()
  vi.useRealTimers()
})

it('after a payment that failed an order of which a part is paid is shown before another is begun', async () => {
  const opened = vi.fn()
  vi.stubGlobal('open', opened)
  saveOrder({ ...openOrder, status: 'processing', underpaid: partPaid })
  history.replaceState({ purchaseAgain: basic.type }, '', '/dashboard#packages')
  const { result } = open()
  await questions[0]?.answer({ success: true, items: [] })
  await expect.poll(() => result.current.shownOrderId).toBe(openOrder.orderId)
  expect(result.current.another, 'the other one waits for a press').toBeDefined()
  expect(questions.filter(({ method }) => method === 'POST')).toEqual([])
  expect(opened).not.toHaveBeenCalled()
  stopMonitoring()
  history.replaceState(null, '', '/')
})

it('a price that was changed since it was seen is told of, and nothing opens', async () => {
  const tab = { close: vi.fn(), location: { href: '' }, opener: {} }
  vi.stubGlobal('open', () => tab)
  vi.spyOn(publicSettings, 'loadPublicSettings').mockResolvedValue(offered)
  const warned = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  const { result } = open()
  await act(async () => void result.current.purchase('basic'))
  const answer = { success: false, code: 'price_changed', error: 'The price has changed.' }
  await questions.find(({ method }) => method === 'POST')?.answer(answer, 409)
  expect(screen.getByText(/^The price has changed\./)).toBeTruthy()
  expect([tab.close.mock.calls.length, result.current.shownOrderId]).toEqual([1, null])
  warned.mockRestore()
  vi.restoreAllMocks()
})

it('a purchase that cannot start closes its empty tab and says so', async () => {
  const tab = { close: vi.fn(), location: { href: '' }, opener: {} }
  vi.stubGlobal('open', () => tab)
  const warned = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  const { result } = open()
  await act(async () => void result.current.purchase('no-such-package'))
  // What is on sale is asked for first, unless an earlier test has.
  await questions.find(({ address }) => address === '/api/config')?.fail()
  expect(tab.close).toHaveBeenCalledOnce()
  expect(tab.location.href).toBe('')
  expect(tab.opener, 'it has no way back to this page').toBeNull()
  expect(screen.getByText('Failed to start payment process. Please try again.')).toBeTruthy()
  expect(result.current.shownOrderId).toBeNull()
  warned.mockRestore()
})

it('after a payment that failed another order of the same package is begun, once, without a tab', async () => {
  const opened = vi.fn()
  vi.stubGlobal('open', opened)
  history.replaceState({ purchaseAgain: basic.type }, '', '/dashboard#packages')
  const { result, unmount } = open()
  await questions[0]?.answer({ success: true, items: [] })
  const settings = { ...testSettings, packages: [basic] }
  await questions.find(({ address }) => address === '/api/config')?.answer(settings)
  const begun = () => questions.filter(({ method }) => method === 'POST')
  await expect.poll(() => begun().length).toBe(1)
  expect(begun()[0]?.body).toEqual({ packageType: basic.type, priceCents: basic.priceCents })
  await begun()[0]?.answer({ success: true, data: known }, 201)
  await expect.poll(() => result.current.shownOrderId).toBe(openOrder.orderId)
  expect([opened.mock.calls.length, history.state]).toEqual([0, null])
  unmount()
  const before = questions.length
  open()
  await questions[before]?.answer({ success: true, items: [] })
  expect(begun(), 'not at the next reload').toHaveLength(1)
  stopMonitoring()
  history.replaceState(null, '', '/')
})

it.each([
  ['its order is shown', null, 'order_m1abc_x7k2p9'],
  ['but not where its success was just announced', 1, null],
])('who comes back from a payment: %s', async (_what, credits, shown) => {
  if (credits !== null) localStorage.setItem(storageKeys.paymentNotice, JSON.stringify({ credits }))
  history.replaceState(null, '', '/dashboard?order=order_m1abc_x7k2p9')
  const { result } = open()
  await questions[0]?.answer({ success: true, items: [] })
  expect(result.current.shownOrderId).toBe(shown)
  history.replaceState(null, '', '/')
})

it('an order whose window closed while nobody looked has expired, and is asked about no more', async () => {
  const createdAt = new Date(Date.now() - 3_600_000).toISOString()
  saveOrder({ ...openOrder, createdAt })
  open()
  await questions[0]?.answer({ success: true, items: [] })
  expect(findOrder(openOrder.orderId)?.status).toBe('expired')
})

const offered = { ...testSettings, packages: [basic] }
const { metadata: _kept, ...created } = openOrder
const known = {
  ...created,
  status: 'initiated',
  providerPaymentId: null,
  completedAt: null,
  receivedAmount: null,
  underpaid: null,
  paidLate: false,
  testMoney: false,
}
const begin = async (order: object) => {
  const tab = { close: vi.fn(), location: { href: '' }, opener: {} }
  vi.stubGlobal('open', () => tab)
  vi.spyOn(publicSettings, 'loadPublicSettings').mockResolvedValue(offered)
  vi.spyOn(console, 'warn').mockReturnValue(undefined)
  const { result, unmount } = open()
  await act(async () => void result.current.purchase('basic'))
  const question = questions.find(({ method }) => method === 'POST')
  const data = { ...known, ...order }
  await question?.answer({ success: true, data }, 201)
  vi.restoreAllMocks()
  return { tab, result, question, unmount }
}

it('a purchase opens its payment in its own tab, is shown, watched and kept with what there was before', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { tab, result, question } = await begin({})
  expect(question).toMatchObject({
    address: '/api/orders',
    body: { packageType: 'basic', priceCents: basic.priceCents },
  })
  expect(question?.idempotencyKey).toMatch(/^[0-9a-f]{32}$/)
  expect(tab.location.href).toBe('http://pay/1')
  expect(result.current.shownOrderId).toBe(openOrder.orderId)
  expect(findOrder(openOrder.orderId)).toMatchObject({
    status: 'initiated',
    metadata: { previousCredits: 3, previousTotalBought: 0 },
  })
  await vi.advanceTimersByTimeAsync(0)
  const asked = questions.filter(({ address }) => address.startsWith('/api/orders/status'))
  expect(asked).toHaveLength(1)
  stopMonitoring()
  vi.useRealTimers()
})

it('an order that was begun on a page is asked about no more once the page is gone', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { unmount } = await begin({})
  unmount()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(questions.filter(({ address }) => address.startsWith('/api/orders/status'))).toEqual([])
  vi.useRealTimers()
})

it('an order without a payment page says so and closes its tab', async () => {
  const { tab } = await begin({ paymentUrl: null })
  expect(tab.close).toHaveBeenCalledOnce()
  expect(screen.getByText('Failed to start payment process. Please try again.')).toBeTruthy()
  stopMonitoring()
})

it('nothing is shown by itself of an order that waits, nor asked about one that is somebody else’s or over', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  saveOrder({ ...openOrder, orderId: 'order_other', userId: 'u2' })
  saveOrder({ ...openOrder, orderId: 'order_over', status: 'cancelled' })
  const { result, unmount } = open()
  expect(result.current.shownOrderId).toBeNull()
  await questions[0]?.answer({ success: true, items: [] })
  await vi.advanceTimersByTimeAsync(0)
  expect(questions).toHaveLength(1)
  unmount()
  vi.useRealTimers()
})

it('a success is closed by a button that says what it is for', () => {
  localStorage.setItem(storageKeys.paymentNotice, JSON.stringify({ credits: 1 }))
  open()
  expect(screen.getByRole('button', { name: 'Start Using Premium' })).toBeTruthy()
})

it('a completed order tells the page at once and loads it anew after two seconds, another one never', () => {
  vi.useFakeTimers()
  const reload = vi.spyOn(location, 'reload').mockReturnValue(undefined)
  const told: unknown[] = []
  const hear = (event: Event) => told.push((event as CustomEvent).detail)
  addEventListener('privileges-activated', hear)
  const { userId, orderId } = openOrder
  const order = { ...openOrder, userId, providerPaymentId: null, completedAt: null }
  const full = {
    ...order,
    receivedAmount: null,
    underpaid: null,
    paidLate: false,
    testMoney: false,
  }
  activatePrivileges({ ...full, status: 'pending' })
  vi.advanceTimersByTime(10_000)
  expect([told, reload.mock.calls, localStorage.length]).toEqual([[], [], 0])
  activatePrivileges({ ...full, status: 'completed' })
  expect(told).toEqual([{ orderId }])
  expect(localStorage.getItem(storageKeys.paymentNotice)).toContain(orderId)
  vi.advanceTimersByTime(1_999)
  expect(reload).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(reload).toHaveBeenCalledOnce()
  removeEventListener('privileges-activated', hear)
  reload.mockRestore()
  vi.useRealTimers()
})

it('a press on a package while an open order is part-paid asks for its rest first, and begins another only then', async () => {
  vi.spyOn(publicSettings, 'loadPublicSettings').mockResolvedValue({
    ...testSettings,
    packages: [basic],
  })
  const opened = vi.fn(() => null)
  vi.stubGlobal('open', opened)
  saveOrder({ ...openOrder, status: 'processing', underpaid: partPaid })
  const { result } = open()
  await act(() => result.current.purchase('basic'))
  expect([result.current.shownOrderId, opened.mock.calls.length]).toEqual([openOrder.orderId, 0])
  await act(async () => result.current.another?.())
  expect(opened).toHaveBeenCalledOnce()
  expect(result.current.another, 'asked once').toBeUndefined()
  act(() => result.current.showOrder(openOrder.orderId))
  expect(result.current.another, 'nothing was pressed').toBeUndefined()
})

it.each(['completed', 'failed'])(
  'a payment that is %s is shown, though its dialog was hidden',
  async (status) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    saveOrder(openOrder)
    const { result } = open()
    await questions[0]?.answer({ success: true, items: [] })
    await vi.advanceTimersByTimeAsync(0)
    expect(result.current.shownOrderId).toBeNull()
    const data = { ...known, status, completedAt: new Date().toISOString() }
    await questions[1]?.answer({ success: true, data })
    expect(result.current.shownOrderId).toBe(openOrder.orderId)
    vi.useRealTimers()
  },
)

it('a part-paid order of somebody else in this browser holds no purchase up', async () => {
  saveOrder({
    ...openOrder,
    orderId: 'order_other',
    userId: 'u2',
    status: 'processing',
    underpaid: partPaid,
  })
  const { result } = await begin({})
  expect(result.current.shownOrderId).toBe(openOrder.orderId)
  stopMonitoring()
})
