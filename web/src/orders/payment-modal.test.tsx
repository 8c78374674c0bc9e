import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { paymentTimeoutMs } from '@starside/contract/limits.ts'
import type { Order } from '@starside/contract/orders.ts'
import { holdQuestions, type HeldQuestion } from '../api/testing/test-answers.ts'
import * as publicSettings from '../api/public-settings.ts'
import { testSettings } from '../api/testing/test-settings.ts'
import { show } from '../auth/testing/show.tsx'
import { findOrder, saveOrder, type StoredOrder } from './order-store.ts'
import { PaymentModal } from './payment-modal.tsx'
import { testOrder } from './testing/test-order.ts'
import { basic } from './testing/test-packages.ts'

let questions: HeldQuestion[]
beforeEach(() => {
  questions = holdQuestions()
  vi.spyOn(publicSettings, 'loadPublicSettings').mockResolvedValue({
    ...testSettings,
    packages: [basic],
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  localStorage.clear()
})

const onClose = vi.fn()
const { orderId, userId } = testOrder
/** The order as the server knows it. */
const known: Order = {
  ...testOrder,
  status: 'pending',
  providerPaymentId: null,
  completedAt: null,
  receivedAmount: null,
  underpaid: null,
  paidLate: false,
  testMoney: false,
}
type Shown = Partial<Parameters<typeof PaymentModal>[0]>

const open = async (order: Partial<StoredOrder>, props: Shown = {}) => {
  saveOrder({ ...testOrder, ...order })
  onClose.mockClear()
  return show(
    <PaymentModal
      orderId={orderId}
      userId={userId}
      settings={{ contactEmail: 'help@example.test', testMoney: false }}
      onClose={onClose}
      {...props}
    />,
  )
}
const buttons = () =>
  [...screen.getByRole('dialog').querySelectorAll('a, button')].map(
    ({ textContent }) => textContent,
  )
const text = () => screen.getByRole('dialog').textContent
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const pay = 'Pay on the payment page. Your credits then come by themselves, even if you pay late.'
const open3 = ['Continue Payment', 'Hide for now', 'Cancel this order']

it.each([
  ['initiated', 'Payment Initiated', open3, pay],
  ['pending', 'Payment Pending', open3, pay],
  ['processing', 'Processing Payment', ['Hide for now'], 'You can close this page.'],
  ['completed', 'Payment Successful!', ['Start Using Premium'], ''],
  ['failed', 'Payment Failed', ['Try Again', 'Close'], 'No credits were added.'],
  ['cancelled', 'Payment Cancelled', ['Try Again', 'Close'], 'Nothing was charged.'],
  ['expired', 'Payment Expired', ['Try Again', 'Close'], 'Paid late? You still get your credits.'],
  ['of a newer server', 'Unknown Status', ['Continue Payment', 'Close'], ''],
])('an order that is %s is %s, with what can be done and comes next', async (...row) => {
  const [status, title, actions, note] = row
  await open({ status })
  expect(screen.getByRole('heading').textContent).toBe(title)
  expect(buttons()).toEqual(actions)
  expect(screen.getByRole('status').textContent).toContain(note)
  expect(screen.queryByRole('timer') !== null).toBe(actions.includes('Cancel this order'))
  expect(text()).toContain(`Questions? Write to help@example.test and quote ${orderId}.`)
  expect(text()).not.toContain('Test money')
})

it('the details are the order’s own, with minutes and seconds that are left', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const createdAt = new Date(Date.now() - paymentTimeoutMs + 90_500).toISOString()
  await open({ createdAt, amount: 19.9, credits: 200 })
  const values = [...screen.getByRole('dialog').querySelectorAll('dd')]
  expect(values.map(({ textContent }) => textContent)).toEqual([
    'Basic',
    '$19.90',
    '200',
    '1:30',
    orderId,
    'waiting for payment',
  ])
  const folded = values.filter((value) => value.closest('details'))
  expect(folded, 'what only a question about it needs').toEqual(values.slice(-2))
})

it('an order that a part was taken of tells what came, of which price', async () => {
  await open({ status: 'completed', receivedAmount: 6, credits: 60 })
  const values = [...screen.getByRole('dialog').querySelectorAll('dd')]
  const shown = values.slice(1, 3).map(({ textContent }) => textContent)
  expect(shown).toEqual(['$6.00 of $10.00', '60'])
})

it('an order whose window is closed expires', async () => {
  await open({ createdAt: new Date(Date.now() - paymentTimeoutMs).toISOString() })
  expect(findOrder(orderId)?.status).toBe('expired')
  expect(screen.getByRole('heading').textContent).toBe('Payment Expired')
})

it('test money and a site without an address for questions are told of', async () => {
  await open({}, { settings: { testMoney: true, contactEmail: '' } })
  expect(text()).toContain('Test money')
  expect(text()).toContain(`Questions? Quote ${orderId} to the people`)
})

it('an order is cancelled at the server first, and the window says so; a failure leaves it open', async () => {
  await open({})
  press('Cancel this order')
  expect(questions[0]).toMatchObject({ address: '/api/orders/cancel', body: { orderId } })
  await questions[0]?.fail()
  expect(text()).toContain('The order could not be cancelled. Please try again.')
  expect(findOrder(orderId)?.status).toBe('pending')
  expect(text()).not.toContain('Nothing was charged')
  press('Cancel this order')
  await questions[1]?.answer({ success: true, data: { ...known, status: 'cancelled' } })
  expect(findOrder(orderId)?.status).toBe('cancelled')
  const told =
    'Payment CancelledPayment was cancelled by user.Nothing was charged. Paid anyway? You still get your credits.'
  expect(screen.getByRole('status').textContent).toBe(told)
  expect(document.activeElement?.textContent, 'what was pressed is gone').toBe('Close')
  expect(onClose).not.toHaveBeenCalled()
})

const underpaid = {
  paidAmount: '0.3',
  missingAmount: '0.5',
  currency: 'LTC',
  payUrl: 'http://pay/1',
  worthCredits: 40,
}

it('of an underpaid order is told what came, what is missing and how long there is; it is paid or taken as credits', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T11:45:00Z') })
  await open({ status: 'processing', createdAt: '2026-11-22T11:30:00Z', underpaid })
  expect(screen.getByRole('heading').textContent, 'what it waits for').toBe('Waiting for the Rest')
  expect(text()).not.toContain('being processed')
  expect(text()).toContain('Statuspartly paid')
  expect(buttons(), 'money has come: it is not cancelled any more').not.toContain(
    'Cancel this order',
  )
  expect(text()).toContain('0.3 of 0.8 LTC arrived. 0.5 are missing.')
  expect(screen.getByRole('timer').textContent).toBe('15:00')
  expect(buttons()[0], 'what is pressed at once takes nothing away').toBe('Pay the rest')
  expect(screen.getByText('Pay the rest').getAttribute('href')).toBe('http://pay/1')
  expect(screen.queryByText('Continue Payment')).toBeNull()
  vi.useRealTimers()
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  press('Take 40 credits instead')
  expect(questions[0]).toMatchObject({ address: '/api/orders/credit-worth', body: { orderId } })
  await questions[0]?.answer({
    success: true,
    data: { ...known, status: 'completed', credits: 40, completedAt: '2026-11-22T12:00:00Z' },
  })
  expect(findOrder(orderId)).toMatchObject({ status: 'completed', credits: 40 })
  expect(text()).not.toContain('missing')
  expect(screen.getByRole('heading').textContent, 'at once').toBe('Payment Received')
})

it('until the page to come tells of a success, the money is there, and nothing more is to be paid', async () => {
  localStorage.setItem('payment_notice', '{"credits":100}')
  await open({ status: 'completed' })
  expect(screen.getByRole('heading').textContent).toBe('Payment Received')
  expect(text()).toContain('Adding your credits...')
  expect(document.querySelector('dialog .border-green .pencil-draws'), 'ticked').not.toBeNull()
  expect(buttons()).toEqual(['Close'])
})

it('an underpaid order that is worth no credit offers none', async () => {
  await open({ status: 'processing', underpaid: { ...underpaid, worthCredits: 0 } })
  expect(buttons()).toEqual(['Pay the rest', 'Hide for now'])
})

it('an underpaid order whose window is closed can still be paid, and is not begun anew', async () => {
  await open({ status: 'expired', underpaid })
  expect(buttons()).toEqual(['Pay the rest', 'Close', 'Take 40 credits instead'])
  expect(text()).toContain('0.3 of 0.8 LTC arrived. 0.5 are missing.')
  expect(screen.queryByRole('timer')).toBeNull()
})

it.each([
  ['is of somebody else', { userId: 'u2' }],
  ['nobody knows', { orderId: 'order_m1abc_other1' }],
])('an order that %s is not found', async (_what, order) => {
  await open(order)
  expect(screen.getByRole('heading').textContent).toBe('Order not found')
  press('Close')
  expect(onClose).toHaveBeenCalledOnce()
})

it('a press beside the window leaves it open', async () => {
  await open({})
  fireEvent.click(screen.getByRole('dialog'))
  expect(onClose).not.toHaveBeenCalled()
  expect(screen.getByRole('heading').textContent).toBe('Payment Pending')
})

it('the time that is left runs down second by second, and at its end the order has expired', async () => {
  vi.useFakeTimers()
  await open({ createdAt: new Date(Date.now() - paymentTimeoutMs + 2_500).toISOString() })
  const timer = () => screen.queryByRole('timer')?.textContent
  expect(timer()).toBe('0:02')
  act(() => void vi.advanceTimersByTime(1_000))
  expect(timer()).toBe('0:01')
  act(() => void vi.advanceTimersByTime(2_000))
  expect([timer(), findOrder(orderId)?.status]).toEqual([undefined, 'expired'])
})

it('credits are taken once in place of the rest, and why not is told', async () => {
  await open({ status: 'processing', underpaid })
  press('Take 40 credits instead')
  press('Take 40 credits instead')
  expect(questions).toHaveLength(1)
  const button = screen.getByRole('button', { name: 'Take 40 credits instead' })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  await questions[0]?.answer({ success: false, error: 'Too late.', code: 'internal' }, 409)
  expect(text()).toContain('Too late.')
  expect(button.getAttribute('aria-disabled')).toBe('false')
})

it('after a payment that failed the page begins anew at a press, with the packages and without that order', async () => {
  const reload = vi.spyOn(location, 'reload').mockReturnValue(undefined)
  history.replaceState(null, '', `/dashboard?order=${orderId}`)
  await open({ status: 'failed' })
  press('Try Again')
  expect([reload.mock.calls.length, onClose.mock.calls.length]).toEqual([1, 0])
  expect(location.pathname + location.search + location.hash).toBe('/dashboard#packages')
  expect(history.state, 'to begin another order').toEqual({ purchaseAgain: testOrder.packageType })
  history.replaceState(null, '', '/')
  reload.mockRestore()
})

it.each([
  ['pending', 'amber', false],
  ['processing', 'amber', false],
  ['completed', 'green', true],
  ['failed', 'danger', false],
  ['cancelled', 'danger', false],
  ['expired', 'danger', false],
])('an order that is %s stands below a bar in %s, ticked: %s', async (status, colour, isTicked) => {
  await open({ status })
  const bars = ['amber', 'green', 'danger'].filter((one) =>
    document.querySelector(`dialog .border-${one}`),
  )
  expect(bars).toEqual([colour])
  expect(document.querySelector('dialog .pencil-draws') !== null).toBe(isTicked)
})

it('an order that is processed after its time counts nothing down, and the page to pay opens beside', async () => {
  const createdAt = new Date(Date.now() - 2 * paymentTimeoutMs).toISOString()
  await open({ status: 'processing', createdAt })
  expect(screen.queryByRole('timer')).toBeNull()
  expect(findOrder(orderId)?.status).toBe('processing')
  cleanup()
  await open({ status: 'pending' })
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'Continue Payment' })).toMatchObject({
    target: '_blank',
    rel: 'noreferrer',
  })
})
