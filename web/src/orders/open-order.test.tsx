import { paymentTimeoutMs } from '@starside/contract/limits.ts'
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { show } from '../auth/testing/show.tsx'
import { OpenOrder } from './purchase-panel.tsx'
import { partPaid, testOrder } from './testing/test-order.ts'

afterEach(() => vi.useRealTimers())
const leftMs = (ms: number) => new Date(Date.now() - paymentTimeoutMs + ms).toISOString()

it('says what waits for its payment and for how many minutes, and leads to it', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const onShow = vi.fn()
  const order = { ...testOrder, amount: 19.9, createdAt: leftMs(7.5 * 60_000) }
  await show(<OpenOrder order={order} onShow={onShow} />)
  expect(
    screen.getByText(/^Waiting for your payment: 100 credits for \$19\.90\. 8 min left/),
  ).toBeTruthy()
  expect(screen.getByText('Pay now').getAttribute('href')).toBe('http://pay/1')
  fireEvent.click(screen.getByRole('button', { name: 'Details' }))
  expect(onShow).toHaveBeenCalledOnce()
})

it.each([
  ['is being processed', { status: 'processing' }],
  ['has no payment page', { paymentUrl: null }],
])('an order that %s is not paid once more', async (_what, change) => {
  await show(<OpenOrder order={{ ...testOrder, ...change }} onShow={() => {}} />)
  expect(screen.queryByText('Pay now')).toBeNull()
  const isProcessed = screen.queryByText(/is being processed\.$/) !== null
  expect(isProcessed).toBe('status' in change)
})

it('an order of which a part has come says how much, on which network, and leads to paying the rest', async () => {
  const underpaid = { ...partPaid, currency: 'USDC (Polygon)' }
  await show(
    <OpenOrder order={{ ...testOrder, status: 'processing', underpaid }} onShow={() => {}} />,
  )
  expect(screen.getByText('6 of 10 USDC (Polygon) arrived. 4 are missing.')).toBeTruthy()
  expect(screen.getByText('Pay the rest').getAttribute('href')).toBe('http://pay/1')
  expect(screen.queryByText('Pay now')).toBeNull()
  expect(screen.getByRole('button', { name: 'Details' })).toBeTruthy()
})

it('counts the minutes down that are left', async () => {
  vi.useFakeTimers()
  await show(<OpenOrder order={{ ...testOrder, createdAt: leftMs(90_000) }} onShow={() => {}} />)
  expect(screen.getByText(/ 2 min left/)).toBeTruthy()
  act(() => void vi.advanceTimersByTime(31_000))
  expect(screen.getByText(/ 1 min left/)).toBeTruthy()
})
