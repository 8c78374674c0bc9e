import { expect, test } from 'vitest'
import { openProviders } from './payments.ts'
import type { OpenPaymentProvider, PaymentModuleParts } from './payment-modules.ts'
import type { PaymentProvider, ProviderName } from './provider.ts'

/** Both real providers, the second of which has something to close. */
async function open(callbackBaseUrl?: string, active: ProviderName = 'btcpay') {
  const given: PaymentModuleParts[] = []
  const closed: string[] = []
  const openOne =
    (name: ProviderName, close?: () => Promise<void>): OpenPaymentProvider =>
    async (parts) => {
      given.push(parts)
      const provider = { name } as Partial<PaymentProvider> as PaymentProvider
      return { provider, ...(close === undefined ? {} : { close }) }
    }
  const providers = new Map([
    ['nowpayments', openOne('nowpayments')],
    ['btcpay', openOne('btcpay', async () => void closed.push('btcpay'))],
  ] as const)
  const opened = await openProviders({
    settings: { active, callbackBaseUrl, providers },
    publicUrl: 'https://selfie.example',
    localUrl: () => 'http://127.0.0.1:3000',
  } as never)
  const addresses = given.map((parts) => [parts.callbackUrl(), parts.localCallbackUrl()])
  return { opened, addresses, closed }
}

test('providers call back at the public address, those on this machine at the local one', async () => {
  expect((await open()).addresses).toEqual([
    [
      'https://selfie.example/api/payments/nowpayments/ipn',
      'http://127.0.0.1:3000/api/payments/nowpayments/ipn',
    ],
    [
      'https://selfie.example/api/payments/btcpay/webhook',
      'http://127.0.0.1:3000/api/payments/btcpay/webhook',
    ],
  ])
  const [first] = (await open('https://hooks.example')).addresses
  expect(first).toEqual(Array(2).fill('https://hooks.example/api/payments/nowpayments/ipn'))
})

test('providers are found by their names, and closed where there is something to close', async () => {
  const { opened, closed } = await open()
  expect(opened.active.name).toBe('btcpay')
  expect(opened.all.map(({ name }) => name)).toEqual(['nowpayments', 'btcpay'])
  expect(opened.find('nowpayments')?.name).toBe('nowpayments')
  expect(opened.find('sandbox')).toBeUndefined()
  await opened.close()
  expect(closed).toEqual(['btcpay'])
  await expect(open(undefined, 'sandbox')).rejects.toThrow('sandbox is not set up')
})
