import { createHash, createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { startNowpaymentsGateway } from '../testing/start-nowpayments-gateway.ts'
import type { RunningGateway } from '../testing/start-nowpayments-gateway.ts'
import { sortKeys } from './callbacks.ts'
import { openNowpaymentsGateway } from './gateway.ts'
import type { GatewayOptions } from './gateway.ts'
import { findCoin, minimumUsd, roundTo } from './payments.ts'

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

test('what can’t be read is refused by the name of its field, what is unknown as not found', async () => {
  const gateway = await startGateway()
  const refusal = async (path: string, body?: Json) => {
    const { status, body: told } = await call(gateway, path, body)
    return [status, told['code'], told['message']]
  }
  const bad = (message: string) => [400, 'BAD_REQUEST', message]
  expect(await refusal('/v1/invoice', { ...tenDollars, price_amount: 0 })).toEqual(
    bad('price_amount could not be read'),
  )
  expect(await refusal('/v1/invoice', { ...tenDollars, price_currency: 'eur' })).toEqual(
    bad('price_currency could not be read'),
  )
  expect(await refusal('/v1/invoice', { ...tenDollars, success_url: 'javascript:x' })).toEqual(
    bad('success_url could not be read'),
  )
  expect(await refusal('/v1/payment', { ...tenDollars, pay_currency: 'gold' })).toEqual(
    bad('Currency gold was not found'),
  )
  expect(await refusal('/v1/payment/1')).toEqual([404, 'NOT_FOUND', 'Payment not found'])
  const unknown = { iid: '1', pay_currency: 'btc' }
  expect(await refusal('/v1/invoice-payment', unknown)).toEqual([
    404,
    'NOT_FOUND',
    'Invoice not found',
  ])
  const broken = await fetch(`${gateway.url}/v1/invoice`, {
    method: 'POST',
    headers: { 'x-api-key': 'key', 'content-type': 'application/json' },
    body: '{',
  })
  expect(await broken.json()).toMatchObject({
    statusCode: 400,
    message: 'The request could not be read',
  })
  const { id } = await openPayment(gateway, 'http://127.0.0.1:9/')
  for (const [field, value] of Object.entries({
    duplicates: 21,
    stepDelayMs: 600_001,
    share: 101,
    forge: 'everything',
    stopAt: 'never',
    action: 'dance',
  })) {
    const asked = { action: 'pay', [field]: value }
    expect(await refusal(`/control/payments/${id}`, asked)).toEqual(
      bad(`${field} could not be read`),
    )
  }
  expect(await refusal(`/control/payments/${id}`, { action: 'refund' })).toEqual(
    bad("'refund' is not possible while the payment is waiting"),
  )
})

test('each coin has its least amount and its decimal places', async () => {
  const gateway = await startGateway()
  const { body } = await call(gateway, '/v1/merchant/coins')
  expect(body['selectedCurrencies']).toEqual(expect.arrayContaining(['btc', 'trx', 'usdcmatic']))
  const least = async (query: string) => (await call(gateway, `/v1/min-amount?${query}`)).body
  const bitcoin = await least('currency_from=btc')
  expect(bitcoin['fiat_equivalent']).toBe(minimumUsd('btc', 'usdcmatic'))
  expect(bitcoin['min_amount']).toBe(
    roundTo('btc', Number(bitcoin['fiat_equivalent']) / findCoin('btc').usd),
  )
  expect(minimumUsd('btc', 'trx')).toBe(Math.max(findCoin('btc').minUsd, findCoin('trx').minUsd))
})

test('a payment fails, expires and is refunded, pays late and stops where it is told', async () => {
  const shop = await startShop()
  const gateway = await startGateway()
  const walk = async (...steps: Json[]) => {
    const { id } = await openPayment(gateway, shop.url)
    for (const step of steps) {
      await call(gateway, `/control/payments/${id}`, step)
      await gateway.whenQuiet()
    }
    const { body } = await call(gateway, `/v1/payment/${id}`)
    return [body['payment_status'], body['actually_paid']]
  }
  expect(await walk({ action: 'fail' })).toEqual(['failed', 0])
  expect(await walk({ action: 'expire' })).toEqual(['expired', 0])
  expect(await walk({ action: 'expire' }, { action: 'pay-late' })).toEqual(['finished', 10])
  expect(await walk({ action: 'pay' }, { action: 'refund' })).toEqual(['refunded', 10])
  expect(await walk({ action: 'pay', stopAt: 'confirmed' })).toEqual(['confirmed', 10])
  expect(await walk({ action: 'underpay' })).toEqual(['partially_paid', 6])
  expect(await walk({ action: 'overpay' })).toEqual(['finished', 12.5])
  shop.received.length = 0
  await walk({ action: 'pay-late' })
  expect(new Set(statuses(shop.received))).toEqual(
    new Set(['expired', 'confirming', 'confirmed', 'sending', 'finished']),
  )
  await walk({ action: 'fail', silent: true }, { action: 'resend', status: 'finished' })
  expect(statuses(shop.received).at(-1)).toBe('finished')
})

test('a deposit in another coin is a payment in that coin', async () => {
  const gateway = await startGateway()
  for (const [coin, other] of [
    ['ltc', 'trx'],
    ['trx', 'ltc'],
  ] as const) {
    const { id, invoice } = await openPayment(gateway, 'http://127.0.0.1:9/', coin)
    const control = `/control/payments/${id}`
    await call(gateway, control, { action: 'pay', silent: true })
    await gateway.whenQuiet()
    const { body } = await call(gateway, control, { action: 'wrong-asset', silent: true })
    await gateway.whenQuiet()
    expect(body).toMatchObject({
      pay_currency: other,
      parent_payment_id: Number(id),
      invoice_id: Number(invoice['id']),
    })
  }
})

test.each([
  [
    'no-signature',
    (body: Json) => [body['price_amount'], body['order_id']],
    [10, 'order_1_abcdef'],
  ],
  ['body', (body: Json) => [body['price_amount'], body['payment_status']], [1, 'finished']],
  ['price', (body: Json) => body['price_amount'], 0.01],
  ['currency', (body: Json) => body['price_currency'], 'trx'],
  ['order', (body: Json) => body['order_id'], 'order_unknown_aaaaaa'],
])(
  'a callback forged by its %s is sent once and lies in nothing else',
  async (forge, read, lie) => {
    const shop = await startShop(() => 500)
    const gateway = await startGateway()
    const { id } = await openPayment(gateway, shop.url)
    await call(gateway, `/control/payments/${id}`, { action: 'resend', forge })
    await gateway.whenQuiet()
    const [{ body, signature }] = shop.received as [Received]
    expect(shop.received).toHaveLength(1)
    expect(read(JSON.parse(body) as Json)).toEqual(lie)
    const own = createHmac('sha512', 'secret').update(body).digest('hex')
    const isSigned = !['no-signature', 'body'].includes(forge)
    expect(signature === own).toBe(isSigned)
    expect(signature === undefined).toBe(forge === 'no-signature')
    const { body: quiet } = await call(gateway, '/control/quiet')
    expect(quiet).toEqual({ quiet: true, lastStatus: 500 })
  },
)

test('a callback cut off or nested beyond measure is signed as it is', async () => {
  const shop = await startShop()
  const gateway = await startGateway()
  const { id } = await openPayment(gateway, shop.url)
  for (const forge of ['truncated', 'nested']) {
    await call(gateway, `/control/payments/${id}`, { action: 'resend', forge })
    await gateway.whenQuiet()
    const { body, signature } = shop.received.at(-1)
    expect(signature).toBe(createHmac('sha512', 'secret').update(body).digest('hex'))
    expect(body.startsWith('{"a":{"a":')).toBe(forge === 'nested')
    if (forge === 'truncated') expect(() => JSON.parse(body) as unknown).toThrow()
  }
})

test('the pay page says where a payment stands, looks again while it moves, and leads back', async () => {
  const gate = Promise.withResolvers<void>()
  const clock = { now: () => Date.now(), sleep: () => gate.promise }
  const gateway = await startGateway({ clock })
  const { body: invoice } = await call(gateway, '/v1/invoice', {
    ...tenDollars,
    order_description: '100 credits',
    cancel_url: 'https://shop.example/back',
    success_url: 'https://shop.example/done',
  })
  const address = `${gateway.url}/payment/?iid=${String(invoice['id'])}`
  const show = async () => {
    const response = await fetch(address)
    const html = await response.text()
    const facts = [...html.matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)<\/dd>/g)].map((fact) =>
      fact.slice(1),
    )
    return {
      cache: response.headers.get('cache-control'),
      says: /<p role="status">([^<]*)</.exec(html)?.[1],
      facts: facts.map(([name, value]) => `${name}: ${value}`),
      back: /<a href="([^"]*)"/.exec(html)?.[1],
      looksAgain: html.includes('http-equiv="refresh"'),
    }
  }
  expect(await show()).toEqual({
    cache: 'no-store',
    says: 'Nothing has been paid yet.',
    facts: [
      'For: 100 credits',
      'Order: order_1_abcdef',
      'Price: $10.00',
      'Paid: 0 of 10 USDC (Polygon)',
    ],
    back: 'https://shop.example/back',
    looksAgain: false,
  })
  await call(gateway, `/control/invoices/${String(invoice['id'])}`, { action: 'underpay' })
  expect(await show(), 'what was pressed is answered at once').toMatchObject({
    says: 'Sent. Waiting for the network…',
    looksAgain: true,
  })
  gate.resolve()
  await gateway.whenQuiet()
  expect(await show()).toMatchObject({
    says: 'The deposit was smaller than the price.',
    facts: expect.arrayContaining(['Paid: 6 of 10 USDC (Polygon)']),
    looksAgain: false,
  })
  await call(gateway, `/control/invoices/${String(invoice['id'])}`, { action: 'pay-rest' })
  await gateway.whenQuiet()
  expect(await show()).toMatchObject({
    says: 'Paid in full. The shop has been told.',
    back: 'https://shop.example/done',
  })
  const unknown = await fetch(`${gateway.url}/payment/?iid=1`)
  expect([unknown.status, await unknown.text()]).toEqual([
    404,
    expect.stringContaining('<h1>Invoice not found</h1><p>Please go back to the shop'),
  ])
})

test('each call of the merchant asks for the key, and says by its status what it has made', async () => {
  const gateway = await startGateway()
  const { invoice, id } = await openPayment(gateway, 'http://127.0.0.1:9/')
  const iid = String(invoice['id'])
  const calls: [string, Json | undefined, number][] = [
    ['/v1/auth', {}, 200],
    ['/v1/merchant/coins', undefined, 200],
    ['/v1/min-amount?currency_from=btc', undefined, 200],
    ['/v1/invoice', tenDollars, 201],
    ['/v1/payment', { ...tenDollars, pay_currency: 'ltc' }, 201],
    ['/v1/invoice-payment', { iid, pay_currency: 'ltc' }, 201],
    [`/v1/payment/?invoiceId=${iid}`, undefined, 401],
    [`/v1/payment/${id}`, undefined, 200],
  ]
  for (const [path, body, status] of calls) {
    for (const key of ['', 'kez', 'key2']) {
      const refused = await call(gateway, path, body, { 'x-api-key': key })
      expect(refused.status, `${path} with '${key}'`).toBe(403)
    }
    expect((await call(gateway, path, body)).status, path).toBe(status)
  }
})

test('the least amount is that of the coin that the merchant is settled in, unless another is named', async () => {
  const gateway = await startGateway({ outcomeCoin: 'usdttrc20' })
  const least = async (query: string) =>
    (await call(gateway, `/v1/min-amount?currency_from=ltc${query}`)).body['fiat_equivalent']
  expect(await least('')).toBe(minimumUsd('ltc', 'usdttrc20'))
  expect(await least('&currency_to=ltc')).toBe(minimumUsd('ltc', 'ltc'))
  expect(minimumUsd('ltc', 'ltc')).toBeLessThan(minimumUsd('ltc', 'usdttrc20'))
})

test('a tester is told whether anything is under way, of one payment and of all', async () => {
  const gate = Promise.withResolvers<void>()
  const clock = { now: () => Date.now(), sleep: () => gate.promise }
  const gateway = await startGateway({ clock })
  const { id } = await openPayment(gateway, 'http://127.0.0.1:9/')
  const other = await openPayment(gateway, 'http://127.0.0.1:9/')
  const isQuiet = async (path: string) => (await call(gateway, path)).body['quiet']
  const all = () =>
    Promise.all(
      ['/control/quiet', ...[id, other.id].map((one) => `/control/payments/${one}`)].map(isQuiet),
    )
  expect(await all()).toEqual([true, true, true])
  await call(gateway, `/control/payments/${id}`, { action: 'fail', silent: true, duplicates: 20 })
  expect(await all()).toEqual([false, false, true])
  gate.resolve()
  await gateway.whenQuiet()
  expect(await all()).toEqual([true, true, true])
})

test('the pay page is shown in no frame, listed by no search engine, and pays the rest of a part', async () => {
  const gateway = await startGateway()
  const { body: invoice } = await call(gateway, '/v1/invoice', tenDollars)
  const iid = String(invoice['id'])
  const address = `${gateway.url}/payment/?iid=${iid}`
  const page = await fetch(address)
  const policy = page.headers.get('content-security-policy') ?? ''
  for (const rule of ["form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"]) {
    expect(policy.split('; ')).toContain(rule)
  }
  expect(await page.text()).toContain('<meta name="robots" content="noindex">')
  const press = (action: string) =>
    fetch(`${gateway.url}/payment/`, {
      method: 'POST',
      body: new URLSearchParams({ iid, action }),
      redirect: 'manual',
    })
  const answer = await press('underpay')
  expect([answer.status, answer.headers.get('location')], 'loaded anew by GET').toEqual([
    303,
    `?iid=${iid}`,
  ])
  await gateway.whenQuiet()
  const html = await (await fetch(address)).text()
  expect(html).toContain('<button name="action" value="pay-rest">Pay<')
  expect(html).toContain('<button name="action" value="underpay" disabled>Pay a part<')
  await press('pay-rest')
  await gateway.whenQuiet()
  expect(await (await fetch(address)).text()).toContain('Paid in full')
})

test('without other settings a status takes about a second, and an unanswered callback is repeated for half a minute', async () => {
  const waits: number[] = []
  const clock = { now: () => Date.now(), sleep: async (ms: number) => void waits.push(ms) }
  const app = fastify()
  const gateway = openNowpaymentsGateway({
    apiKey: 'key',
    ipnSecret: 'secret',
    publicUrl: () => 'https://pay.example',
    clock,
    fetch: () => Promise.reject(new TypeError('nobody there')),
  })
  await app.register(gateway.routes)
  closers.push(gateway.close, () => app.close())
  const ask = async (url: string, payload: Json) => {
    const headers = { 'x-api-key': 'key' }
    return (await app.inject({ method: 'POST', url, headers, payload })).json() as Json
  }
  const order = { ...tenDollars, pay_currency: 'ltc', ipn_callback_url: 'https://shop.example/ipn' }
  const { payment_id: id } = await ask('/v1/payment', order)
  await ask(`/control/payments/${String(id)}`, { action: 'fail' })
  await gateway.whenQuiet()
  const [step = 0, ...repeats] = waits
  expect(step).toBeGreaterThan(500)
  expect(step).toBeLessThan(5_000)
  const waited = repeats.reduce((sum, ms) => sum + ms, 0)
  expect([repeats.length, waited > 30_000, waited < 60_000]).toEqual([4, true, true])
})
