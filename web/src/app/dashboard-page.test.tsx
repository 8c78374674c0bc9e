import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdQuestions } from '../api/testing/test-answers.ts'
import { show } from '../auth/testing/show.tsx'
import { saveOrder } from '../orders/order-store.ts'
import { testOrder } from '../orders/testing/test-order.ts'
import { DashboardPage } from './dashboard-page.tsx'

beforeEach(() => {
  history.replaceState(null, '', '/dashboard')
  holdQuestions()
})
afterEach(() => {
  vi.unstubAllGlobals()
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
    saveOrder({ ...testOrder, ...order })
  }
  await show(<DashboardPage />, { areas: ['errors', 'auth', 'variations'] })
  const [pay, ...more] = screen.getAllByRole('link', { name: 'Pay now' })
  expect([pay?.getAttribute('href'), more]).toEqual(['http://pay/newer', []])
})
