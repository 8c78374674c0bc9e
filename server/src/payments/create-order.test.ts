import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../platform/db/database.ts'
import { makeUser } from '../testing/make-user.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { untilWaiting } from '../testing/until-waiting.ts'
import { cancelOrder } from './cancel-order.ts'
import { createOrder } from './create-order.ts'
import { PaymentProviderError } from './provider.ts'
import type { Checkout, CheckoutRequest, PaymentProvider } from './provider.ts'
import { insertOrder } from './queries.ts'

const now = new Date('2026-11-20T12:00:00Z')

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(8)
})
afterAll(() => db[Symbol.asyncDispose]())

/** A shop whose provider answers as a test wants it. */
function openShop(
  more: {
    paymentId?: string
    invoiceId?: string
    fails?: Error[]
    laterMs?: number
    name?: string
  } = {},
) {
  const asked: CheckoutRequest[] = []
  const fails = more.fails ?? []
  const provider = {
    name: more.name ?? 'btcpay',
    async createCheckout(request: CheckoutRequest): Promise<Checkout> {
      asked.push(request)
      const failure = fails.shift()
      if (failure !== undefined) throw failure
      const invoiceId = more.invoiceId ?? crypto.randomUUID()
      const paymentUrl = `https://pay.example/${invoiceId}`
      return { invoiceId, paymentUrl, paymentId: more.paymentId ?? null }
    },
  } as Partial<PaymentProvider> as PaymentProvider
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const buy = (userId: string, packageType = 'basic', idempotencyKey?: string, seen = {}) =>
    createOrder(
      {
        database: db.database,
        payments: { active: provider },
        config: { publicUrl: 'https://selfie.example' },
        site: {
          values: () => ({
            'brand.name': 'Starside',
            packages: [
              { id: 'basic', priceCents: 1000, credits: 100, isOnSale: true },
              { id: 'pro', priceCents: 5000, credits: 700, isOnSale: true },
              { id: 'old', priceCents: 1, credits: 1, isOnSale: false },
            ],
          }),
        },
        clock: () => new Date(now.getTime() + (more.laterMs ?? 0)),
        randomBytes,
        log,
      } as never,
      { userId, packageType, idempotencyKey, ...seen },
    )
  return { asked, buy }
}
const buyer = () => makeUser(db.database)
const cancel = (orderId: string, userId: string) =>
  cancelOrder(db.database, { orderId, userId, now })
const set = (orderId: string, assignment: string) =>
  db.pool.query(`update orders set ${assignment} where id = $1`, [orderId])
const read = (orderId: string) =>
  db.database.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow()
const paymentsOf = async (paymentId: string) =>
  (
    await db.pool.query<{ next: Date; callbacks: number }>(
      'select next_read_at as next, callback_count as callbacks from payments where payment_id = $1',
      [paymentId],
    )
  ).rows

test('an order leads to an invoice of its own price, and back to its own page', async () => {
  const { asked, buy } = openShop()
  const order = await buy(await buyer(), 'pro')
  const page = `https://selfie.example/dashboard?order=${order.id}`
  expect(asked).toEqual([
    {
      orderId: order.id,
      price: { minorUnits: 5000, currency: 'usd' },
      description: '700 credits of Starside',
      returnUrl: page,
    },
  ])
  expect(order).toMatchObject({
    status: 'pending',
    price_cents: 5000,
    credits: 700,
    payment_url: `https://pay.example/${order.invoice_id}`,
    next_search_at: new Date(now.getTime() + 60_000),
  })
})

test('a price that has changed since it was seen is asked about anew, and nothing is ordered', async () => {
  const { asked, buy } = openShop()
  const userId = await buyer()
  const seen = (priceCents: number) => buy(userId, 'pro', undefined, { priceCents })
  await expect(seen(4_900)).rejects.toMatchObject({ code: 'price_changed' })
  expect(asked).toEqual([])
  expect(await seen(5_000)).toMatchObject({ price_cents: 5_000 })
})

test('a package that isn’t there, or not on sale, is refused by its name in sixty characters', async () => {
  const { buy, asked } = openShop()
  const userId = await buyer()
  await expect(buy(userId, 'gold')).rejects.toMatchObject({ code: 'package_invalid' })
  await expect(buy(userId, 'old')).rejects.toMatchObject({ code: 'package_invalid' })
  await expect(buy(userId, 'x'.repeat(61))).rejects.toMatchObject({
    message: `Invalid package type: ${'x'.repeat(60)}`,
  })
  expect(asked).toEqual([])
})

test('the same key gives the same order with one invoice; another package is refused', async () => {
  const { buy, asked } = openShop()
  const [userId, other] = [await buyer(), await buyer()]
  const first = await buy(userId, 'basic', 'key')
  expect((await buy(userId, 'basic', 'key')).id).toBe(first.id)
  expect(asked).toHaveLength(1)
  await expect(buy(userId, 'pro', 'key')).rejects.toMatchObject({ code: 'idempotency_conflict' })
  expect((await buy(other, 'basic', 'key')).id).not.toBe(first.id)
})

test('an order that can still be paid is given again to who buys the same once more', async () => {
  const { buy, asked } = openShop()
  const [userId, other] = [await buyer(), await buyer()]
  const first = await buy(userId)
  expect((await buy(userId, 'basic', 'a key')).id).toBe(first.id)
  expect(asked).toHaveLength(1)
  expect((await buy(userId, 'pro')).id).not.toBe(first.id)
  expect((await buy(other)).id).not.toBe(first.id)
})

test('an order whose time is over, or of another provider, is not given again', async () => {
  const userId = await buyer()
  const first = await openShop().buy(userId)
  const halfHourMs = 30 * 60_000
  expect((await openShop({ laterMs: halfHourMs - 1 }).buy(userId)).id).toBe(first.id)
  expect((await openShop({ laterMs: 1, name: 'sandbox' }).buy(userId)).id).not.toBe(first.id)
  expect((await openShop({ laterMs: halfHourMs }).buy(userId)).id).not.toBe(first.id)
})

test.each([
  ['is being paid', "status = 'processing'"],
  ['was cancelled', "status = 'cancelled'"],
  ['has no page to pay on', 'payment_url = null'],
])('beside an order that %s a new one is made', async (_how, assignment) => {
  const { buy } = openShop()
  const userId = await buyer()
  const first = await buy(userId)
  await set(first.id, assignment)
  expect((await buy(userId)).id).not.toBe(first.id)
})

test('calls with one key that meet give one order', async () => {
  const { buy } = openShop()
  const userId = await buyer()
  const orders = await Promise.all(Array.from({ length: 6 }, () => buy(userId, 'basic', 'key')))
  expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
  expect(new Set(orders.map(({ payment_url: url }) => url)).size).toBe(1)
})

test('a call whose key another one writes meanwhile waits for that, and gives its order, or none for another package', async () => {
  const { buy } = openShop()
  const userId = await buyer()
  const id = `order_race_${crypto.randomUUID().slice(0, 6)}`
  const { bought, other } = await inTransaction(db.database, async (transaction) => {
    await insertOrder(transaction, {
      id,
      user_id: userId,
      idempotency_key: 'key',
      package_type: 'basic',
      price_cents: 1000,
      credits: 100,
      provider: 'btcpay',
      created_at: now,
    })
    const waiting = [buy(userId, 'basic', 'key'), buy(userId, 'pro', 'key')]
    await untilWaiting(db.pool, 2)
    return { bought: waiting[0], other: waiting[1]?.catch((error: unknown) => error) }
  })
  expect((await bought)?.id).toBe(id)
  expect(await other).toMatchObject({ code: 'idempotency_conflict' })
})

test('an order whose invoice can’t be opened fails, and opens when it is tried again', async () => {
  const down = new PaymentProviderError('down')
  const { buy } = openShop({ fails: [down] })
  const [userId, other] = [await buyer(), await buyer()]
  const kept = await buy(other).catch(() => undefined)
  expect(kept).toBeUndefined()
  const { buy: buyLater } = openShop({ fails: [down] })
  await expect(buyLater(userId, 'basic', 'key')).rejects.toMatchObject({
    code: 'payment_provider_down',
    cause: down,
  })
  const failed = await db.pool.query<{ id: string; status: string }>(
    'select id, status from orders where user_id = $1',
    [userId],
  )
  expect(failed.rows).toMatchObject([{ status: 'failed' }])
  expect(await buyLater(userId, 'basic', 'key')).toMatchObject({
    id: failed.rows[0]?.id,
    status: 'pending',
  })
})

test('an invoice that the provider gave for another order is none, and that one keeps it', async () => {
  const { buy } = openShop({ invoiceId: crypto.randomUUID() })
  const [first, userId] = [await buy(await buyer()), await buyer()]
  await expect(buy(userId)).rejects.toMatchObject({ code: 'payment_provider_down' })
  const { rows } = await db.pool.query('select status, invoice_id from orders where user_id = $1', [
    userId,
  ])
  expect(rows).toEqual([{ status: 'failed', invoice_id: null }])
  expect(await read(first.id)).toMatchObject({ status: 'pending', invoice_id: first.invoice_id })
})

test('a fault of our own is no outage of the provider', async () => {
  const { buy } = openShop({ fails: [new TypeError('a bug')] })
  const userId = await buyer()
  await expect(buy(userId)).rejects.toThrow('a bug')
  const { rows } = await db.pool.query('select status from orders where user_id = $1', [userId])
  expect(rows).toEqual([{ status: 'initiated' }])
})

test('a failed invoice fails its own order alone, and none that has moved on', async () => {
  const { buy } = openShop()
  const [waiting, moved] = [await buy(await buyer()), await buyer()]
  await set(waiting.id, `status = 'initiated'`)
  const slow = openShop({ fails: [] })
  const order = await slow.buy(moved, 'basic', 'key')
  await set(order.id, `status = 'processing', invoice_id = null, payment_url = null`)
  const down = new PaymentProviderError('down')
  await expect(openShop({ fails: [down] }).buy(moved, 'basic', 'key')).rejects.toThrow()
  expect((await read(order.id)).status).toBe('processing')
  expect((await read(waiting.id)).status).toBe('initiated')
})

test('an order that is credited needs no invoice any more', async () => {
  const { buy, asked } = openShop()
  const userId = await buyer()
  const order = await buy(userId, 'basic', 'key')
  await set(order.id, `status = 'completed', credited_at = now(), payment_url = null`)
  await buy(userId, 'basic', 'key')
  expect(asked).toHaveLength(1)
})

test('where the invoice is the payment it is read after a minute, without a callback', async () => {
  const paymentId = crypto.randomUUID()
  await openShop({ paymentId }).buy(await buyer())
  expect(await paymentsOf(paymentId)).toEqual([
    { next: new Date(now.getTime() + 60_000), callbacks: 0 },
  ])
  const { buy } = openShop()
  const order = await buy(await buyer())
  expect(await paymentsOf(order.invoice_id ?? '')).toEqual([])
})

test('an order is cancelled by its buyer alone, while nobody has paid', async () => {
  const { buy } = openShop()
  const [userId, other] = [await buyer(), await buyer()]
  const [order, beside] = [await buy(userId), await buy(userId, 'pro')]
  await expect(cancel(order.id, other)).rejects.toMatchObject({ code: 'order_unknown' })
  await expect(cancel('order_zzz_zzzzzz', userId)).rejects.toMatchObject({ code: 'order_unknown' })
  expect(await cancel(order.id, userId)).toMatchObject({ id: order.id, status: 'cancelled' })
  expect(await cancel(order.id, userId)).toMatchObject({ id: order.id, status: 'cancelled' })
  expect((await read(beside.id)).status).toBe('pending')
  for (const status of ['processing', 'failed', 'expired']) {
    await set(beside.id, `status = '${status}'`)
    await expect(cancel(beside.id, userId)).rejects.toMatchObject({ code: 'order_not_cancellable' })
    expect((await read(beside.id)).status).toBe(status)
  }
})
