import { createHmac } from 'node:crypto'
import { startBtcpayServer } from '@starside/sandbox/btcpay/server.ts'
import type { RunningBtcpayServer } from '@starside/sandbox/btcpay/server.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditBooks } from '../../ledger/credits/audit.ts'
import { openTestApp } from '../../testing/open-test-app.ts'
import type { TestApp } from '../../testing/open-test-app.ts'
import { auditOrders } from '../audit-orders.ts'
import { reconcileOrders } from '../reconcile-orders.ts'
import { mapStatus } from './read-invoice.ts'
import { isWebhookAuthentic } from './btcpay-provider.ts'

const secret = 'webhook-secret'

let app: TestApp
let btcpay: RunningBtcpayServer
beforeAll(async () => {
  let appUrl = ''
  btcpay = await startBtcpayServer({
    port: 0,
    host: '127.0.0.1',
    apiKey: 'token',
    storeId: 'store1',
    webhook: { url: 'http://app/api/payments/btcpay/webhook', secret },
    fetch: (_input, init) => fetch(`${appUrl}/api/payments/btcpay/webhook`, init),
  })
  app = await openTestApp({
    settings: {
      BTCPAY_URL: btcpay.url,
      BTCPAY_API_KEY: 'token',
      BTCPAY_STORE_ID: 'store1',
      BTCPAY_WEBHOOK_SECRET: secret,
    },
  })
  appUrl = app.url
})
afterAll(async () => {
  expect((await auditBooks(app.context.database)).findings).toEqual([])
  expect(await auditOrders(app.context.database)).toEqual([])
  await app[Symbol.asyncDispose]()
  await btcpay.close()
})

async function buy() {
  const { token } = await app.register()
  const { body } = await app.call('/api/orders', { token, json: { packageType: 'basic' } })
  const invoiceId: string = body.data.nowpaymentsId
  const read = async () => {
    await app.context.payments.watcher.whenIdle()
    const path = `/api/orders/status?order_id=${body.data.orderId}`
    const { data } = (await app.call(path, { token })).body
    const { user } = (await app.call('/api/user?action=profile', { token })).body
    return { ...data, balance: user.creditsBalance }
  }
  const flags = async () =>
    (
      await app.context.database
        .selectFrom('order_flags')
        .select('kind')
        .where('order_id', '=', body.data.orderId)
        .where('resolved_at', 'is', null)
        .execute()
    ).map(({ kind }) => kind)
  return { order: body.data, invoiceId, read, flags }
}

describe('with BTCPay Server', () => {
  test('an order leads to the checkout and is credited once the payment is settled', async () => {
    const { order, invoiceId, read } = await buy()
    expect(order).toMatchObject({ status: 'pending', testMoney: false })
    expect(order.paymentUrl).toBe(`${btcpay.url}/i/${invoiceId}`)
    expect(await btcpay.act(invoiceId, { kind: 'deposit', share: 1 })).toEqual([200, 200])
    expect(await read()).toMatchObject({ status: 'processing', balance: 1 })
    await btcpay.act(invoiceId, { kind: 'confirm' })
    expect(await read()).toMatchObject({ status: 'completed', balance: 101, paidLate: false })
  })

  test('a redelivery with a new id changes nothing', async () => {
    const { order, invoiceId, read } = await buy()
    await btcpay.act(invoiceId, { kind: 'mark-settled' })
    for (const deliveryId of ['a', 'b']) {
      await btcpay.sendWebhook({
        deliveryId,
        isRedelivery: true,
        type: 'InvoiceSettled',
        storeId: 'store1',
        invoiceId,
        metadata: { orderId: order.orderId },
      })
    }
    expect(await read()).toMatchObject({ status: 'completed', balance: 101 })
  })

  test('a late payment is credited when its deposits are settled, though the invoice stays expired', async () => {
    const { invoiceId, read } = await buy()
    await btcpay.act(invoiceId, { kind: 'expire' })
    expect((await read()).status).toBe('expired')
    await btcpay.act(invoiceId, { kind: 'deposit', share: 1 })
    expect(await read()).toMatchObject({ status: 'processing', balance: 1, paidLate: true })
    await btcpay.act(invoiceId, { kind: 'confirm' })
    expect(await read()).toMatchObject({ status: 'completed', balance: 101, paidLate: true })
  })

  test('a partial payment shows what is missing, and the rest completes it', async () => {
    const { invoiceId, read, flags } = await buy()
    await btcpay.act(invoiceId, { kind: 'deposit', share: 0.4 })
    const order = await read()
    expect(order).toMatchObject({ status: 'processing', balance: 1 })
    expect(order.underpaid).toMatchObject({ missingAmount: '0.00006', currency: 'Bitcoin' })
    expect(await flags()).toEqual(['underpaid'])
    await btcpay.act(invoiceId, { kind: 'deposit', share: 0.6 })
    await btcpay.act(invoiceId, { kind: 'confirm' })
    expect(await read()).toMatchObject({ status: 'completed', balance: 101, underpaid: null })
    expect(await flags()).toEqual([])
  })

  test('an overpaid invoice is credited once and flagged', async () => {
    const { invoiceId, read, flags } = await buy()
    await btcpay.act(invoiceId, { kind: 'deposit', share: 1.5 })
    await btcpay.act(invoiceId, { kind: 'confirm' })
    expect(await read()).toMatchObject({ status: 'completed', balance: 101 })
    expect(await flags()).toEqual(['overpaid'])
  })

  test('an invalid invoice fails its order', async () => {
    const { invoiceId, read } = await buy()
    await btcpay.act(invoiceId, { kind: 'invalidate' })
    expect(await read()).toMatchObject({ status: 'failed', balance: 1 })
  })

  test('an invoice that becomes invalid after it was credited is flagged, once', async () => {
    const { invoiceId, read, flags } = await buy()
    await btcpay.act(invoiceId, { kind: 'deposit', share: 1 })
    await btcpay.act(invoiceId, { kind: 'confirm' })
    expect(await read()).toMatchObject({ status: 'completed', balance: 101 })
    expect(await flags()).toEqual([])
    await btcpay.act(invoiceId, { kind: 'invalidate' })
    await btcpay.act(invoiceId, { kind: 'invalidate' })
    expect(await read()).toMatchObject({ status: 'completed', balance: 101 })
    expect(await flags()).toEqual(['failed_after_credit'])
  })

  test('a webhook is only a hint: the invoice is read again before anything moves', async () => {
    const { order, invoiceId, read } = await buy()
    const body = { type: 'InvoiceSettled', storeId: 'store1', invoiceId, metadata: order }
    expect(await btcpay.sendWebhook(body)).toBe(200)
    expect(await read()).toMatchObject({ status: 'pending', balance: 1 })
    expect(await btcpay.sendWebhook(body, 'another secret')).toBe(401)
  })

  test('test deliveries, other stores and nonsense are answered and ignored', async () => {
    const known = await countPayments()
    for (const body of [
      { type: 'InvoiceSettled', storeId: 'store1', invoiceId: '__test__abc__test__' },
      { type: 'InvoiceSettled', storeId: 'other', invoiceId: 'abc' },
      { type: 'InvoiceSettled', storeId: 'store1', invoiceId: '../../users' },
      {},
    ]) {
      expect(await btcpay.sendWebhook(body)).toBe(200)
    }
    expect(await countPayments()).toBe(known)
  })

  test('a payment whose webhooks were lost is found by reading the invoice again', async () => {
    const { invoiceId, read } = await buy()
    await btcpay.act(invoiceId, { kind: 'mark-settled' }, { silent: true })
    expect((await read()).status).toBe('pending')
    app.passTime(10 * 60_000)
    await reconcileOrders(app.context, new AbortController().signal)
    expect(await read()).toMatchObject({ status: 'completed', balance: 101 })
  })
})

async function countPayments(): Promise<number> {
  const { count } = await app.context.database
    .selectFrom('payments')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

describe('BTCPay-Sig', () => {
  const body = Buffer.from('{\n  "type": "InvoiceSettled",\n  "invoiceId": "é"\n}')
  const sign = (bytes: Buffer, key = secret) =>
    `sha256=${createHmac('sha256', key).update(bytes).digest('hex')}`

  test('is over the raw bytes, indentation included', () => {
    expect(isWebhookAuthentic(body, sign(body), secret)).toBe(true)
    const compact = Buffer.from(JSON.stringify(JSON.parse(body.toString())))
    expect(isWebhookAuthentic(compact, sign(body), secret)).toBe(false)
  })

  test('computed by OpenSSL is authentic', () => {
    // printf '{\n  "a": 1\n}' | openssl dgst -sha256 -hmac webhook-secret
    const digest = '8e695913a7fba6e6196e2083821858136c9d23b2e8216d5389b8a94951b25bd3'
    expect(
      isWebhookAuthentic(Buffer.from('{\n  "a": 1\n}'), `sha256=${digest}`, 'webhook-secret'),
    ).toBe(true)
  })

  test.each([
    ['of another secret', sign(body, 'other')],
    ['without its prefix', sign(body).slice(7)],
    ['of another hash', sign(body).replace('sha256', 'sha512')],
    ['cut short', sign(body).slice(0, -1)],
    ['that is empty', ''],
    ['that is missing', undefined],
  ])('%s is refused', (_name, header) => {
    expect(isWebhookAuthentic(body, header, secret)).toBe(false)
  })
})

test.each([
  ['New', 'None', 'waiting'],
  ['New', 'PaidPartial', 'partial'],
  ['Processing', 'None', 'processing'],
  ['Processing', 'PaidOver', 'processing'],
  ['Settled', 'None', 'finished'],
  ['Settled', 'Marked', 'finished'],
  ['Expired', 'None', 'expired'],
  ['Expired', 'PaidPartial', 'partial'],
  ['Expired', 'PaidLate', 'processing'],
  ['Invalid', 'None', 'failed'],
  ['Invalid', 'Marked', 'failed'],
  ['Levitating', 'None', 'unknown'],
] as const)('the status %s with %s means %s', (status, additional, state) => {
  expect(mapStatus(status, additional, [])).toBe(state)
})
