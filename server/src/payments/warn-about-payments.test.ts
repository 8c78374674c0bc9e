import { expect, test, vi } from 'vitest'
import { readConfig } from '../config.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { PaymentProvider } from './provider.ts'
import { warnAboutPayments } from './payments.ts'

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
  for (const host of ['my.localhost', '[::1]:3000', '127.0.0.2']) {
    expect(await warnings({ ...keys, PUBLIC_URL: `http://${host}` }, {}), host).toHaveLength(1)
  }
  for (const host of ['selfie.example', 'localhost.example', '[2001:db8::1]', '10.127.0.1']) {
    expect(await warnings({ ...keys, PUBLIC_URL: `https://${host}` }, {}), host).toEqual([])
  }
  const apart = { ...keys, PAYMENT_CALLBACK_URL: 'https://hooks.selfie.example' }
  expect(await warnings(apart, {})).toEqual([])
})

test('what the provider says of prices is reported, and a provider that is away stops nothing', async () => {
  const open = { ...keys, PUBLIC_URL: 'https://selfie.example' }
  const sentences = ['The package of $10.00 is too small.']
  const checkPrices = vi.fn<PaymentProvider['checkPrices']>(async () => sentences)
  expect(await warnings(open, { checkPrices })).toEqual(sentences)
  expect(checkPrices.mock.calls.map(([prices]) => prices)).toEqual([[1000]])
  const away = { checkPrices: () => Promise.reject(new Error('away')) }
  expect(await warnings(open, away)).toEqual([expect.stringContaining('could not be asked')])
})

test('test money needs no warning', async () => {
  expect(await warnings({}, { name: 'sandbox' })).toEqual([])
})
