import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { storageKeys } from '@starside/contract/api.ts'
import * as publicSettings from '../api/public-settings.ts'
import { holdQuestions } from '../api/testing/test-answers.ts'
import { testSettings } from '../api/testing/test-settings.ts'
import { show } from '../auth/testing/show.tsx'
import { testSelfie } from '../generation/testing/test-selfie.ts'
import { saveOrder } from '../orders/order-store.ts'
import { testOrder } from '../orders/testing/test-order.ts'
import { answerRequests, settle } from '../ui/testing/press-each.ts'
import { DashboardPage } from './dashboard-page.tsx'

beforeEach(() => {
  history.replaceState(null, '', '/dashboard')
  holdQuestions()
})
afterEach(() => {
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
    saveOrder({ ...testOrder, ...order })
  }
  await show(<DashboardPage />, { areas: ['errors', 'auth', 'variations'] })
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
  await show(<DashboardPage />, { areas: ['errors', 'auth', 'variations'] })
  await settle()
  const picture = screen.getByRole('alertdialog').querySelector('img')
  expect(picture?.getAttribute('src')).toBe(watermarked ? undefined : '/one.jpg')
})
