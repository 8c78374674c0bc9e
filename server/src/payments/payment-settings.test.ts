import { createHmac } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
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
    expect(() => read(production)).toThrow(
      'Set NOWPAYMENTS_API_KEY and NOWPAYMENTS_IPN_SECRET, or BTCPAY_URL and BTCPAY_API_KEY and ' +
        'BTCPAY_STORE_ID and BTCPAY_WEBHOOK_SECRET; or set PAYMENT_PROVIDER=sandbox to take',
    )
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
    [{ ...nowpayments, NOWPAYMENTS_PASSWORD: 'word' }, /must be set together/],
    [{ BTCPAY_URL: 'https://pay.example' }, /must be set together/],
    [{ ...nowpayments, PAYMENT_PROVIDER: 'btcpay' }, /its settings are missing/],
    [{ PAYMENT_PROVIDER: 'paypal' }, /PAYMENT_PROVIDER/],
    [{ ...nowpayments, PAYMENT_PROVIDER: 'sandbox' }, /but nowpayments is set up for real money/],
    [{ ...nowpayments, NOWPAYMENTS_BASE_URL: 'ftp://x' }, /NOWPAYMENTS_BASE_URL/],
  ])('half of it is refused: %j', (environment, message) => {
    expect(() => read(environment)).toThrow(message)
  })
})

test('each provider of the list is opened under its own name, with what was set', async () => {
  const { providers } = read({
    ...nowpayments,
    ...btcpay,
    NOWPAYMENTS_EMAIL: 'me@example.org',
    NOWPAYMENTS_PASSWORD: 'word',
    NOWPAYMENTS_OUTCOME_COIN: 'USDTBSC',
  })
  const asked: [path: string, headers: unknown, body: unknown][] = []
  for (const [name, open] of providers) {
    const { provider } = await open({
      callbackUrl: () => 'https://selfie.example/callback',
      localCallbackUrl: () => '',
      publicUrl: '',
      localUrl: () => '',
      keys: { paymentSandboxApi: Buffer.alloc(1), paymentSandboxIpn: Buffer.alloc(1) },
      fetch: async (url, init) => {
        const address = url instanceof Request ? url.url : url.toString()
        asked.push([address, init?.headers, init?.body])
        return Response.json({}, { status: 404 })
      },
      now: Date.now,
    })
    expect(provider.name).toBe(name)
    const signal = new AbortController().signal
    await provider.fetchPayment('5', signal)
    const order = { orderId: 'order', invoiceId: '7' }
    await provider.findPayments(order, signal).catch(() => undefined)
    await provider.checkPrices([1000], signal).catch(() => undefined)
    const body = Buffer.from('{}')
    const headers = {
      'x-nowpayments-sig': createHmac('sha512', 'secret').update(body).digest('hex'),
      'btcpay-sig': `sha256=${createHmac('sha256', 'secret').update(body).digest('hex')}`,
    }
    expect(provider.verifyCallback(body, headers)).toMatchObject({ outcome: 'ignored' })
  }
  const paths = asked.map(([address]) => address)
  expect(paths).toEqual(
    expect.arrayContaining([
      'https://api.nowpayments.io/v1/payment/5',
      'https://api.nowpayments.io/v1/auth',
      'https://pay.example/api/v1/stores/store/invoices/5',
    ]),
  )
  expect(asked.find(([address]) => address.endsWith('/auth'))?.[2]).toBe(
    JSON.stringify({ email: 'me@example.org', password: 'word' }),
  )
  expect(paths.filter((address) => address.includes('min-amount'))).toContainEqual(
    expect.stringContaining('currency_to=usdtbsc'),
  )
  for (const [address, headers] of asked) {
    expect(headers).toMatchObject(
      address.startsWith('https://pay.example/')
        ? { authorization: 'token token' }
        : { 'x-api-key': 'key' },
    )
  }
})

test('an account of NOWPayments that may list nothing asks nobody for payments', async () => {
  const open = read(nowpayments).providers.get('nowpayments')
  const fetch = vi.fn<typeof globalThis.fetch>()
  const parts = { fetch, callbackUrl: () => '', now: Date.now }
  const { provider } = (await open?.(parts as never)) ?? {}
  const order = { orderId: 'order', invoiceId: '7' }
  expect(await provider?.findPayments(order, new AbortController().signal)).toEqual([])
  expect(fetch).not.toHaveBeenCalled()
})
