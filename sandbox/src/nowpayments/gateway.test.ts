import { createHash, createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { startNowpaymentsGateway } from '../testing/start-nowpayments-gateway.ts'
import type { RunningGateway } from '../testing/start-nowpayments-gateway.ts'
import { sortKeys } from './callbacks.ts'
import type { GatewayOptions } from './gateway.ts'

type Json = Record<string, unknown>

interface Received {
  body: string
  signature: string | undefined
}

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** A shop's callback address that answers with `status(n)` for its n-th callback. */
async function startShop(status: (count: number) => number = () => 200) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      received.push({ body, signature: request.headers['x-nowpayments-sig']?.toString() })
      response.writeHead(status(received.length)).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => new Promise((resolve) => server.close(() => resolve())))
  const { port } = server.address() as AddressInfo
  return { received, url: `http://127.0.0.1:${port}/ipn` }
}

async function startGateway(more: Partial<GatewayOptions> = {}): Promise<RunningGateway> {
  const gateway = await startNowpaymentsGateway({
    stepDelayMs: 0,
    retryDelaysMs: [1, 1, 1],
    ...more,
  })
  closers.push(gateway.close)
  return gateway
}

async function call(gateway: RunningGateway, path: string, body?: Json, headers: Json = {}) {
  const response = await fetch(gateway.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      'x-api-key': 'key',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(headers as Record<string, string>),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Json }
}

const tenDollars = { price_amount: 10, price_currency: 'usd', order_id: 'order_1_abcdef' }

async function openPayment(gateway: RunningGateway, ipnUrl: string, coin = 'usdtbsc') {
  const invoice = await call(gateway, '/v1/invoice', { ...tenDollars, ipn_callback_url: ipnUrl })
  const payment = await call(gateway, '/v1/invoice-payment', {
    iid: invoice.body['id'],
    pay_currency: coin,
  })
  return { invoice: invoice.body, payment: payment.body, id: String(payment.body['payment_id']) }
}

function statuses(received: Received[]): unknown[] {
  return received.map(({ body }) => (JSON.parse(body) as Json)['payment_status'])
}

test('a caller without the key is refused in the provider’s own form', async () => {
  const gateway = await startGateway()
  const answer = await call(gateway, '/v1/invoice', tenDollars, { 'x-api-key': 'wrong' })
  expect(answer).toEqual({
    status: 403,
    body: {
      status: false,
      statusCode: 403,
      code: 'INVALID_API_KEY',
      message: 'Invalid api key',
    },
  })
})

test('an invoice spells its price and ids as text and leads to the hosted page', async () => {
  const gateway = await startGateway()
  const { status, body } = await call(gateway, '/v1/invoice', tenDollars)
  expect(status).toBe(201)
  expect(body).toMatchObject({ price_amount: '10', price_currency: 'usd', pay_currency: null })
  expect(body['id']).toMatch(/^\d{10}$/)
  expect(body['invoice_url']).toBe(`${gateway.url}/payment/?iid=${String(body['id'])}`)
  expect(body).not.toHaveProperty('payment_status')
})

test('a payment id is text when opened, a number when read and when called back', async () => {
  const shop = await startShop()
  const gateway = await startGateway()
  const { payment, id } = await openPayment(gateway, shop.url)
  expect(payment['payment_id']).toBeTypeOf('string')
  expect(payment['purchase_id']).toBeTypeOf('string')
  await call(gateway, `/control/payments/${id}`, { action: 'pay' })
  await gateway.whenQuiet()
  const read = await call(gateway, `/v1/payment/${id}`)
  expect(read.body).toMatchObject({
    payment_id: Number(id),
    payment_status: 'finished',
    burning_percent: 'null',
    payment_extra_ids: [],
  })
  expect(read.body['purchase_id']).toBeTypeOf('number')
  const called = JSON.parse(shop.received[0]?.body ?? '') as Json
  expect(called['payment_id']).toBe(Number(id))
  expect(called['purchase_id']).toBeTypeOf('string')
  expect(called['updated_at']).toBeTypeOf('number')
})

test('a paid invoice walks through every status, and every callback is signed', async () => {
  const shop = await startShop()
  const stepDelayMs = 15
  let steps = 0
  const clock = {
    now: () => Date.now(),
    /** A status comes when the callback of the one before has arrived: calls that meet may overtake. */
    async sleep(ms: number) {
      if (ms !== stepDelayMs) return
      await expect.poll(() => shop.received.length).toBe(steps)
      steps += 1
    },
  }
  const gateway = await startGateway({ stepDelayMs, clock })
  const { id } = await openPayment(gateway, shop.url)
  await call(gateway, `/control/payments/${id}`, { action: 'pay' })
  await gateway.whenQuiet()
  expect(statuses(shop.received)).toEqual(['confirming', 'confirmed', 'sending', 'finished'])
  for (const { body, signature } of shop.received) {
    expect(signature).toBe(createHmac('sha512', 'secret').update(body).digest('hex'))
    expect(JSON.stringify(sortKeys(JSON.parse(body)))).toBe(body)
  }
})

test('a callback that is not accepted comes again until it is', async () => {
  const shop = await startShop((count) => (count < 3 ? 500 : 200))
  const gateway = await startGateway()
  const { id } = await openPayment(gateway, shop.url)
  await call(gateway, `/control/payments/${id}`, { action: 'expire' })
  await gateway.whenQuiet()
  expect(statuses(shop.received)).toEqual(['expired', 'expired', 'expired'])
})

test('duplicates, lost and forged callbacks come when asked for', async () => {
  const shop = await startShop()
  const gateway = await startGateway()
  const { id } = await openPayment(gateway, shop.url)
  const control = `/control/payments/${id}`
  await call(gateway, control, { action: 'underpay', silent: true })
  await gateway.whenQuiet()
  expect(shop.received).toEqual([])
  await call(gateway, control, { action: 'resend', duplicates: 2 })
  await gateway.whenQuiet()
  expect(statuses(shop.received)).toEqual(Array(3).fill('partially_paid'))
  await call(gateway, control, { action: 'resend', forge: 'signature' })
  await gateway.whenQuiet()
  const forged = shop.received.at(-1)
  expect(forged?.signature).toMatch(/^[0-9a-f]{128}$/)
  expect(forged?.signature).not.toBe(
    createHmac('sha512', 'secret')
      .update(forged?.body ?? '')
      .digest('hex'),
  )
})

test('an underpaid payment finishes when the rest arrives', async () => {
  const shop = await startShop()
  const gateway = await startGateway()
  const { id, payment } = await openPayment(gateway, shop.url)
  await call(gateway, `/control/payments/${id}`, { action: 'underpay', share: 0.25 })
  await gateway.whenQuiet()
  const half = await call(gateway, `/v1/payment/${id}`)
  expect(half.body).toMatchObject({ payment_status: 'partially_paid', actually_paid: 2.5 })
  await call(gateway, `/control/payments/${id}`, { action: 'pay-rest' })
  await gateway.whenQuiet()
  const whole = await call(gateway, `/v1/payment/${id}`)
  expect(whole.body).toMatchObject({
    payment_status: 'finished',
    actually_paid: payment['pay_amount'],
  })
})

test('a repeated deposit is a payment of its own with the same order and a parent', async () => {
  const shop = await startShop()
  const gateway = await startGateway()
  const { id } = await openPayment(gateway, shop.url)
  await call(gateway, `/control/payments/${id}`, { action: 'pay' })
  await gateway.whenQuiet()
  const again = await call(gateway, `/control/payments/${id}`, { action: 'deposit-again' })
  await gateway.whenQuiet()
  const child = await call(gateway, `/v1/payment/${String(again.body['payment_id'])}`)
  expect(child.body).toMatchObject({
    parent_payment_id: Number(id),
    order_id: 'order_1_abcdef',
    payment_status: 'finished',
  })
  expect(child.body['payment_id']).not.toBe(Number(id))
})

test('what is done to an invoice is done to the payment that its buyer began last', async () => {
  const shop = await startShop()
  const gateway = await startGateway()
  const { id, invoice } = await openPayment(gateway, shop.url)
  const later = await call(gateway, '/v1/invoice-payment', {
    iid: invoice['id'],
    pay_currency: 'ltc',
  })
  const paid = await call(gateway, `/control/invoices/${String(invoice['id'])}`, { action: 'pay' })
  await gateway.whenQuiet()
  expect(String(paid.body['payment_id'])).toBe(String(later.body['payment_id']))
  const first = await call(gateway, `/v1/payment/${id}`)
  expect(first.body['payment_status']).toBe('waiting')
})

test('an amount under the minimum of the settled coin is refused', async () => {
  const gateway = await startGateway({ outcomeCoin: 'usdttrc20' })
  const answer = await call(gateway, '/v1/payment', { ...tenDollars, pay_currency: 'btc' })
  expect(answer).toMatchObject({ status: 400, body: { code: 'AMOUNT_MINIMAL_ERROR' } })
  const minimum = await call(
    gateway,
    '/v1/min-amount?currency_from=btc&currency_to=usdttrc20&fiat_equivalent=usd',
  )
  expect(minimum.body['fiat_equivalent']).toBe(11.41)
})

test('the list of payments needs the merchant’s token as well as the key, for five minutes', async () => {
  let nowMs = Date.parse('2026-11-20T12:00:00Z')
  const sleep = () => Promise.resolve()
  const gateway = await startGateway({ clock: { now: () => nowMs, sleep } })
  const { id, invoice } = await openPayment(gateway, 'http://127.0.0.1:9/')
  const path = `/v1/payment/?invoiceId=${String(invoice['id'])}&limit=5`
  expect(await call(gateway, path)).toMatchObject({ status: 401 })
  const { body } = await call(gateway, '/v1/auth', {
    email: 'merchant@sandbox.example',
    password: 'sandbox',
  })
  const list = await call(gateway, path, undefined, {
    authorization: `Bearer ${String(body['token'])}`,
  })
  expect(list.body).toMatchObject({ total: 1, pagesCount: 1, data: [{ payment_id: Number(id) }] })
  const statusAt = async (ms: number) => {
    nowMs += ms
    const authorization = `Bearer ${String(body['token'])}`
    return (await call(gateway, path, undefined, { authorization })).status
  }
  expect([await statusAt(299_999), await statusAt(1)]).toEqual([200, 401])
})

test('the pay page works with plain forms, marks test money and allows no script but its own', async () => {
  const shop = await startShop()
  const gateway = await startGateway()
  const invoice = await call(gateway, '/v1/invoice', {
    ...tenDollars,
    order_description: '<b>100 credits</b>',
    ipn_callback_url: shop.url,
    success_url: 'https://shop.example/done?a=1&b=2',
  })
  const iid = String(invoice.body['id'])
  const address = `${gateway.url}/payment/?iid=${iid}&source=button`
  const press = (action: string) =>
    fetch(address, { method: 'POST', body: new URLSearchParams({ iid, action }) })

  const open = await fetch(address)
  const html = await open.text()
  const policy = open.headers.get('content-security-policy') ?? ''
  expect(policy).toMatch(/^default-src 'none'; style-src 'sha/)
  expect(html).toContain('TEST MONEY')
  expect(html).not.toContain('<b>100 credits</b>')
  const [, script = ''] = /<script>([^<]*)<\/script>/.exec(html) ?? []
  const digest = createHash('sha256').update(script).digest('base64')
  expect([script.length > 0, html.split('<script').length - 1]).toEqual([true, 1])
  expect(policy).toContain(`script-src 'sha256-${digest}';`)
  expect(html.match(/<button [^>]*>[^<]*/g)).toEqual([
    '<button name="action" value="pay">Pay',
    '<button name="action" value="underpay">Pay a part',
    '<button name="action" value="pay-late">Pay late',
    '<button name="action" value="fail">Fail',
    '<button name="action" value="refund" disabled>Refund',
  ])

  expect((await press('pay')).status).toBe(200)
  await gateway.whenQuiet()
  const done = await (await fetch(address)).text()
  expect(done).toContain('Paid in full')
  expect(done).toContain('href="https://shop.example/done?a=1&#38;b=2"')

  const refused = await press('expire')
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('is not possible while the payment is finished')
})

test('the pay page of a cancelled order says so and takes no more money, but for a buyer who pays late', async () => {
  const shop = await startShop()
  const gateway = await startGateway()
  const { invoice } = await openPayment(gateway, shop.url)
  const iid = String(invoice['id'])
  const address = `${gateway.url}/payment/?iid=${iid}`
  const press = (action: string) =>
    fetch(address, { method: 'POST', body: new URLSearchParams({ iid, action }) })
  gateway.cancelInvoice(iid)
  const html = await (await fetch(address)).text()
  expect(html).toContain('<h1>This order was cancelled</h1>')
  expect(html.match(/value="[^"]*">[^<]*<\/button>/g)).toEqual([
    'value="pay-late">Pay late</button>',
  ])
  // A page that was opened before has its buttons still.
  const stale = await press('pay')
  await gateway.whenQuiet()
  expect([stale.status, await stale.text(), shop.received]).toEqual([
    200,
    expect.stringContaining('This order was cancelled'),
    [],
  ])
  await press('pay-late')
  await gateway.whenQuiet()
  expect(await (await fetch(address)).text()).toContain('Paid in full')
  expect(statuses(shop.received).at(-1)).toBe('finished')
})

test('cancelling an invoice that a restart has forgotten changes nothing', async () => {
  const gateway = await startGateway()
  expect(() => gateway.cancelInvoice('4000000001')).not.toThrow()
})
