import { expect, test, vi } from 'vitest'
import { readConfig } from '../config.ts'
import type { Logger } from '../logging/logger.ts'
import type { PaymentProvider } from './provider.ts'
import { warnAboutPayments } from './warn-about-payments.ts'

const keys = { NOWPAYMENTS_API_KEY: 'key', NOWPAYMENTS_IPN_SECRET: 'secret' }

async function warnings(
  settings: Record<string, string>,
  provider: Partial<PaymentProvider>,
): Promise<string[]> {
  const warn = vi.fn<Logger['warn']>()
  const log: Logger = { debug() {}, info() {}, warn, error() {} }
  const asked = { name: 'nowpayments', checkPrices: async () => [], ...provider }
  await warnAboutPayments(asked as unknown as PaymentProvider, readConfig(settings), {
    pricesCents: [1000],
    log,
  })
  return warn.mock.calls.map((call: unknown[]) => String(call[1]))
}

test('an address that only this machine knows is reported, since no callback reaches it', async () => {
  expect(await warnings(keys, {})).toEqual([expect.stringContaining("can't reach 'localhost'")])
  const open = { ...keys, PUBLIC_URL: 'https://selfie.example' }
  expect(await warnings(open, {})).toEqual([])
  const apart = { ...keys, PAYMENT_CALLBACK_URL: 'https://hooks.selfie.example' }
  expect(await warnings(apart, {})).toEqual([])
})

test('what the provider says of prices is reported, and a provider that is away stops nothing', async () => {
  const open = { ...keys, PUBLIC_URL: 'https://selfie.example' }
  const sentences = ['The package of $10.00 is too small.']
  expect(await warnings(open, { checkPrices: async () => sentences })).toEqual(sentences)
  const away = { checkPrices: () => Promise.reject(new Error('away')) }
  expect(await warnings(open, away)).toEqual([expect.stringContaining('could not be asked')])
})

test('test money needs no warning', async () => {
  expect(await warnings({}, { name: 'sandbox' })).toEqual([])
})
