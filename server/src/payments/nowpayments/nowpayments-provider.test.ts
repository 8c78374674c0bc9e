import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startNowpaymentsGateway } from '@starside/sandbox/testing/start-nowpayments-gateway.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { PaymentProviderError } from '../provider.ts'
import { createNowpaymentsProvider } from './nowpayments-provider.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

function providerAt(baseUrl: string, more: { outcomeCoin?: string; now?: () => number } = {}) {
  return createNowpaymentsProvider({
    baseUrl: () => baseUrl,
    name: 'nowpayments',
    apiKey: 'key',
    ipnSecret: 'secret',
    merchant: { email: 'merchant@sandbox.example', password: 'sandbox' },
    outcomeCoin: more.outcomeCoin,
    callbackUrl: () => 'http://127.0.0.1:9/ipn',
    fetch,
    now: more.now ?? Date.now,
  })
}

async function startGateway(outcomeCoin = 'usdcmatic') {
  const gateway = await startNowpaymentsGateway({
    outcomeCoin,
    // Nobody listens at the callbacks' address.
    retryDelaysMs: [],
  })
  closers.push(gateway.close)
  return gateway
}

/** A provider that misbehaves as set. */
async function startServer(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(async () => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const signal = () => new AbortController().signal
const checkout = {
  orderId: 'order_1_abcdef',
  price: { minorUnits: 1990, currency: 'usd' },
  description: '200 credits',
  returnUrl: 'https://selfie.example/dashboard',
}

test('payments of other invoices in the list are none of the order’s', async () => {
  const url = await startServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    const isList = request.url?.startsWith('/payment/') === true
    const entry = (payment_id: number, invoice_id: unknown) => ({ payment_id, invoice_id })
    const data = [entry(1, 4), entry(2, 5), entry(3, '4'), entry(4, null), {}]
    response.end(JSON.stringify(isList ? { data } : { token: 'token' }))
  })
  const found = await providerAt(url).findPayments(
    { orderId: checkout.orderId, invoiceId: '4' },
    signal(),
  )
  expect(found.map(({ paymentId }) => paymentId)).toEqual(['1', '3'])
})

test('a payment under an invoice is found by the invoice, with the merchant’s token', async () => {
  const gateway = await startGateway()
  const provider = providerAt(`${gateway.url}/v1`)
  const { invoiceId, paymentUrl } = await provider.createCheckout(checkout, signal())
  expect(paymentUrl).toBe(`${gateway.url}/payment/?iid=${invoiceId}&source=button`)
  const order = { orderId: checkout.orderId, invoiceId }
  expect(await provider.findPayments(order, signal())).toEqual([])
  await fetch(`${gateway.url}/control/invoices/${invoiceId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"action":"underpay","stepDelayMs":0}',
  })
  await gateway.whenQuiet()
  const [found, ...rest] = await provider.findPayments(order, signal())
  expect(rest).toEqual([])
  expect(found).toMatchObject({ state: 'partial', price: checkout.price, invoiceId })
  expect(await provider.fetchPayment(found?.paymentId ?? '', signal())).toEqual(found)
})

test('a token that has ended is renewed', async () => {
  const gateway = await startGateway()
  let nowMs = Date.now()
  const provider = providerAt(`${gateway.url}/v1`, { now: () => nowMs })
  const order = { orderId: checkout.orderId, invoiceId: '1' }
  await provider.findPayments(order, signal())
  nowMs += 6 * 60_000
  expect(await provider.findPayments(order, signal())).toEqual([])
})

test('a payment that the provider doesn’t know is undefined', async () => {
  const gateway = await startGateway()
  expect(await providerAt(`${gateway.url}/v1`).fetchPayment('123', signal())).toBeUndefined()
})

describe('an answer that is no use', () => {
  test.each([
    ['is not JSON', 200, '<html>'],
    ['is a refusal', 403, '{"status":false,"code":"INVALID_API_KEY"}'],
    ['is an outage', 503, ''],
    ['is a limit', 429, '{}'],
    ['has no address to pay at', 200, '{"id":"5","invoice_url":"javascript:alert(1)"}'],
    ['has no id', 200, '{"invoice_url":"https://nowpayments.io/payment/?iid=1"}'],
    ['never ends', 200, undefined],
  ])('because it %s is reported as such', async (_name, status, body) => {
    const url = await startServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      if (body !== undefined) return response.end(body)
      const flood = () => response.write('x'.repeat(64 * 1024), flood)
      flood()
    })
    const refusal = await providerAt(url)
      .createCheckout(checkout, signal())
      .catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(PaymentProviderError)
  })

  test('because the caller gave up ends at once', async () => {
    const url = await startServer(() => {})
    const early = AbortSignal.timeout(20)
    await expect(providerAt(url).fetchPayment('5', early)).rejects.toBeInstanceOf(
      PaymentProviderError,
    )
  })

  test('because it leads elsewhere is not followed with the key', async () => {
    let isFollowed = false
    const elsewhere = await startServer((_request, response) => {
      isFollowed = true
      response.end('{}')
    })
    const url = await startServer((_request, response) => {
      response.writeHead(307, { location: elsewhere }).end()
    })
    await expect(providerAt(url).fetchPayment('5', signal())).rejects.toThrow(/does not answer/)
    expect(isFollowed).toBe(false)
  })

  test('because it is about another payment is refused', async () => {
    const url = await startServer((_request, response) => {
      response.end('{"payment_id":6,"payment_status":"finished"}')
    })
    await expect(providerAt(url).fetchPayment('5', signal())).rejects.toThrow(/payment 5/)
  })
})

describe('the start-up check', () => {
  test('warns of a package under the minimum of the settled coin', async () => {
    const gateway = await startGateway()
    const provider = providerAt(`${gateway.url}/v1`, { outcomeCoin: 'usdttrc20' })
    const sentences = await provider.checkPrices([1000, 1990], signal())
    expect(sentences).toHaveLength(1)
    expect(sentences[0]).toMatch(/\$10\.00 can't be paid in .*btc \(from \$11\.41\).*usdttrc20/)
  })

  test('says nothing where every usual coin will do', async () => {
    const gateway = await startGateway()
    const provider = providerAt(`${gateway.url}/v1`, { outcomeCoin: 'usdcmatic' })
    expect(await provider.checkPrices([1990], signal())).toEqual([])
  })
})
