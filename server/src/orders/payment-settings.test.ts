import { describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'

const production = { NODE_ENV: 'production' }
const nowpayments = { NOWPAYMENTS_API_KEY: 'key', NOWPAYMENTS_IPN_SECRET: 'secret' }
const btcpay = {
  BTCPAY_URL: 'https://pay.example/',
  BTCPAY_API_KEY: 'token',
  BTCPAY_STORE_ID: 'store',
  BTCPAY_WEBHOOK_SECRET: 'secret',
}
const read = (environment: Record<string, string>) => readConfig(environment).payments

describe('without a payment key', () => {
  test('test money is taken', () => {
    const settings = read({ PORT: '4000' })
    expect([settings.active, ...settings.providers.keys()]).toEqual(['sandbox', 'sandbox'])
  })

  test('production refuses to start, and says what is missing', () => {
    expect(() => read(production)).toThrow(/NOWPAYMENTS_API_KEY.*PAYMENT_PROVIDER=sandbox/)
  })

  test('production takes test money when it is asked for by name', () => {
    expect(read({ ...production, PAYMENT_PROVIDER: 'sandbox' }).active).toBe('sandbox')
  })
})

describe('with a payment key', () => {
  test('real money is taken and no sandbox is started', () => {
    const settings = read({ ...production, ...nowpayments })
    expect([settings.active, ...settings.providers.keys()]).toEqual(['nowpayments', 'nowpayments'])
    expect(read({ ...production, ...btcpay }).active).toBe('btcpay')
  })

  test('one of two providers is chosen by name; the other still settles its orders', () => {
    const settings = read({ ...nowpayments, ...btcpay, PAYMENT_PROVIDER: 'btcpay' })
    expect(settings.active).toBe('btcpay')
    expect([...settings.providers.keys()]).toEqual(['nowpayments', 'btcpay'])
  })

  test.each([
    [{ NOWPAYMENTS_API_KEY: 'key' }, /must be set together/],
    [{ ...nowpayments, NOWPAYMENTS_EMAIL: 'a@b.example' }, /must be set together/],
    [{ BTCPAY_URL: 'https://pay.example' }, /must be set together/],
    [{ ...nowpayments, PAYMENT_PROVIDER: 'btcpay' }, /its settings are missing/],
    [{ PAYMENT_PROVIDER: 'paypal' }, /PAYMENT_PROVIDER/],
    [{ ...nowpayments, NOWPAYMENTS_BASE_URL: 'ftp://x' }, /NOWPAYMENTS_BASE_URL/],
  ])('half of it is refused: %j', (environment, message) => {
    expect(() => read(environment)).toThrow(message)
  })
})

test('each provider of the list is opened under its own name, with what was set', async () => {
  const { providers } = read({ ...nowpayments, ...btcpay })
  const asked: string[] = []
  for (const [name, open] of providers) {
    const { provider } = await open({
      callbackUrl: () => 'https://selfie.example/callback',
      localCallbackUrl: () => '',
      publicUrl: '',
      dataFolder: '',
      listenAddress: '',
      keys: { paymentSandboxApi: Buffer.alloc(1), paymentSandboxIpn: Buffer.alloc(1) },
      startsGateway: false,
      fetch: async (url) => {
        asked.push(url instanceof Request ? url.url : url.toString())
        return Response.json({}, { status: 404 })
      },
      now: Date.now,
    })
    expect(provider.name).toBe(name)
    await provider.fetchPayment('5', AbortSignal.timeout(1_000))
  }
  expect(asked).toEqual([
    'https://api.nowpayments.io/v1/payment/5',
    'https://pay.example/api/v1/stores/store/invoices/5',
  ])
})
