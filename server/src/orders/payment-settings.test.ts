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
  test('test money is taken, beside the program’s port', () => {
    expect(read({ PORT: '4000' })).toMatchObject({ active: 'sandbox', sandbox: { port: 4001 } })
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
    expect(settings).toMatchObject({
      active: 'nowpayments',
      sandbox: undefined,
      nowpayments: { baseUrl: 'https://api.nowpayments.io/v1', merchant: undefined },
    })
    expect(read({ ...production, ...btcpay })).toMatchObject({
      active: 'btcpay',
      btcpay: { url: 'https://pay.example' },
    })
  })

  test('one of two providers is chosen by name; the other still settles its orders', () => {
    const settings = read({ ...nowpayments, ...btcpay, PAYMENT_PROVIDER: 'btcpay' })
    expect(settings.active).toBe('btcpay')
    expect(settings.nowpayments).toBeDefined()
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
