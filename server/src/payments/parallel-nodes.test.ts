import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditBooks } from '../ledger/credits/audit.ts'
import { finishedPayment } from '../testing/finished-payment.ts'
import { openShopper } from '../testing/open-shopper.ts'
import type { Shopper } from '../testing/open-shopper.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { openTestPool } from '../testing/open-test-database.ts'
import { auditOrders } from './audit-orders.ts'
import type { PaymentFacts } from './provider.ts'
import { settlePayment } from './settle-payment.ts'
import { createPaymentWatcher } from './watch-payments.ts'

let app: TestApp
let shopper: Shopper
beforeAll(async () => {
  app = await openTestApp()
  shopper = openShopper(app)
})
afterAll(() => app[Symbol.asyncDispose]())

const nodes = 4

/** Further nodes on the same database, each with connections and a watcher of its own. */
function openNodes() {
  const { log, clock, payments } = app.context
  return Array.from({ length: nodes }, () => {
    const handle = openTestPool(app.databaseUrl, 6)
    const watcher = createPaymentWatcher({
      database: handle.database,
      log,
      clock,
      findProvider: payments.find,
      enqueueReceipt: payments.enqueueReceipt,
    })
    return { ...handle, watcher }
  })
}

test('one payment told to four nodes at once, many times, credits once', async () => {
  const opened = openNodes()
  try {
    for (let round = 0; round < 5; round += 1) {
      const purchase = await shopper.order('basic')
      await purchase.act('pay', { silent: true })
      const payment = await findPaymentId(purchase.invoiceId)
      await Promise.all(
        Array.from({ length: 40 }, async (_, call) =>
          opened[call % nodes]?.watcher.noticeCallback({
            provider: 'sandbox',
            payment_id: payment,
          }),
        ),
      )
      await Promise.all(opened.map(({ watcher }) => watcher.whenIdle()))
      expect(await purchase.credits()).toEqual({ balance: 101, bought: 100 })
    }
  } finally {
    await Promise.all(opened.map(({ watcher }) => watcher.close()))
    await Promise.all(opened.map(({ close }) => close()))
  }
  expect((await auditBooks(app.context.database)).findings).toEqual([])
  expect(await auditOrders(app.context.database)).toEqual([])
})

test('twenty different finished payments for one order at once credit it once and flag the rest', async () => {
  const purchase = await shopper.order('basic')
  const { database, payments, clock } = app.context
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      settlePayment(database, {
        provider: 'sandbox',
        facts: finishedPayment({
          paymentId: String(7_000_000_000 + index),
          orderId: purchase.orderId,
        }),
        now: clock(),
        enqueueReceipt: payments.enqueueReceipt,
      }),
    ),
  )
  expect(outcomes.filter((outcome) => outcome === 'credited')).toHaveLength(1)
  expect(await purchase.credits()).toEqual({ balance: 101, bought: 100 })
  const flags = await database
    .selectFrom('order_flags')
    .select('kind')
    .where('order_id', '=', purchase.orderId)
    .execute()
  expect(flags.filter(({ kind }) => kind === 'second_payment')).toHaveLength(19)
  expect(await auditOrders(database)).toEqual([])
})

test('an older reading that comes after a newer one changes nothing', async () => {
  const purchase = await shopper.order('basic')
  const { database, payments, clock } = app.context
  const settle = (facts: Partial<PaymentFacts>) =>
    settlePayment(database, {
      provider: 'sandbox',
      facts: finishedPayment({ paymentId: '7100000000', orderId: purchase.orderId, ...facts }),
      now: clock(),
      enqueueReceipt: payments.enqueueReceipt,
    })
  await settle({ state: 'partial', paidAmount: 0.5, updatedAtMs: 2_000 })
  expect(await settle({ state: 'processing', updatedAtMs: 1_000 })).toBe('stale')
  expect((await purchase.status()).underpaid?.missingAmount).toBe('0.5')
  expect(await settle({ updatedAtMs: 3_000 })).toBe('credited')
  expect(await settle({ state: 'partial', paidAmount: 0.5, updatedAtMs: 2_000 })).toBe('stale')
  expect((await purchase.status()).status).toBe('completed')
})

/** The payment's id, found as the reconciliation finds it. */
async function findPaymentId(invoiceId: string): Promise<string> {
  const [found] = await app.context.payments.active.findPayments(
    { orderId: '', invoiceId },
    new AbortController().signal,
  )
  return found?.paymentId ?? ''
}
