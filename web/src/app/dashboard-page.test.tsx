import { act, fireEvent, screen, within } from '@testing-library/react'
import { onlineManager } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { storageKeys } from '@starside/contract/api.ts'
import * as publicSettings from '../api/public-settings.ts'
import { holdQuestions, type HeldQuestion } from '../api/testing/test-answers.ts'
import { testSettings } from '../api/testing/test-settings.ts'
import { AuthContext, type ClientUser } from '../auth/auth-context.ts'
import { show } from '../auth/testing/show.tsx'
import { testAuth, testProfile } from '../auth/testing/test-auth.ts'
import { testSelfie } from '../generation/testing/test-selfie.ts'
import * as orderStore from '../orders/order-store.ts'
import { testOrder } from '../orders/testing/test-order.ts'
import { answerRequests, settle } from '../ui/testing/press-each.ts'
import { DashboardPage } from './dashboard-page.tsx'

beforeEach(() => {
  history.replaceState(null, '', '/dashboard')
  holdQuestions()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  localStorage.clear()
  history.replaceState(null, '', '/')
})

it('of several orders of the user that wait, the newest is shown to be paid', async () => {
  for (const order of [
    { orderId: 'older', paymentUrl: 'http://pay/older' },
    { orderId: 'newer', paymentUrl: 'http://pay/newer' },
    { orderId: 'done', status: 'completed' },
    { orderId: 'of-another', userId: 'u2' },
  ]) {
    orderStore.saveOrder({ ...testOrder, ...order })
  }
  await show(<DashboardPage />)
  const [pay, ...more] = screen.getAllByRole('link', { name: 'Pay now' })
  expect([pay?.getAttribute('href'), more]).toEqual(['http://pay/newer', []])
})

it.each([
  ['without its watermark', false],
  ['but not while it still bears the watermark', true],
])('a purchase shows the newest selfie %s', async (_how, watermarked) => {
  vi.spyOn(publicSettings, 'loadPublicSettings').mockResolvedValue(testSettings)
  localStorage.setItem(storageKeys.paymentNotice, JSON.stringify({ credits: 40 }))
  const failed = { ...testSelfie, generationId: 'bad', imageUrl: null }
  const items = [failed, { ...testSelfie, watermarked }]
  const list = { success: true, items, nextCursor: null, total: 2, stars: [] }
  answerRequests({ 'GET /api/generations': list })
  await show(<DashboardPage />)
  await settle()
  const picture = screen.getByRole('alertdialog').querySelector('img')
  expect(picture?.getAttribute('src')).toBe(watermarked ? undefined : '/one.jpg')
})

const pageOf = (user: ClientUser, refreshUser = async () => undefined) => (
  <AuthContext value={{ ...testAuth, user, isAuthenticated: true, refreshUser }}>
    <DashboardPage />
  </AuthContext>
)

it('nothing of one user is left when another tab signs somebody else in', async () => {
  const { again } = await show(pageOf(testProfile))
  const before = screen.getByRole('main')
  await again(pageOf({ ...testProfile, username: 'Ada Vale' }))
  expect(screen.getByRole('main'), 'it is the same user').toBe(before)
  await again(pageOf({ ...testProfile, userId: 'u2' }))
  expect(screen.getByRole('main')).not.toBe(before)
})

it('the rest of somebody who has just registered is read once', async () => {
  const refreshUser = vi.fn(async () => undefined)
  const { again } = await show(pageOf(testProfile, refreshUser))
  expect(refreshUser).not.toHaveBeenCalled()
  const { userId, email, username } = testProfile
  await again(pageOf({ userId, email, username }, refreshUser))
  expect(refreshUser).toHaveBeenCalledOnce()
})

it.each([
  ['that a link has brought stands before the packages', 'GIFT', true],
  ['is redeemed below the studio else', null, false],
])('a voucher %s', async (_how, code, isFirst) => {
  if (code !== null) sessionStorage.setItem(storageKeys.voucherCode, code)
  await show(<DashboardPage />)
  const [voucher, ...more] = document.querySelectorAll('#voucher')
  const packages = document.getElementById('packages')!
  const order = voucher!.compareDocumentPosition(packages)
  expect([order === Node.DOCUMENT_POSITION_FOLLOWING, more]).toEqual([isFirst, []])
  sessionStorage.clear()
})

it('credits and tier change together: until the page is loaded anew, neither does', async () => {
  orderStore.saveOrder({ ...testOrder, status: 'completed' })
  const isFree = () => screen.queryByText('Free User') !== null
  const { unmount } = await show(<DashboardPage />)
  expect(isFree()).toBe(false)
  unmount()
  vi.spyOn(orderStore, 'isToAnnounce').mockReturnValue(true)
  await show(<DashboardPage />)
  expect(isFree()).toBe(true)
})

it.each([
  ['the line broke is asked for once more', (list: HeldQuestion) => list.fail(), 2],
  [
    'the server refuses is not asked for again',
    (list: HeldQuestion) => list.answer({ success: false, error: 'No.', code: 'internal' }, 500),
    1,
  ],
])('a list for which %s', async (_what, end, times) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const questions = holdQuestions()
  await show(<DashboardPage />)
  const lists = () => questions.filter(({ address }) => address.startsWith('/api/generations'))
  for (let n = 0; n < times; n += 1) {
    await end(lists()[n]!)
    await act(() => vi.advanceTimersByTimeAsync(60_000))
  }
  expect(lists()).toHaveLength(times)
})

it('an order that waits is opened by a press and put away by another', async () => {
  orderStore.saveOrder(testOrder)
  await show(<DashboardPage />)
  // Awaited, as the dialog's program comes later: React may lose what a press that isn't awaited waits for.
  await act(async () => fireEvent.click(screen.getByRole('button', { name: 'Details' })))
  await settle()
  const dialog = screen.getByRole('dialog', { name: 'Payment Pending' })
  expect(screen.queryByRole('link', { name: 'Pay now' }), 'the dialog leads there').toBeNull()
  fireEvent.click(within(dialog).getByRole('button', { name: 'Hide for now' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.getByRole('link', { name: 'Pay now' })).toBeTruthy()
})

it.each([
  [
    'what was bought',
    testOrder.orderId,
    /: 40 credits addedWatermark removed\$19\.90 · order_m1abc_x7k2p9/,
  ],
  [
    'the watermark alone, of an order that is gone',
    'gone',
    /credits\.Watermark removed(?!.*order)/,
  ],
])('a success tells of %s', async (_what, orderId, told) => {
  orderStore.saveOrder({ ...testOrder, credits: 40, amount: 19.9, status: 'completed' })
  localStorage.setItem(storageKeys.paymentNotice, JSON.stringify({ credits: 40, orderId }))
  const list = { success: true, items: [testSelfie], nextCursor: null, total: 1, stars: [] }
  answerRequests({
    'GET /api/generations': { ...list, items: [{ ...testSelfie, watermarked: false }] },
  })
  await show(<DashboardPage />)
  await settle()
  const alert = screen.getByRole('alertdialog')
  expect(alert.textContent).toMatch(told)
  expect(alert.querySelector('img')?.alt).toBe('Your selfie with Elena Vassandri, made with AI')
})

it('who has just registered reads once what the account did not get, and has no balance yet', async () => {
  const { userId, email, username } = testProfile
  const user = { userId, email, username, notices: ['signup_credit_used' as const] }
  const { updates } = await show(<DashboardPage />, { auth: { user } })
  expect(screen.getByRole('alertdialog').textContent).toContain('already had its free credit')
  expect(updates).toEqual([{ notices: [] }])
  expect(screen.getByTestId('balance').textContent).toBe('--')
})

it('who signs out is signed out; a file that is dropped anywhere opens nothing', async () => {
  const logout = vi.fn()
  await show(<DashboardPage />, { auth: { logout } })
  fireEvent.click(screen.getByRole('button', { name: 'Sign Out' }))
  expect(logout).toHaveBeenCalledOnce()
  const drop = Object.assign(new Event('drop', { bubbles: true, cancelable: true }), {
    dataTransfer: { types: ['Files'], dropEffect: '' },
  })
  document.body.dispatchEvent(drop)
  expect([drop.defaultPrevented, drop.dataTransfer.dropEffect]).toEqual([true, 'none'])
})

it.each([
  [0, true],
  [3, false],
])(
  'with %d credits the balance says so, and the packages stand below the studio also on a phone: %s',
  async (creditsBalance, isBelow) => {
    await show(<DashboardPage />, { auth: { user: { ...testProfile, creditsBalance } } })
    expect(screen.getByTestId('balance').textContent).toBe(String(creditsBalance))
    const place = document.getElementById('packages')?.parentElement?.className ?? ''
    expect(/(?:^| )order-1/.test(place)).toBe(isBelow)
  },
)

it('greets by name, and leads home, to the account and to the selfies below', async () => {
  await show(<DashboardPage />)
  expect(screen.getByText('Welcome back, Ada!')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Account' }).getAttribute('href')).toBe(
    '/dashboard?view=account',
  )
  const below = screen.getByRole('link', { name: 'See your selfies' }).getAttribute('href') ?? ''
  expect(document.querySelector(below)?.textContent).toContain('selfies')
})

it.each([
  [4, '#selfies'],
  [5, '/gallery'],
])('of %d selfies the way leads to where all of them are: %s', async (selfiesCreated, place) => {
  await show(<DashboardPage />, { auth: { user: { ...testProfile, selfiesCreated } } })
  const link = screen.getByRole('link', { name: 'See your selfies' })
  expect(link.getAttribute('href')).toBe(place)
})

it.each([
  ['/dashboard', true, /Create Your Celebrity Selfie/],
  ['/dashboard?view=account', false, /Account/],
  ['/gallery', false, /selfies/i],
])('%s shows its part of the page: the studio %s', async (path, hasStudio, heading) => {
  history.replaceState(null, '', path)
  await show(<DashboardPage />)
  await settle()
  expect(document.getElementById('studio') !== null).toBe(hasStudio)
  const main = within(screen.getByRole('main'))
  const headings = main.getAllByRole('heading').map(({ textContent }) => textContent)
  expect(headings.some((text) => heading.test(text ?? ''))).toBe(true)
})

it('says how many selfies there are, and what is owed', async () => {
  const user = { ...testProfile, selfiesCreated: 7, creditsOwed: 4 }
  await show(<DashboardPage />, { auth: { user } })
  const card = screen.getByRole('region', { name: 'Generation History' })
  expect(card.querySelector('.figure')?.textContent).toBe('7')
  expect(screen.getByText(/^Credits still owed after a refunded payment: 4/)).toBeDefined()
})

it('agrees to the version of the terms that the server names', async () => {
  const questions = holdQuestions()
  const user = { ...testProfile, termsToAccept: '2026-11' }
  await show(<DashboardPage />, { auth: { user } })
  await settle()
  const dialog = screen.getByRole('dialog')
  const [agree] = within(dialog).getAllByRole('button', { name: /agree/i })
  await act(async () => void fireEvent.click(agree!))
  const asked = questions.find(({ address }) => address.includes('accept-terms'))
  expect(asked?.body).toEqual({ version: '2026-11' })
})

it.each([
  ['a file dragged over the page', 'dragover', ['Files'], false, true],
  ['words dropped on it', 'drop', ['text/plain'], false, false],
  ['a file that its place has taken', 'drop', ['Files'], true, false],
])('%s: %s of %j', async (_what, type, types, isTaken, isRefused) => {
  await show(<DashboardPage />)
  const dropped = Object.assign(new Event(type, { bubbles: true, cancelable: true }), {
    dataTransfer: { types, dropEffect: 'copy' },
  })
  if (isTaken) {
    document.body.addEventListener(type, (event) => event.preventDefault(), { once: true })
  }
  document.body.dispatchEvent(dropped)
  expect(dropped.dataTransfer.dropEffect).toBe(isRefused ? 'none' : 'copy')
  expect(dropped.defaultPrevented).toBe(isRefused || isTaken)
})

it.each([
  [0, true],
  [3, false],
])('on a phone the packages stand open with %d credits: %s', async (creditsBalance, isOpen) => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => Object.assign(new EventTarget(), { matches: false, media: query }) as never,
  )
  await show(<DashboardPage />, { auth: { user: { ...testProfile, creditsBalance } } })
  const packages = document.getElementById('packages')!
  expect(within(packages).queryByRole('button', { name: 'Hide for now' }) !== null).toBe(isOpen)
})

it('what is asked for without a connection says so, and comes by itself once there is one', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  onlineManager.setOnline(false)
  await show(<DashboardPage />)
  const lost = /^Your selfies could not be loaded\./
  // Once it was tried again.
  await screen.findByText(lost, undefined, { timeout: 60_000 })
  const list = { success: true, items: [testSelfie], nextCursor: null, total: 1, stars: [] }
  answerRequests({ 'GET /api/generations': list })
  await act(async () => onlineManager.setOnline(true))
  await screen.findByRole('button', { name: /^Selfie with/ })
  expect(screen.queryByText(lost)).toBeNull()
})
