import fastify from 'fastify'
import { expect, test } from 'vitest'
import { callbackRoutes } from './routes.ts'
import type { Payments } from './payments.ts'
import type { PaymentProvider, ProviderName } from './provider.ts'

/** Our side of the callbacks, with providers that take what begins with their name. */
async function open(...names: ProviderName[]) {
  const noticed: unknown[] = []
  const all = names.map((name) => ({
    name,
    verifyCallback: (rawBody: Buffer) =>
      rawBody.toString().startsWith(name)
        ? { outcome: 'payment', paymentId: rawBody.toString() }
        : { outcome: 'forged' },
  })) as unknown as PaymentProvider[]
  const watcher = { noticeCallback: async (key: unknown) => void noticed.push(key) }
  const payments = { all, watcher } as unknown as Payments
  const app = fastify()
  await app.register(callbackRoutes, { payments })
  const post = async (path: string, body?: string, type = 'application/json') => {
    const { statusCode, payload } = await app.inject({
      method: 'POST',
      url: `/api/payments/${path}`,
      headers: { 'content-type': type },
      ...(body === undefined ? {} : { payload: body }),
    })
    return [statusCode, statusCode === 200 ? JSON.parse(payload) : undefined]
  }
  return { post, noticed }
}

const taken = [200, { success: true }]

test('a callback is taken at its provider’s own address, as the bytes that were sent', async () => {
  const { post, noticed } = await open('nowpayments', 'btcpay')
  const odd = 'nowpayments {"a" : 1e1'
  expect(await post('nowpayments/ipn', odd)).toEqual(taken)
  expect(await post('nowpayments/ipn', 'nowpayments', 'text/plain')).toEqual(taken)
  expect(await post('btcpay/webhook', 'btcpay')).toEqual(taken)
  expect(noticed).toEqual([
    { provider: 'nowpayments', payment_id: odd },
    { provider: 'nowpayments', payment_id: 'nowpayments' },
    { provider: 'btcpay', payment_id: 'btcpay' },
  ])
})

test('a callback at another’s address, with a wrong signature, empty or too large is none', async () => {
  const { post, noticed } = await open('nowpayments', 'btcpay')
  for (const [path, body, status] of [
    ['nowpayments/ipn', 'btcpay', 401],
    ['btcpay/webhook', 'nowpayments', 401],
    ['nowpayments/ipn', 'forged', 401],
    ['nowpayments/ipn', undefined, 401],
    ['nowpayments/ipn', `nowpayments${' '.repeat(64 * 1024)}`, 413],
  ] as const) {
    expect(await post(path, body)).toEqual([status, undefined])
  }
  expect(noticed).toEqual([])
})

test('the address of a provider that is not set up is unknown', async () => {
  const { post } = await open('nowpayments')
  expect(await post('btcpay/webhook', 'btcpay')).toEqual([404, undefined])
})
