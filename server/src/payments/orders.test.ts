import { createHmac } from 'node:crypto'
import type { PastOrder } from '@starside/contract/orders.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { auditBooks } from '../ledger/credits/audit.ts'
import { findRows } from '../platform/db/rows.ts'
import { captureHold, expireHolds } from '../ledger/credits/close-hold.ts'
import type { Purchase, Shopper } from '../testing/open-shopper.ts'
import { openShopper } from '../testing/open-shopper.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { auditOrders } from './audit-orders.ts'
import { expireOrders } from './cancel-order.ts'
import { workOnOrders } from './jobs.ts'
import { resolveOwedFlags } from './order-records.ts'
import { reconcileOrders } from './reconcile-orders.ts'

let app: TestApp
let shopper: Shopper
beforeAll(async () => {
  app = await openTestApp()
  await workOnOrders(app.context)
  shopper = openShopper(app)
})
afterAll(() => app[Symbol.asyncDispose]())
afterEach(async () => {
  await app.context.payments.watcher.whenIdle()
  expect((await auditBooks(app.context.database)).findings).toEqual([])
  expect(await auditOrders(app.context.database)).toEqual([])
})

async function flagsOf(purchase: Purchase): Promise<string[]> {
  const rows = await app.context.database
    .selectFrom('order_flags')
    .select('kind')
    .where('order_id', '=', purchase.orderId)
    .where('resolved_at', 'is', null)
    .orderBy('kind')
    .execute()
  return rows.map(({ kind }) => kind)
}

const inAnHour = () => new Date(Date.now() + 60 * 60_000)

/** Uses credits up for good, as finished selfies do. */
async function spend(token: string, amount: number): Promise<void> {
  const { body } = await app.call('/api/user?action=consume-credits', { token, json: { amount } })
  await captureHold(app.context.database, { holdId: body.holdId, now: new Date() })
}

const reconcile = () => reconcileOrders(app.context, new AbortController().signal)

describe('an order', () => {
  test('takes price and credits from the package table, whatever the browser says', async () => {
    const { token, userId } = await app.register()
    const answer = await app.call('/api/orders', {
      token,
      json: { packageType: 'premium', amount: 0.01, credits: 9999, status: 'completed' },
    })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({
      userId,
      amount: 19.9,
      credits: 200,
      packageType: 'premium',
      status: 'pending',
      completedAt: null,
      receivedAmount: null,
      underpaid: null,
      paidLate: false,
      testMoney: true,
    })
    expect(answer.body.data.orderId).toMatch(/^order_[0-9a-z]+_[0-9a-z]{6}$/)
    const url = new URL(answer.body.data.paymentUrl)
    expect(url.pathname).toBe('/sandbox/payment/')
    expect(url.searchParams.get('source')).toBe('button')
    expect(url.searchParams.get('iid')).toBe(answer.body.data.nowpaymentsId)
  })

  test('of an unknown package is refused with the package’s name', async () => {
    const { token } = await app.register()
    const answer = await app.call('/api/orders', { token, json: { packageType: 'gold' } })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      success: false,
      error: 'Invalid package type: gold',
      code: 'package_invalid',
    })
  })

  test('needs a signed-in buyer', async () => {
    const answer = await app.call('/api/orders', { json: { packageType: 'basic' } })
    expect(answer.status).toBe(401)
  })

  test('is the same order when the same key comes again, also at the same time', async () => {
    const { token } = await app.register()
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const buy = () => app.call('/api/orders', { token, json: { packageType: 'basic' }, headers })
    const answers = await Promise.all([buy(), buy(), buy()])
    const again = await buy()
    const ids = [...answers, again].map(({ body }) => body.data.orderId)
    expect(new Set(ids).size).toBe(1)
    expect(again.body.data.paymentUrl).toBe(answers[0]?.body.data.paymentUrl)
    const other = await app.call('/api/orders', {
      token,
      json: { packageType: 'premium' },
      headers,
    })
    expect(other.body.code).toBe('idempotency_conflict')
  })

  test('is only shown to its owner', async () => {
    const purchase = await shopper.order('basic')
    const { token } = await app.register()
    const path = `/api/orders/status?order_id=${purchase.orderId}`
    const foreign = await app.call(path, { token })
    expect(foreign.status).toBe(404)
    expect(foreign.body.error).toBe('Order not found')
    // The specification's optional `user_id` says nothing: the token decides.
    const claimed = await app.call(`${path}&user_id=${purchase.userId}`, { token })
    expect(claimed.status).toBe(404)
    const cancel = await app.call('/api/orders/cancel', {
      token,
      json: { orderId: purchase.orderId },
    })
    expect(cancel.status).toBe(404)
    expect((await app.call(path)).status).toBe(401)
    expect((await purchase.status()).status).toBe('pending')
    const list = await app.call('/api/orders', { token })
    expect(list.body).toEqual({ success: true, items: [] })
  })

  test('that does not exist is a 404', async () => {
    const { token } = await app.register()
    for (const id of ['order_0_000000', 'nonsense', "' or 1=1 --"]) {
      const path = `/api/orders/status?${new URLSearchParams({ order_id: id })}`
      expect((await app.call(path, { token })).status).toBe(404)
    }
  })

  test('can be cancelled once and stays cancelled; a paid one can’t be', async () => {
    const purchase = await shopper.order('basic')
    const cancel = () =>
      app.call('/api/orders/cancel', {
        token: purchase.token,
        json: { orderId: purchase.orderId },
      })
    expect((await cancel()).body.data.status).toBe('cancelled')
    expect((await cancel()).body.data.status).toBe('cancelled')
    const events = await findRows(app.context.database, 'payment_events', {
      order_id: purchase.orderId,
    })
    expect(events.map(({ event, detail }) => [event, detail])).toEqual([
      ['cancelled', 'by the buyer'],
    ])
    const page = await fetch(`${app.url}/sandbox/payment/?iid=${purchase.invoiceId}`)
    expect(await page.text()).toContain('This order was cancelled')
    const paid = await shopper.order('basic')
    await paid.act('pay')
    const refused = await app.call('/api/orders/cancel', {
      token: paid.token,
      json: { orderId: paid.orderId },
    })
    expect(refused.status).toBe(409)
  })

  test('expires after thirty minutes without money', async () => {
    const purchase = await shopper.order('basic')
    const expireAfter = async (minutes: number) => {
      const now = new Date(Date.now() + minutes * 60_000)
      await expireOrders(app.context.database, { now })
      return (await purchase.status()).status
    }
    expect([await expireAfter(29), await expireAfter(31)]).toEqual(['pending', 'expired'])
  })

  test('whose invoice can’t be opened fails with nothing charged, and works when tried again', async () => {
    const { token } = await app.register()
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const buy = () => app.call('/api/orders', { token, json: { packageType: 'basic' }, headers })
    const spy = vi.spyOn(app.context.payments.active, 'createCheckout')
    const { PaymentProviderError } = await import('./provider.ts')
    spy.mockRejectedValueOnce(new PaymentProviderError('down'))
    const refused = await buy()
    expect(refused.status).toBe(502)
    expect(refused.body.code).toBe('payment_provider_down')
    const again = await buy()
    expect(again.body.data).toMatchObject({ status: 'pending' })
    expect(again.body.data.paymentUrl).not.toBeNull()
  })
})

describe('a paid order', () => {
  test('is completed, credited once and lifts the buyer to the premium tier', async () => {
    const purchase = await shopper.order('basic')
    await purchase.act('pay')
    const order = await purchase.status()
    expect(order).toMatchObject({ status: 'completed', paidLate: false, underpaid: null })
    expect(order.completedAt).not.toBeNull()
    expect(await purchase.credits()).toEqual({ balance: 101, bought: 100 })
    const list = await app.call('/api/orders', { token: purchase.token })
    const [item] = list.body.items as PastOrder[]
    const [payment] = item?.payments ?? []
    expect([item?.orderId, payment?.currency]).toEqual([purchase.orderId, 'USDC (Polygon)'])
    const [arrived] = await findRows(
      app.context.database,
      'payment_events',
      sql`order_id = ${purchase.orderId} and payment_id is not null order by id`,
    )
    expect(new Date(payment?.arrivedAt ?? '').getTime()).toBe(arrived?.created_at.getTime())
  })

  test('is credited once however often and in whatever order its callbacks come', async () => {
    const purchase = await shopper.order('premium')
    await purchase.act('pay', { duplicates: 5, reorder: true, stepDelayMs: 5 })
    await purchase.act('resend', { duplicates: 5 })
    await purchase.act('resend', { status: 'confirming', duplicates: 3 })
    expect((await purchase.status()).status).toBe('completed')
    expect(await purchase.credits()).toEqual({ balance: 201, bought: 200 })
    expect(await flagsOf(purchase)).toEqual([])
  })

  test('mails its buyer a receipt', async () => {
    const purchase = await shopper.order('basic')
    await purchase.act('pay')
    const mail = () => app.mails.find(({ text }) => text.includes(purchase.orderId))
    await expect.poll(mail).toMatchObject({
      subject: '100 credits are yours',
      text: expect.stringContaining('test money'),
    })
  })

  test('is credited on the provider’s word even when every callback was lost', async () => {
    const purchase = await shopper.order('basic')
    await purchase.act('pay', { silent: true })
    expect((await purchase.status()).status).toBe('pending')
    app.passTime(3 * 60_000)
    await reconcile()
    expect((await purchase.status()).status).toBe('completed')
    expect(await purchase.credits()).toEqual({ balance: 101, bought: 100 })
  })

  test('is credited when the payment could not be read at first', async () => {
    const purchase = await shopper.order('basic')
    const spy = vi.spyOn(app.context.payments.active, 'fetchPayment')
    const { PaymentProviderError } = await import('./provider.ts')
    spy.mockRejectedValue(new PaymentProviderError('down'))
    await purchase.act('pay')
    expect((await purchase.status()).status).toBe('pending')
    spy.mockRestore()
    app.passTime(20_000)
    await reconcile()
    expect((await purchase.status()).status).toBe('completed')
  })

  test('is credited late when it had expired or was cancelled, and says so', async () => {
    for (const end of ['expire', 'cancel'] as const) {
      const purchase = await shopper.order('basic')
      if (end === 'cancel') await purchase.cancel()
      else {
        await purchase.act('expire')
        expect((await purchase.status()).status).toBe('expired')
      }
      await purchase.act(end === 'cancel' ? 'pay' : 'pay-late')
      expect(await purchase.status()).toMatchObject({ status: 'completed', paidLate: true })
      expect(await purchase.credits()).toEqual({ balance: 101, bought: 100 })
    }
  })

  test('is credited when the callback comes before the create call has returned', async () => {
    const { token, userId } = await app.register()
    const active = app.context.payments.active
    const createCheckout = active.createCheckout.bind(active)
    const spy = vi.spyOn(active, 'createCheckout')
    spy.mockImplementationOnce(async (request, signal) => {
      const checkout = await createCheckout(request, signal)
      await shopper.actOnInvoice(checkout, 'pay')
      return checkout
    })
    const answer = await app.call('/api/orders', { token, json: { packageType: 'basic' } })
    expect(answer.body.data).toMatchObject({ status: 'completed', userId })
    expect(await shopper.credits(token)).toEqual({ balance: 101, bought: 100 })
  })
})

describe('an underpaid order', () => {
  test('shows what is missing and where to pay it, and is credited when the rest comes', async () => {
    const purchase = await shopper.order('basic')
    await purchase.act('underpay', { share: 0.25 })
    const order = await purchase.status()
    expect(order.status).toBe('processing')
    expect(order.underpaid).toEqual({
      paidAmount: '2.5',
      missingAmount: '7.5',
      currency: 'USDC (Polygon)',
      payUrl: order.paymentUrl,
      worthCredits: 25,
    })
    expect(await purchase.credits()).toEqual({ balance: 1, bought: 0 })
    expect(await flagsOf(purchase)).toEqual(['underpaid'])
    await purchase.act('pay-rest')
    expect(await purchase.status()).toMatchObject({ status: 'completed', underpaid: null })
    expect(await purchase.credits()).toEqual({ balance: 101, bought: 100 })
    expect(await flagsOf(purchase)).toEqual([])
  })
})

describe('money that is not as ordered', () => {
  test('an overpaid order is credited once and flagged', async () => {
    const purchase = await shopper.order('basic')
    await purchase.act('overpay')
    expect((await purchase.status()).status).toBe('completed')
    expect(await purchase.credits()).toEqual({ balance: 101, bought: 100 })
    expect(await flagsOf(purchase)).toEqual(['overpaid'])
  })

  test.each(['deposit-again', 'wrong-asset'] as const)(
    '%s says finished for the same order and credits nothing',
    async (action) => {
      const purchase = await shopper.order('basic')
      await purchase.act('pay')
      await purchase.act(action)
      expect(await purchase.credits()).toEqual({ balance: 101, bought: 100 })
      expect(await flagsOf(purchase)).toEqual(['repeated_deposit'])
    },
  )

  test('a second payment in another coin credits nothing more', async () => {
    const purchase = await shopper.order('basic')
    await purchase.act('pay')
    const second = await shopper.openPayment(purchase, 'ltc')
    await shopper.actOnPayment(second, 'pay')
    expect(await purchase.credits()).toEqual({ balance: 101, bought: 100 })
    expect(await flagsOf(purchase)).toEqual(['second_payment'])
  })

  test('a payment opened with the order’s id and another price credits nothing', async () => {
    const purchase = await shopper.order('premium')
    const cheap = await shopper.openForeignPayment({ orderId: purchase.orderId, price: 1 })
    await shopper.actOnPayment(cheap, 'pay')
    expect((await purchase.status()).status).toBe('pending')
    expect(await purchase.credits()).toEqual({ balance: 1, bought: 0 })
    expect(await flagsOf(purchase)).toEqual(['price_mismatch'])
  })

  test('a payment for an order that is none of ours is flagged', async () => {
    const payment = await shopper.openForeignPayment({ orderId: 'order_zzz_zzzzzz', price: 10 })
    await shopper.actOnPayment(payment, 'pay')
    const flag = await app.context.database
      .selectFrom('order_flags')
      .select(['kind', 'order_id'])
      .where('payment_id', '=', payment)
      .executeTakeFirst()
    expect(flag).toEqual({ kind: 'unknown_order', order_id: null })
  })

  test('a failed payment fails its order; another coin still pays it', async () => {
    const purchase = await shopper.order('basic')
    await purchase.act('fail')
    expect((await purchase.status()).status).toBe('failed')
    const second = await shopper.openPayment(purchase, 'ltc')
    await shopper.actOnPayment(second, 'pay')
    expect((await purchase.status()).status).toBe('completed')
    expect(await purchase.credits()).toEqual({ balance: 101, bought: 100 })
  })
})

describe('a refund', () => {
  test('after the crediting takes the credits back, once', async () => {
    const purchase = await shopper.order('basic')
    await purchase.act('pay')
    await purchase.act('refund', { duplicates: 3 })
    expect((await purchase.status()).status).toBe('completed')
    expect(await purchase.credits()).toEqual({ balance: 1, bought: 100 })
    expect(await flagsOf(purchase)).toEqual(['refunded_after_credit'])
  })

  test('whose callback was lost is found within a day', async () => {
    const purchase = await shopper.order('basic')
    await purchase.act('pay')
    await purchase.act('refund', { silent: true })
    expect((await purchase.credits()).balance).toBe(101)
    app.passTime(25 * 60 * 60_000)
    await reconcile()
    expect((await purchase.credits()).balance).toBe(1)
    expect(await flagsOf(purchase)).toEqual(['refunded_after_credit'])
  })

  test('takes what the buyer has set aside, and nothing of it comes back', async () => {
    const purchase = await shopper.order('basic')
    await purchase.act('pay')
    const held = await app.call('/api/user?action=consume-credits', {
      token: purchase.token,
      json: { amount: 100 },
    })
    expect(held.status).toBe(200)
    await purchase.act('refund')
    expect((await purchase.credits()).balance).toBe(1)
    expect(await flagsOf(purchase)).toEqual(['refunded_after_credit'])
    await expireHolds(app.context.database, { now: inAnHour(), limit: 1_000 })
    expect((await purchase.credits()).balance).toBe(1)
  })

  test('of spent credits is owed, told, and taken from the next purchase', async () => {
    const purchase = await shopper.order('basic')
    await purchase.act('pay')
    await spend(purchase.token, 60)
    await purchase.act('refund')
    const profile = await app.call('/api/user?action=profile', { token: purchase.token })
    expect(profile.body.user).toMatchObject({ creditsBalance: 0, creditsOwed: 59 })
    expect(await flagsOf(purchase)).toEqual(['credits_owed', 'refunded_after_credit'])
    const { note } = await app.context.database
      .selectFrom('order_flags')
      .select('note')
      .where('order_id', '=', purchase.orderId)
      .where('kind', '=', 'credits_owed')
      .executeTakeFirstOrThrow()
    expect(note).toContain('Of 100 credits 41 were taken back; the buyer owes 59')

    const next = await shopper.order('basic', purchase)
    await next.act('pay')
    expect(await next.credits()).toEqual({ balance: 41, bought: 200 })
    const after = await app.call('/api/user?action=profile', { token: purchase.token })
    expect(after.body.user.creditsOwed).toBe(0)
    await resolveOwedFlags(app.context.database, { now: new Date() })
    expect(await flagsOf(purchase)).toEqual(['refunded_after_credit'])
  })

  test('leaves the flag open while anything is owed', async () => {
    const purchase = await shopper.order('basic')
    await purchase.act('pay')
    await spend(purchase.token, 100)
    await purchase.act('refund')
    await resolveOwedFlags(app.context.database, { now: new Date() })
    expect(await flagsOf(purchase)).toContain('credits_owed')
  })

  test('of two orders takes both, though the second finds nothing left', async () => {
    const first = await shopper.order('basic')
    await first.act('pay')
    const second = await shopper.order('basic', first)
    await second.act('pay')
    await spend(first.token, 100)
    await Promise.all([first.act('refund'), second.act('refund')])
    const { body } = await app.call('/api/user?action=profile', { token: first.token })
    expect(body.user).toMatchObject({ creditsBalance: 0, creditsOwed: 99 })
  })

  test('after the buyer’s account was deleted takes nothing and says so', async () => {
    const purchase = await shopper.order('basic')
    await purchase.act('pay')
    await app.context.database.deleteFrom('users').where('id', '=', purchase.userId).execute()
    await shopper.actOnInvoice({ invoiceId: purchase.invoiceId }, 'refund')
    expect(await flagsOf(purchase)).toEqual(['refund_not_covered', 'refunded_after_credit'])
  })

  test('of an order that was never credited fails it and moves no credits', async () => {
    const purchase = await shopper.order('basic')
    await purchase.act('underpay')
    await purchase.act('refund')
    expect((await purchase.status()).status).toBe('failed')
    expect(await purchase.credits()).toEqual({ balance: 1, bought: 0 })
  })
})

describe('a callback', () => {
  const path = '/api/payments/nowpayments/ipn'
  const send = (body: string, signature?: string) =>
    fetch(app.url + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(signature === undefined ? {} : { 'x-nowpayments-sig': signature }),
      },
      body,
    })

  test.each(['signature', 'no-signature', 'body'] as const)(
    'with a forged %s is refused with 401 and credits nothing',
    async (forge) => {
      const purchase = await shopper.order('basic')
      await purchase.act('underpay')
      await purchase.act('resend', { status: 'finished', forge })
      expect(await shopper.lastAnswerStatus()).toBe(401)
      expect(await purchase.credits()).toEqual({ balance: 1, bought: 0 })
    },
  )

  test.each(['price', 'currency', 'order', 'truncated', 'nested'] as const)(
    'that is signed with a wrong %s is answered and changes nothing by itself',
    async (forge) => {
      const purchase = await shopper.order('basic')
      await purchase.act('underpay', { silent: true })
      await purchase.act('resend', { status: 'finished', forge })
      expect(await shopper.lastAnswerStatus()).toBe(200)
      expect((await purchase.status()).status).not.toBe('completed')
      expect(await purchase.credits()).toEqual({ balance: 1, bought: 0 })
    },
  )

  test('that says finished is not believed: the payment is read with our own key', async () => {
    const purchase = await shopper.order('basic')
    await purchase.act('underpay')
    await purchase.act('resend', { status: 'finished', duplicates: 2 })
    expect((await purchase.status()).status).toBe('processing')
    expect(await purchase.credits()).toEqual({ balance: 1, bought: 0 })
  })

  test('larger than 64 kB is refused', async () => {
    const answer = await send('a'.repeat(65 * 1024), 'a'.repeat(128))
    expect(answer.status).toBe(413)
  })

  test('is kept before it is answered, and read again after a crash', async () => {
    const purchase = await shopper.order('basic')
    // The first reader never comes back while it matters: it holds the claim as a killed one would.
    const reader = Promise.withResolvers<undefined>()
    const spy = vi.spyOn(app.context.payments.active, 'fetchPayment')
    spy.mockImplementation(() => reader.promise)
    await purchase.act('pay', { awaitIdle: false })
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from payments where state = 'unread' and next_read_at is not null
    `.execute(app.context.database)
    expect(rows[0]?.count).toBeGreaterThan(0)
    spy.mockRestore()
    app.passTime(60_000)
    await reconcile()
    const row = await app.context.database
      .selectFrom('orders')
      .select('status')
      .where('id', '=', purchase.orderId)
      .executeTakeFirstOrThrow()
    reader.resolve(undefined)
    expect(row.status).toBe('completed')
  })

  test('is failed with a 5xx while the database is away, so that it is sent again', async () => {
    const watcher = app.context.payments.watcher
    const spy = vi.spyOn(watcher, 'noticeCallback')
    spy.mockRejectedValueOnce(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))
    const purchase = await shopper.order('basic')
    await purchase.act('pay')
    // The gateway repeats the refused one.
    expect((await purchase.status()).status).toBe('completed')
    expect(spy.mock.results.length).toBeGreaterThan(4)
    spy.mockRestore()
  })

  test('is answered at once, however slow the provider is', async () => {
    const purchase = await shopper.order('basic')
    const spy = vi.spyOn(app.context.payments.active, 'fetchPayment')
    const reader = Promise.withResolvers<undefined>()
    spy.mockImplementation(() => reader.promise)
    const body = JSON.stringify({ order_id: purchase.orderId, payment_id: 4_000_000_001 })
    const secret = shopper.ipnSecret
    const answer = await send(body, createHmac('sha512', secret).update(body).digest('hex'))
    expect(answer.status).toBe(200)
    reader.resolve(undefined)
    await app.context.payments.watcher.whenIdle()
    spy.mockRestore()
  })
})

describe('the database refuses', () => {
  test.each([
    `id = 'order_other_000000'`,
    `package_type = 'premium'`,
    `price_cents = 1`,
    `price_currency = 'EUR'`,
    `credits = 1000`,
    `provider = 'btcpay'`,
    `created_at = created_at + interval '1 hour'`,
    `user_id = gen_random_uuid()`,
  ])('an order other terms than it was made with: %s', async (change) => {
    const { orderId } = await shopper.order('basic')
    const update = sql`update orders set ${sql.raw(change)} where id = ${orderId}`
    await expect(update.execute(app.context.database)).rejects.toMatchObject({
      constraint: 'orders_terms_are_fixed',
    })
  })

  test('a second crediting of an order, whoever asks', async () => {
    const purchase = await shopper.order('basic')
    await purchase.act('pay')
    const { database } = app.context
    const id = purchase.orderId
    await expect(
      sql`update orders set credited_at = now() where id = ${id}`.execute(database),
    ).rejects.toMatchObject({ constraint: 'orders_credited_once' })
    await expect(
      sql`update orders set status = 'pending' where id = ${id}`.execute(database),
    ).rejects.toMatchObject({ constraint: 'orders_completed_exactly_when_credited' })
    await expect(sql`delete from orders where id = ${id}`.execute(database)).rejects.toMatchObject({
      constraint: 'orders_append_only',
    })
    await expect(
      sql`insert into payments (provider, payment_id, order_id, credited, first_seen_at)
        values ('sandbox', '77', ${id}, true, now())`.execute(database),
    ).rejects.toMatchObject({ constraint: 'payments_credit_an_order_once' })
    await expect(
      sql`insert into payments (provider, payment_id, order_id, credited, parent_payment_id,
          first_seen_at)
        values ('sandbox', '78', ${id}, true, '77', now())`.execute(database),
    ).rejects.toMatchObject({ constraint: 'payments_second_deposit_never_credits' })
  })
})

test.each([
  ['payments_provider_form', `('Not A Name', '5', now())`],
  ['payments_provider_form', `('', '5', now())`],
  ['payments_id_form', `('sandbox', '5.0', now())`],
  ['payments_id_form', `('sandbox', '../users', now())`],
  ['payments_id_form', `('sandbox', '', now())`],
])('the database refuses a payment by its form: %s %s', async (constraint, values) => {
  const insert = `insert into payments (provider, payment_id, first_seen_at) values ${values}`
  await expect(sql.raw(insert).execute(app.context.database)).rejects.toMatchObject({ constraint })
})

test('the database takes a provider that this version doesn’t know yet', async () => {
  const insert = `insert into payments (provider, payment_id, first_seen_at)
    values ('another_one', 'pi_3N-x', now())`
  await sql.raw(insert).execute(app.context.database)
})

test('a deleted buyer’s order stays, and money for it is flagged', async () => {
  const purchase = await shopper.order('basic')
  await app.context.database.deleteFrom('users').where('id', '=', purchase.userId).execute()
  await shopper.actOnInvoice({ invoiceId: purchase.invoiceId }, 'pay')
  expect(await flagsOf(purchase)).toEqual(['buyer_deleted'])
})
