import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../app/context.ts'
import { finishedPayment } from '../testing/finished-payment.ts'
import { makeOrder } from '../testing/make-order.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { workOnOrders } from './jobs.ts'
import type { OpenPaymentProvider, PaymentModuleParts } from './payment-modules.ts'
import { openPayments } from './payments.ts'
import type { PaymentProvider } from './provider.ts'
import { raiseFlag } from './order-records.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(4)
})
afterAll(() => db[Symbol.asyncDispose]())

const silent = { debug() {}, info() {}, warn() {}, error() {} }
type Work = (job: { data: unknown }) => Promise<void>
type Schedule = (signal: AbortSignal) => Promise<void>

/** Payments with one provider, whose payments are all paid, and the jobs of orders. */
async function open(now: Date) {
  const jobs: unknown[] = []
  const mails: { to: string; text: string }[] = []
  const works = new Map<string, Work>()
  const schedules = new Map<string, Schedule>()
  let given: PaymentModuleParts | undefined
  let closed = 0
  const listed = new Map<string, string>()
  const provider = {
    name: 'nowpayments',
    fetchPayment: async (paymentId: string) =>
      finishedPayment({ paymentId, orderId: listed.get(paymentId) ?? null }),
    findPayments: async ({ orderId }: { orderId: string }) =>
      [...listed].flatMap(([paymentId, id]) =>
        id === orderId ? finishedPayment({ paymentId, orderId }) : [],
      ),
  } as Partial<PaymentProvider> as PaymentProvider
  const openOne: OpenPaymentProvider = async (parts) => {
    given = parts
    return { provider, close: async () => void (closed += 1) }
  }
  const context = {
    config: {
      port: 3000,
      publicUrl: 'https://selfie.example',
      payments: { active: 'nowpayments', providers: new Map([['nowpayments', openOne]]) },
    },
    database: db.database,
    log: silent,
    clock: () => now,
    jobs: {
      enqueue: async (_transaction: unknown, ...job: unknown[]) => void jobs.push(job),
      work: async ({ name, run }: { name: string; run: Work }) => void works.set(name, run),
      schedule: async (name: string, _cron: string, run: Schedule) => void schedules.set(name, run),
    },
    mailer: { isSetUp: true, send: async (mail: (typeof mails)[number]) => void mails.push(mail) },
    site: { values: () => ({ 'brand.name': 'Starside' }) },
  }
  const payments = await openPayments(context as never)
  await workOnOrders({ ...context, payments } as unknown as Context)
  return {
    payments,
    jobs,
    mails,
    given: given!,
    listed,
    closed: () => closed,
    work: (name: string, data: unknown) => works.get(name)?.({ data }),
    tick: (name: string) => schedules.get(name)?.(new AbortController().signal),
  }
}

test('a gateway on this machine calls back where the program listens, once that is known', async () => {
  const now = new Date()
  const { payments, given, closed } = await open(now)
  const path = '/api/payments/nowpayments/ipn'
  expect(given.localCallbackUrl()).toBe(`http://127.0.0.1:3000${path}`)
  payments.listensAt('http://127.0.0.1:4444')
  expect(given.localCallbackUrl()).toBe(`http://127.0.0.1:4444${path}`)
  expect(given.callbackUrl()).toBe(`https://selfie.example${path}`)
  expect(given.now()).toBe(now.getTime())
  await payments.close()
  expect(closed()).toBe(1)
})

test('a payment that is noticed or found later credits its order, and its buyer gets a receipt', async () => {
  const now = new Date('2027-01-01T12:00:00Z')
  const { payments, jobs, mails, listed, work, tick } = await open(now)
  const [noticed, found, unpaid] = await Promise.all(
    [1, 2, 3].map(() => makeOrder(db.database, { now })),
  )
  const [noticedId, foundId] = [noticed!.paymentId, found!.paymentId]
  listed.set(noticedId, noticed!.id)
  await payments.watcher.noticeCallback({ provider: 'nowpayments', payment_id: noticedId })
  await payments.watcher.whenIdle()
  expect(await noticed!.read()).toMatchObject({ status: 'completed' })
  expect(jobs).toEqual([['order-receipt', { orderId: noticed!.id }]])
  await work('order-receipt', { orderId: noticed!.id })
  expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining(noticed!.id)])
  listed.set(foundId, found!.id)
  await db.pool.query('update orders set next_search_at = $2, invoice_id = $1 where id = $1', [
    found!.id,
    now,
  ])
  await tick('orders-reconcile')
  expect(await found!.read()).toMatchObject({ status: 'completed' })
  await payments.close()
  expect(await unpaid!.read()).toMatchObject({ status: 'initiated' })
  const later = await open(new Date(now.getTime() + 31 * 60_000))
  const about = { provider: 'nowpayments', paymentId: null, orderId: unpaid!.id } as const
  await raiseFlag(db.database, { ...about, kind: 'credits_owed', note: 'a test', now })
  await later.tick('orders-expire')
  expect(await unpaid!.read()).toMatchObject({ status: 'expired' })
  expect(await unpaid!.openFlags(), 'as its buyer owes nothing').toEqual([])
  await later.payments.close()
})
