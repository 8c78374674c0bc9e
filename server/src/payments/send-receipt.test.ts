import { afterAll, beforeAll, expect, test } from 'vitest'
import { fill } from '@starside/contract/fill.ts'
import { mailMessages } from '../platform/messages/texts.ts'
import { makeOrder } from '../testing/make-order.ts'
import type { TestOrder } from '../testing/make-order.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { creditWorth } from './settle-by-word.ts'
import { expireOrders } from './cancel-order.ts'
import { sendReceipt } from './jobs.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(4)
})
afterAll(() => db[Symbol.asyncDispose]())

async function receiptOf(orderId: string) {
  const mails: { to: string; subject: string; text: string }[] = []
  const mailer = {
    isSetUp: true,
    send: async (mail: (typeof mails)[number]) => void mails.push(mail),
  }
  await sendReceipt(
    { database: db.database, mailer, publicUrl: 'https://selfie.example', siteName: 'Starside' },
    orderId,
  )
  return mails
}
async function emailOf({ userId }: TestOrder) {
  const { rows } = await db.pool.query<{ email: string }>('select email from users where id = $1', [
    userId,
  ])
  return rows[0]?.email
}

test('a receipt has the sum, the credits and the order, and goes to its buyer', async () => {
  const order = await makeOrder(db.database)
  await order.settle()
  const [mail, ...more] = await receiptOf(order.id)
  expect(more).toEqual([])
  expect(mail).toMatchObject({ to: await emailOf(order), subject: '100 credits are yours' })
  expect(mail?.text).toContain('Your payment of $10.00 has arrived and 100 credits were added')
  expect(mail?.text).toContain(`Order ${order.id}\nStarside\n`)
  expect(mail?.text).toContain('https://selfie.example/dashboard')
  expect(mail?.text).not.toContain('payment window')
})

test('a receipt of a part says so, and a late one that it was late', async () => {
  const order = await makeOrder(db.database)
  await order.settle({ state: 'partial', payAmount: 10, paidAmount: 4, isLate: true })
  await creditWorth(db.database, {
    orderId: order.id,
    userId: order.userId,
    reason: 'a test',
    now: new Date(),
    enqueueReceipt: async () => {},
  })
  const [mail] = await receiptOf(order.id)
  expect(mail?.subject).toBe('40 credits are yours')
  expect(mail?.text).toContain('Your payment for a part of $10.00 has arrived and 40 credits')
  expect(mail?.text).toContain('after the payment window had closed')
})

test('a receipt of test money says so', async () => {
  const order = await makeOrder(db.database, { provider: 'sandbox' })
  await order.settle()
  expect((await receiptOf(order.id))[0]?.text).toContain('Your payment of $10.00 of test money has')
})

test('a receipt is in its buyer’s language', async () => {
  const order = await makeOrder(db.database)
  await order.settle()
  await db.pool.query(`update users set language = 'es' where id = $1`, [order.userId])
  const paid = fill(mailMessages.es.receipt.whole, { price: '$10.00' })
  expect((await receiptOf(order.id))[0]?.text).toContain(paid)
})

test('a receipt that the mail server doesn’t take fails, so that its job is done again', async () => {
  const order = await makeOrder(db.database)
  await order.settle()
  const mailer = { isSetUp: true, send: () => Promise.reject(new Error('away')) }
  const parts = { database: db.database, mailer, publicUrl: '', siteName: 'Starside' }
  await expect(sendReceipt(parts, order.id)).rejects.toThrow('away')
})

test('an order of nobody, and none at all, have no receipt', async () => {
  const order = await makeOrder(db.database)
  await order.settle()
  await db.pool.query('update orders set user_id = null where id = $1', [order.id])
  expect(await receiptOf(order.id)).toEqual([])
  expect(await receiptOf('order_zzz_zzzzzz')).toEqual([])
})

test('orders for which nothing has come expire after half an hour, others don’t', async () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const orders = await Promise.all(
    (['initiated', 'pending', 'processing', 'failed', 'cancelled'] as const).map(async (status) => {
      const order = await makeOrder(db.database, { now })
      await db.pool.query('update orders set status = $2 where id = $1', [order.id, status])
      return order
    }),
  )
  const statuses = async () => Promise.all(orders.map(async (order) => (await order.read()).status))
  const end = now.getTime() + 30 * 60_000
  await expireOrders(db.database, { now: new Date(end) })
  expect(await statuses()).toEqual(['initiated', 'pending', 'processing', 'failed', 'cancelled'])
  expect(await expireOrders(db.database, { now: new Date(end + 1) })).toBe(2)
  expect(await statuses()).toEqual(['expired', 'expired', 'processing', 'failed', 'cancelled'])
})
