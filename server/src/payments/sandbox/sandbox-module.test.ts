import { coinName } from '@starside/contract/coin-names.ts'
import { coins } from '@starside/sandbox/nowpayments/payments.ts'
import { expect, test } from 'vitest'
import { openTestApp } from '../../testing/open-test-app.ts'
import { openPayments } from '../payments.ts'

const checkout = {
  orderId: 'order_1_abcdef',
  price: { minorUnits: 1000, currency: 'usd' },
  description: '100 credits',
  returnUrl: 'https://selfie.example/dashboard',
}
const signal = () => new AbortController().signal

test('test money is paid at a page of the program itself, by the public address', async () => {
  await using app = await openTestApp()
  const { invoiceId, paymentUrl } = await app.context.payments.active.createCheckout(
    checkout,
    signal(),
  )
  const path = `/sandbox/payment/?iid=${invoiceId}&source=button`
  expect(paymentUrl).toBe(`https://selfie.example${path}`)
  const { status, headers, body } = await app.call(path)
  expect([status, String(body)]).toEqual([200, expect.stringContaining('TEST MONEY')])
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
  expect((await app.call('/sandbox/v1/payment/5')).status).toBe(403)
})

test('a coin of test money has the name that orders give it', () => {
  const named = [...coins.keys()].map((code) => [code, coinName(code)])
  expect([...coins].map(([code, { name }]) => [code, name])).toEqual(named)
})

test('where real money is taken, nothing of the gateway can be reached', async () => {
  const settings = { NOWPAYMENTS_API_KEY: 'key', NOWPAYMENTS_IPN_SECRET: 'secret' }
  await using app = await openTestApp({ settings })
  const paths = ['/sandbox/payment/?iid=1', '/sandbox/control/quiet', '/sandbox/v1/payment/5']
  const calls = paths.map((path) => app.call(path))
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([404, 404, 404])
  const act = await app.call('/sandbox/control/invoices/1', { json: { action: 'pay' } })
  expect(act.status).toBe(404)
})

test('a worker asks the gateway of the program that serves the public address', async () => {
  await using app = await openTestApp()
  const asked: string[] = []
  const payments = await openPayments({
    ...app.context,
    config: { ...app.context.config, role: 'worker', publicUrl: 'https://selfie.example' },
    fetch: async (url) => {
      asked.push(url instanceof Request ? url.url : url.toString())
      return Response.json({}, { status: 404 })
    },
  })
  await payments.active.fetchPayment('5', signal())
  await payments.close()
  expect(asked).toEqual(['https://selfie.example/sandbox/v1/payment/5'])
})
