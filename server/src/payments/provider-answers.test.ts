import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createBtcpayProvider } from './btcpay/btcpay-provider.ts'
import { createNowpaymentsProvider } from './nowpayments/nowpayments-provider.ts'
import { PaymentProviderError } from './provider.ts'

interface Sent {
  method: string
  path: string
  headers: Record<string, string>
  body: unknown
}
/** Status and body of an answer. */
type Answer = readonly [status: number, body: unknown]

/** A fetch that answers by path, and keeps what was asked. */
function answering(answer: (path: string, count: number) => Answer) {
  const sent: Sent[] = []
  const fake: typeof fetch = async (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined
    const headers = init?.headers as Record<string, string>
    sent.push({ method: init?.method ?? '', path: pathname + search, headers, body })
    const [status, content] = answer(pathname + search, sent.length)
    return Response.json(content, { status })
  }
  return { sent, fetch: fake }
}
const signal = () => new AbortController().signal
const checkout = {
  orderId: 'order_1_abcdef',
  price: { minorUnits: 1990, currency: 'usd' },
  description: '200 credits',
  returnUrl: 'https://selfie.example/done',
}
const refused = (status: number) => ({
  name: 'PaymentProviderError',
  message: expect.stringContaining(String(status)),
})

describe('BTCPay Server', () => {
  const open = (answer: (path: string, count: number) => Answer) => {
    const { sent, fetch } = answering(answer)
    const provider = createBtcpayProvider({
      url: 'https://pay.example',
      apiKey: 'key',
      storeId: 'store/1',
      webhookSecret: 'secret',
      fetch,
    })
    return { provider, sent }
  }
  const base = '/api/v1/stores/store%2F1/invoices'
  const link = { id: 'abc', checkoutLink: 'https://pay.example/i/abc' }
  const invoice = (more: object = {}) => ({
    id: 'abc',
    status: 'Settled',
    amount: '19.90',
    currency: 'USD',
    metadata: { orderId: checkout.orderId },
    ...more,
  })
  const methods = [
    {
      currency: 'BTC',
      amount: '2',
      totalPaid: '2',
      due: '0',
      payments: [{ value: '2', status: 'Settled' }],
    },
  ]

  test('an invoice is asked for with the order, the price and how it is to be paid', async () => {
    const { provider, sent } = open(() => [200, link])
    expect(await provider.createCheckout(checkout, signal())).toEqual({
      invoiceId: 'abc',
      paymentUrl: 'https://pay.example/i/abc',
      paymentId: 'abc',
    })
    expect(sent).toMatchObject([
      {
        method: 'POST',
        path: base,
        headers: { authorization: 'token key' },
        body: {
          amount: '19.90',
          currency: 'USD',
          metadata: { orderId: 'order_1_abcdef', itemDesc: '200 credits' },
          checkout: {
            speedPolicy: 'MediumSpeed',
            expirationMinutes: 30,
            redirectURL: 'https://selfie.example/done',
            redirectAutomatically: false,
          },
        },
      },
    ])
  })

  test.each([
    [300, link],
    [403, link],
    [200, { ...link, id: 'a/b' }],
    [200, { ...link, id: undefined }],
    [200, { ...link, checkoutLink: undefined }],
    [200, { ...link, checkoutLink: ['https://pay.example'] }],
    [200, { ...link, checkoutLink: 'nowhere' }],
    [200, { ...link, checkoutLink: 'javascript:alert(1)' }],
    [200, { ...link, checkoutLink: 'xhttps:abc' }],
    [200, { ...link, checkoutLink: 'httpsx:abc' }],
  ])('an answer of %i with %j is no invoice', async (status, body) => {
    const { provider } = open(() => [status, body])
    await expect(provider.createCheckout(checkout, signal())).rejects.toMatchObject(refused(status))
  })

  test('an invoice with money is read with its methods, one without is not', async () => {
    const read = async (status: string) => {
      const { provider, sent } = open((path) =>
        path.endsWith('/payment-methods') ? [200, methods] : [200, invoice({ status })],
      )
      return {
        facts: await provider.fetchPayment('abc', signal()),
        paths: sent.map((one) => one.path),
      }
    }
    const paid = await read('Settled')
    expect(paid.facts).toMatchObject({ state: 'finished', payAmount: 2, paidAmount: 2 })
    expect(paid.paths).toEqual([`${base}/abc`, `${base}/abc/payment-methods`])
    const unpaid = await read('New')
    expect(unpaid.facts).toMatchObject({ state: 'waiting', payAmount: null })
    expect(unpaid.paths).toEqual([`${base}/abc`])
  })

  test('an unknown invoice is undefined, one that is no use is refused', async () => {
    const read = (answer: (path: string) => Answer) =>
      open(answer).provider.fetchPayment('abc', signal())
    expect(await read(() => [404, {}])).toBeUndefined()
    for (const status of [300, 403]) {
      const answer = (): Answer => [status, invoice({ status: 'New' })]
      await expect(read(answer)).rejects.toMatchObject(refused(status))
    }
    await expect(read(() => [200, {}])).rejects.toMatchObject(refused(200))
    await expect(read(() => [200, invoice({ id: 'abd', status: 'New' })])).rejects.toThrow(
      'invoice abc',
    )
    for (const status of [300, 400]) {
      const answer = (path: string): Answer =>
        path.endsWith('methods') ? [status, methods] : [200, invoice()]
      await expect(read(answer)).rejects.toThrow(`the payments of abc: ${status}`)
    }
  })

  test('the invoices of an order are those that bear its id', async () => {
    const { provider, sent } = open((path) =>
      path.endsWith('methods')
        ? [200, methods]
        : [200, [invoice(), invoice({ id: 'abd', metadata: { orderId: 'other' } }), { id: 7 }]],
    )
    const found = await provider.findPayments(
      { orderId: checkout.orderId, invoiceId: 'abc' },
      signal(),
    )
    expect(found.map(({ paymentId }) => paymentId)).toEqual(['abc'])
    expect(sent[0]?.path).toBe(`${base}?orderId=order_1_abcdef`)
  })

  test.each([
    [200, {}],
    [300, []],
    [403, []],
  ])('a list that is answered by %i with %j is refused', async (status, body) => {
    const { provider } = open(() => [status, body])
    await expect(
      provider.findPayments({ orderId: checkout.orderId, invoiceId: 'abc' }, signal()),
    ).rejects.toMatchObject(refused(status))
  })

  test('a webhook is what its signature, store and invoice make of it', () => {
    const { provider } = open(() => [200, {}])
    const verdict = (body: string, signature?: string) => {
      const right = createHmac('sha256', 'secret').update(body).digest('hex')
      return provider.verifyCallback(Buffer.from(body), {
        'btcpay-sig': signature ?? ` sha256=${right} `,
      })
    }
    const body = (more: object) => JSON.stringify({ invoiceId: 'abc', storeId: 'store/1', ...more })
    expect(verdict(body({}))).toEqual({ outcome: 'payment', paymentId: 'abc' })
    expect(verdict('{')).toEqual({ outcome: 'ignored', reason: 'it is not JSON' })
    expect(verdict(body({ invoiceId: 'a/b' }))).toMatchObject({ outcome: 'ignored' })
    expect(verdict(body({ invoiceId: '__test__1' }))).toMatchObject({ outcome: 'ignored' })
    expect(verdict(body({ storeId: 'other' }))).toMatchObject({ outcome: 'ignored' })
    const right = createHmac('sha256', 'secret').update(body({})).digest('hex')
    for (const wrong of [
      '',
      right,
      `xsha256=${right}`,
      `sha256=${right}0`,
      `sha256=${'0'.repeat(64)}`,
    ]) {
      expect(verdict(body({}), wrong)).toEqual({ outcome: 'forged' })
    }
  })

  test('has no minimum to be warned of', async () => {
    expect(await open(() => [200, {}]).provider.checkPrices([1], signal())).toEqual([])
  })
})

describe('NOWPayments', () => {
  const open = (
    answer: (path: string, count: number) => Answer,
    more: { merchant?: undefined; now?: () => number } = {},
  ) => {
    const { sent, fetch } = answering(answer)
    const provider = createNowpaymentsProvider({
      baseUrl: () => 'https://api.example/v1',
      name: 'nowpayments',
      apiKey: 'key',
      ipnSecret: 'secret',
      merchant: { email: 'me@example.org', password: 'word' },
      outcomeCoin: undefined,
      callbackUrl: () => 'https://selfie.example/ipn',
      fetch,
      now: () => 0,
      ...more,
    })
    return { provider, sent }
  }
  const invoice = { id: '77', invoice_url: 'https://nowpayments.example/payment/?iid=77' }
  const find = (provider: ReturnType<typeof open>['provider']) =>
    provider.findPayments({ orderId: checkout.orderId, invoiceId: '77' }, signal())

  test('an invoice is asked for with the order, the price and where to go after it', async () => {
    const { provider, sent } = open(() => [200, invoice])
    expect(await provider.createCheckout(checkout, signal())).toEqual({
      invoiceId: '77',
      paymentUrl: 'https://nowpayments.example/payment/?iid=77&source=button',
      paymentId: null,
    })
    expect(sent).toEqual([
      {
        method: 'POST',
        path: '/v1/invoice',
        headers: expect.objectContaining({ 'x-api-key': 'key' }),
        body: {
          price_amount: 19.9,
          price_currency: 'usd',
          order_id: 'order_1_abcdef',
          order_description: '200 credits',
          ipn_callback_url: 'https://selfie.example/ipn',
          success_url: 'https://selfie.example/done',
          cancel_url: 'https://selfie.example/done',
          partially_paid_url: 'https://selfie.example/done',
        },
      },
    ])
    expect(sent[0]?.headers).not.toHaveProperty('authorization')
  })

  test.each([
    [300, invoice],
    [403, invoice],
    [200, { ...invoice, id: 'x' }],
    [200, { ...invoice, invoice_url: 7 }],
    [200, { ...invoice, invoice_url: ['https://pay.example'] }],
    [200, { ...invoice, invoice_url: 'nowhere' }],
    [200, { ...invoice, invoice_url: 'xhttps:abc' }],
    [200, { ...invoice, invoice_url: 'httpsx:abc' }],
  ])('an answer of %i with %j is no invoice', async (status, body) => {
    const { provider } = open(() => [status, body])
    await expect(provider.createCheckout(checkout, signal())).rejects.toMatchObject(refused(status))
  })

  test('a refusal has the provider’s own word for it, in sixty characters', async () => {
    const message = async (body: unknown) => {
      const { provider } = open(() => [403, body])
      return provider.createCheckout(checkout, signal()).then(
        () => 'none',
        (error: unknown) => (error instanceof PaymentProviderError ? error.message : 'another'),
      )
    }
    expect(await message({ code: 'INVALID_API_KEY' })).toMatch(/an invoice: 403, INVALID_API_KEY$/)
    expect(await message({ code: 'x'.repeat(70) })).toMatch(/, x{60}$/)
    expect(await message({})).toMatch(/, no code$/)
  })

  test('a payment is read by its id', async () => {
    const read = (answer: Answer) => open(() => answer).provider.fetchPayment('5', signal())
    const payment = { payment_id: 5, payment_status: 'finished' }
    expect(await read([200, payment])).toMatchObject({ paymentId: '5', state: 'finished' })
    expect(await read([404, payment])).toBeUndefined()
    for (const status of [300, 400]) {
      await expect(read([status, payment])).rejects.toMatchObject(refused(status))
    }
    await expect(read([200, {}])).rejects.toMatchObject(refused(200))
  })

  test('payments are listed with a token, which serves until it has ended', async () => {
    let now = 0
    let tokens = 0
    const { provider, sent } = open(
      (path) =>
        path === '/v1/auth'
          ? [200, { token: `token ${(tokens += 1)}` }]
          : [200, { data: [{ payment_id: 5, invoice_id: 77 }, { payment_id: 6 }, {}] }],
      { now: () => now },
    )
    expect((await find(provider)).map(({ paymentId }) => paymentId)).toEqual(['5'])
    expect(sent[0]).toMatchObject({
      method: 'POST',
      path: '/v1/auth',
      body: { email: 'me@example.org', password: 'word' },
    })
    expect(sent[1]?.path).toBe('/v1/payment/?limit=100&page=0&invoiceId=77')
    const bearers = () => sent.flatMap(({ headers }) => headers['authorization'] ?? [])
    for (now of [4 * 60_000 - 1, 4 * 60_000, 8 * 60_000 - 1]) await find(provider)
    expect(bearers()).toEqual([1, 1, 2, 2].map((number) => `Bearer token ${number}`))
  })

  test('a token that is refused is asked for anew, and the call may be repeated', async () => {
    const { provider, sent } = open((path, count) =>
      path === '/v1/auth'
        ? [200, { token: `token ${count}` }]
        : [count < 3 ? 401 : 200, { data: [] }],
    )
    await expect(find(provider)).rejects.toMatchObject(refused(401))
    expect(await find(provider)).toEqual([])
    expect(sent.map(({ path }) => path.slice(0, 8))).toEqual([
      '/v1/auth',
      '/v1/paym',
      '/v1/auth',
      '/v1/paym',
    ])
  })

  test.each([
    ['/v1/auth', 300, { token: 'a' }],
    ['/v1/auth', 403, { token: 'a' }],
    ['/v1/auth', 200, { token: 7 }],
    ['/v1/payment/', 300, { data: [] }],
    ['/v1/payment/', 403, { data: [] }],
    ['/v1/payment/', 200, { data: {} }],
  ])('a list is refused when %s answers %i with %j', async (path, status, body) => {
    const { provider } = open((asked) => {
      if (asked.startsWith(path)) return [status, body]
      return [200, asked === '/v1/auth' ? { token: 'a' } : { data: [] }]
    })
    await expect(find(provider)).rejects.toMatchObject(refused(status))
  })

  test('without a merchant’s account nothing is listed', async () => {
    const { provider, sent } = open(() => [200, {}], { merchant: undefined })
    expect(await find(provider)).toEqual([])
    expect(sent).toEqual([])
  })

  test('a notification is what its signature and payment make of it', () => {
    const { provider } = open(() => [200, {}])
    const verdict = (body: string, secret = 'secret') =>
      provider.verifyCallback(Buffer.from(body), {
        'x-nowpayments-sig': createHmac('sha512', secret).update(body).digest('hex'),
      })
    expect(verdict('{"payment_id":5}')).toEqual({ outcome: 'payment', paymentId: '5' })
    expect(verdict('{}')).toEqual({ outcome: 'ignored', reason: 'it names no payment' })
    expect(verdict('{"payment_id":5}', 'other')).toEqual({ outcome: 'forged' })
  })
})
