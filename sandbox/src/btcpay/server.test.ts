import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { change, presentMethod, webhookBody } from './invoice.ts'
import type { BtcpayAction, Invoice } from './invoice.ts'
import { startBtcpayServer } from './server.ts'
import type { RunningBtcpayServer } from './server.ts'

const nowMs = Date.parse('2026-11-20T12:00:00.900Z')
const nowSeconds = Date.parse('2026-11-20T12:00:00Z') / 1_000

let server: RunningBtcpayServer
const received: { body: string; signature: unknown; type: unknown }[] = []
const shop = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    const { 'btcpay-sig': signature, 'content-type': type } = request.headers
    received.push({ body, signature, type })
    response.writeHead(202).end()
  })
})
beforeAll(async () => {
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
  const { port } = shop.address() as AddressInfo
  server = await startBtcpayServer({
    port: 0,
    host: '127.0.0.1',
    apiKey: 'key',
    storeId: 'store',
    webhook: { url: `http://127.0.0.1:${port}/webhook`, secret: 'secret' },
    now: () => nowMs,
  })
})
afterAll(async () => {
  await server.close()
  shop.closeAllConnections()
  shop.close()
})

async function call(
  path: string,
  json?: object,
  key = 'key',
): Promise<{ status: number; body: any }> {
  const response = await fetch(`${server.url}/api/v1/stores/store/invoices${path}`, {
    method: json === undefined ? 'GET' : 'POST',
    headers: { authorization: `token ${key}`, 'content-type': 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  })
  return { status: response.status, body: await response.json() }
}

test('an invoice is answered as the Greenfield API does, and found again by its order', async () => {
  const metadata = { orderId: 'order_one' }
  const asked = { amount: '19.90', currency: 'EUR', metadata, checkout: { expirationMinutes: 60 } }
  const { body } = await call('', asked)
  expect(body).toEqual({
    id: expect.stringMatching(/^[\w-]{22}$/),
    storeId: 'store',
    amount: '19.90',
    paidAmount: '0.00',
    currency: 'EUR',
    type: 'Standard',
    checkoutLink: `${server.url}/i/${body.id}`,
    createdTime: nowSeconds,
    expirationTime: nowSeconds + 3_600,
    monitoringExpiration: nowSeconds + 3_600 + 86_400,
    status: 'New',
    additionalStatus: 'None',
    metadata,
    checkout: { expirationMinutes: 60 },
    archived: false,
  })
  const other = await call('', { amount: '5' })
  expect(other.body).toMatchObject({ currency: 'USD', expirationTime: nowSeconds + 900 })
  expect((await call(`/${body.id}`)).body).toEqual(body)
  expect((await call('?orderId=order_one')).body).toEqual([body])
  const ids = (await call('')).body.map(({ id }: Invoice) => id)
  expect(ids).toEqual([body.id, other.body.id])
})

test('a wrong key, amount or id is refused in the API’s own form', async () => {
  expect(await call('', { amount: '5' }, 'wrong')).toEqual({
    status: 401,
    body: { code: 'unauthenticated', message: 'Authentication is required' },
  })
  for (const amount of [undefined, 5, '0', '-1', 'many']) {
    const { status, body } = await call('', { amount })
    expect([status, body]).toEqual([422, [{ path: 'amount', message: 'The amount is not valid' }]])
  }
  for (const path of ['/none', '/none/payment-methods']) {
    const { status, body } = await call(path)
    expect([status, body.code]).toEqual([404, 'invoice-not-found'])
  }
  await expect(server.act('none', { kind: 'expire' })).rejects.toThrow('no invoice none')
})

test('what happens is reported by webhooks, signed over their indented bytes, unless they get lost', async () => {
  const { id } = (await call('', { amount: '1000', metadata: { orderId: 'order_two' } })).body
  received.length = 0
  const deposit = { kind: 'deposit', share: 1 } as const
  expect(await server.act(id, deposit)).toEqual([202, 202])
  const told = received.map(({ body }) => JSON.parse(body) as Record<string, unknown>)
  expect(told.map(({ type }) => type)).toEqual(['InvoiceReceivedPayment', 'InvoiceProcessing'])
  expect(told[0]).toMatchObject({
    invoiceId: id,
    storeId: 'store',
    metadata: { orderId: 'order_two' },
    timestamp: nowSeconds,
    afterExpiration: false,
    isRedelivery: false,
  })
  for (const { body, signature, type } of received) {
    const expected = createHmac('sha256', 'secret').update(body).digest('hex')
    expect([signature, type]).toEqual([`sha256=${expected}`, 'application/json; charset=utf-8'])
    expect(body).toContain('\n  "')
  }
  expect(await server.act(id, { kind: 'confirm' }, { silent: true })).toEqual([])
  expect(received).toHaveLength(2)
  expect((await call(`/${id}`)).body).toMatchObject({ status: 'Settled', paidAmount: '1000.00' })
  const [method] = (await call(`/${id}/payment-methods`)).body
  expect(method).toMatchObject({ amount: '0.01000000', totalPaid: '0.01000000', due: '0.00000000' })
  expect(await server.sendWebhook({ forged: true }, 'other')).toBe(202)
  const { body, signature } = received.at(-1)
  expect(signature).toBe(`sha256=${createHmac('sha256', 'other').update(body).digest('hex')}`)
})

const openInvoice = (): Invoice => ({
  id: 'A-b_1',
  storeId: 'store',
  amount: '100',
  currency: 'USD',
  metadata: {},
  checkout: {},
  status: 'New',
  additionalStatus: 'None',
  createdTime: 0,
  expirationTime: 0,
  deposits: [],
})
const pay = (share: number): BtcpayAction => ({ kind: 'deposit', share })
const [confirm, expire] = [{ kind: 'confirm' }, { kind: 'expire' }] as const

test.each<[string, BtcpayAction[], string, string]>([
  ['a whole deposit', [pay(1)], 'Processing None', 'ReceivedPayment Processing'],
  ['and its confirmation', [pay(1), confirm], 'Settled None', 'PaymentSettled Settled'],
  ['a part', [pay(0.5)], 'New PaidPartial', 'ReceivedPayment'],
  ['the rest', [pay(0.5), pay(0.5)], 'Processing PaidPartial', 'ReceivedPayment Processing'],
  ['both confirmed', [pay(0.5), pay(0.5), confirm], 'Settled None', 'PaymentSettled Settled'],
  ['too much', [pay(1.5)], 'Processing PaidOver', 'ReceivedPayment Processing'],
  ['a part confirmed', [pay(0.5), confirm], 'New PaidPartial', 'PaymentSettled'],
  ['the end of its time', [expire], 'Expired None', 'Expired'],
  ['a part too late', [expire, pay(0.5)], 'Expired PaidPartial', 'ReceivedPayment late'],
  ['all of it too late', [expire, pay(1)], 'Expired PaidLate', 'ReceivedPayment late'],
  ['more than all too late', [expire, pay(2)], 'Expired PaidLate', 'ReceivedPayment late'],
  ['a late one confirmed', [expire, pay(1), confirm], 'Expired PaidLate', 'PaymentSettled late'],
  ['a loss', [pay(1), { kind: 'invalidate' }], 'Invalid None', 'Invalid'],
  ['a word by hand', [{ kind: 'mark-settled' }], 'Settled Marked', 'Settled'],
])('after %s an invoice says so', (_what, actions, status, told) => {
  const invoice = openInvoice()
  const events = actions.map((action) => change(invoice, action)).at(-1)
  expect(`${invoice.status} ${invoice.additionalStatus}`).toBe(status)
  const words = events?.map(({ type, late }) => type.replace('Invoice', '') + (late ? ' late' : ''))
  expect(words?.join(' ')).toBe(told)
})

test('a method says what was paid and what is due, in coins, and each webhook has its own id', () => {
  const invoice = openInvoice()
  change(invoice, pay(0.25))
  change(invoice, confirm)
  change(invoice, pay(1))
  expect(presentMethod(invoice)).toMatchObject({
    paymentMethodId: 'BTC-CHAIN',
    currency: 'BTC',
    destination: 'bcrt1qab1',
    rate: '100000',
    amount: '0.00100000',
    paymentMethodPaid: '0.00125000',
    totalPaid: '0.00125000',
    due: '0.00000000',
    payments: [
      { id: 'A-b_1-0', value: '0.00025000', status: 'Settled' },
      { id: 'A-b_1-1', value: '0.00100000', status: 'Processing' },
    ],
  })
  const [one, other] = [1, 2].map(() => webhookBody(invoice, { type: 'x', late: true }, 1_999))
  expect(one?.deliveryId).not.toBe(other?.deliveryId)
  expect(one).toMatchObject({
    originalDeliveryId: one?.deliveryId,
    afterExpiration: true,
    timestamp: 1,
  })
})
