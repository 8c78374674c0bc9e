import { createHmac, randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { attachOpenHold } from '../ledger/credits/attach-hold.ts'
import { auditBooks } from '../ledger/credits/audit.ts'
import { captureHold, releaseHold, expireHolds } from '../ledger/credits/close-hold.ts'
import { inTransaction } from '../platform/db/database.ts'
import type { Purchase, Shopper } from '../testing/open-shopper.ts'
import { openShopper } from '../testing/open-shopper.ts'
import { openTestApp } from '../testing/open-test-app.ts'
import type { TestApp } from '../testing/open-test-app.ts'
import { roundsOr } from '../testing/rounds-or.ts'
import { auditAtProvider, auditOrders } from './audit-orders.ts'
import { reconcileOrders } from './reconcile-orders.ts'

/*
 * Random purchases at the sandbox gateway over real HTTP: paid, underpaid, overpaid, late, failed,
 * refunded, deposited again, in several coins; with callbacks that are repeated, out of order,
 * lost, forged, cut off, nested, old or about another price, while orders are looked at and
 * cancelled and credits are set aside, claimed, spent, given back and run out. Whatever happened,
 * each order is credited at most once, exactly those that were paid in full are, the books agree
 * with the orders and with the provider, and nobody has both the credits and the money of a
 * refunded order.
 *
 * ORDER_SEED repeats a run's choices.
 */
const sequences = roundsOr(50)
const seed = Number(process.env['ORDER_SEED'] ?? randomInt(2 ** 31))
const purchasesAtOnce = 8
/** More are bought where chance lets fewer than these be paid. */
const creditedMin = sequences / 4

let app: TestApp
let shopper: Shopper
beforeAll(async () => {
  app = await openTestApp()
  shopper = openShopper(app)
})
afterAll(() => app[Symbol.asyncDispose]())

type Random = () => number

/** mulberry32: small, fast and the same everywhere. */
function createRandom(start: number): Random {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function pick<Item>(random: Random, items: readonly [Item, ...Item[]]): Item {
  return items[Math.floor(random() * items.length)] ?? items[0]
}

const gatewayActions = [
  'pay',
  'pay',
  'pay',
  'underpay',
  'overpay',
  'pay-late',
  'pay-rest',
  'pay-rest',
  'fail',
  'expire',
  'refund',
  'deposit-again',
  'wrong-asset',
  'resend',
] as const
const forgeries = [
  'signature',
  'no-signature',
  'body',
  'price',
  'currency',
  'order',
  'truncated',
  'nested',
] as const
const statuses = ['waiting', 'confirming', 'partially_paid', 'finished', 'refunded'] as const

/**
 * Lets one thing happen to an order; a refusal of the gateway is fine, it means 'not possible now'.
 */
async function applyRandomEvent(purchase: Purchase, random: Random): Promise<void> {
  if (random() < 0.3) return useCredits(purchase, random)
  const chance = random()
  if (chance < 0.08) return purchase.cancel()
  if (chance < 0.16) return void (await purchase.status())
  if (chance < 0.24) return sendForgedCallback(purchase, random)
  const options = {
    duplicates: Math.floor(random() * 3),
    reorder: random() < 0.3,
    silent: random() < 0.15,
    share: 0.1 + random() * 0.8,
  }
  if (chance < 0.34) {
    const forge = pick(random, forgeries)
    return purchase.tryAct('resend', { forge, status: pick(random, statuses) })
  }
  if (chance < 0.42) {
    const coin = pick(random, ['ltc', 'doge', 'sol'])
    const paymentId = await shopper.openPayment(purchase, coin)
    return shopper.tryActOnPayment(paymentId, pick(random, ['pay', 'fail', 'underpay']), options)
  }
  if (chance < 0.47) {
    const paymentId = await shopper.openForeignPayment({ orderId: purchase.orderId, price: 5 })
    return shopper.tryActOnPayment(paymentId, 'pay', options)
  }
  const action = pick(random, gatewayActions)
  const more = action === 'underpay' ? options : { ...options, share: 1.5 }
  return purchase.tryAct(action, action === 'overpay' || action === 'underpay' ? more : options)
}

/**
 * Sets credits aside, as a browser does, and lets one of the things happen that become of a hold.
 */
async function useCredits(purchase: Purchase, random: Random): Promise<void> {
  const { database } = app.context
  const { token, userId } = purchase
  const amount = pick(random, [1, 1, 30, 100])
  const { body } = await app.call('/api/user?action=consume-credits', { token, json: { amount } })
  const now = app.context.clock()
  if (body.success !== true || random() < 0.2) return
  const claimed = await inTransaction(database, (transaction) =>
    attachOpenHold(transaction, {
      userId,
      holdId: undefined,
      celebrity: 'Elena Vassandri',
      amount: 1,
      attachedTo: `test:${crypto.randomUUID()}`,
      now,
      expiresAt: new Date(now.getTime() + 24 * 60 * 60_000),
    }),
  )
  const holdId = claimed ?? body.holdId
  await pick(random, [
    () => captureHold(database, { holdId, now }),
    () => captureHold(database, { holdId, now }),
    () => releaseHold(database, { holdId, now }),
    async () => {},
  ])()
}

/** Callbacks that never came from the gateway. */
async function sendForgedCallback(purchase: Purchase, random: Random): Promise<void> {
  const honest = JSON.stringify({
    order_id: purchase.orderId,
    payment_id: 1 + Math.floor(random() * 1e9),
    payment_status: 'finished',
    price_amount: 10,
    price_currency: 'usd',
  })
  const isSigned = random() < 0.5
  const body = pick(random, [
    honest,
    honest.slice(0, -Math.floor(1 + random() * 40)),
    `${honest} `.repeat(2),
    '['.repeat(20_000),
    '',
  ])
  const key = isSigned ? shopper.ipnSecret : 'a guess'
  const response = await fetch(`${app.url}/api/payments/nowpayments/ipn`, {
    method: 'POST',
    headers: {
      'content-type': pick(random, ['application/json', 'text/plain']),
      'x-nowpayments-sig': createHmac('sha512', key).update(body).digest('hex'),
    },
    body,
  })
  expect(response.status).toBe(isSigned ? 200 : 401)
}

async function runPurchase(
  buyer: { token: string; userId: string },
  random: Random,
): Promise<Purchase> {
  const purchase = await shopper.order(random() < 0.5 ? 'basic' : 'premium', buyer)
  const steps = 2 + Math.floor(random() * 6)
  for (let step = 0; step < steps; step += 1) {
    if (random() < 0.25)
      await Promise.all([applyRandomEvent(purchase, random), applyRandomEvent(purchase, random)])
    else await applyRandomEvent(purchase, random)
  }
  return purchase
}

test(`${sequences} random purchases (seed ${seed}) are each credited exactly when they were paid`, async () => {
  const buyers = await Promise.all(Array.from({ length: purchasesAtOnce }, () => app.register()))
  let begun = 0
  await Promise.all(
    buyers.map(async (buyer, lane) => {
      const random = createRandom(seed + lane)
      for (let own = 0; begun < sequences || (await countCredited()) <= creditedMin; own += 1) {
        begun += 1
        if (own > 0 && own % 2 === 0) app.passTime((61 * 60_000) / purchasesAtOnce)
        await runPurchase(buyer, random)
      }
    }),
  )
  await readEverything()

  const { database, payments } = app.context
  expect((await auditBooks(database)).findings).toEqual([])
  expect(await auditOrders(database)).toEqual([])
  const audited = await auditAtProvider(database, {
    findProvider: payments.find,
    since: new Date(0),
    signal: new AbortController().signal,
  })
  expect(audited.findings).toEqual([])
  expect(audited.checked).toBeGreaterThan(creditedMin)
  expect(await findPaidButNotCredited()).toEqual([])
  expect(await findKeptRefunds()).toEqual([])
  await expectSameAfterReplay()
}, 3_600_000)

async function countCredited(): Promise<number> {
  const { count } = await app.context.database
    .selectFrom('payments')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('credited', '=', true)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Finds what lost callbacks left open, as the scheduled job does over the hours. */
async function readEverything(): Promise<void> {
  await app.context.payments.watcher.whenIdle()
  const { payments } = app.context
  for (const hours of [1, 3, 12, 24]) {
    app.passTime(hours * 60 * 60_000)
    await reconcileOrders(app.context, new AbortController().signal)
    await payments.watcher.whenIdle()
  }
}

/** First deposits at the right price that finished, whose order nevertheless isn't credited. */
async function findPaidButNotCredited() {
  return app.context.database
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .select(['payments.payment_id', 'orders.id', 'orders.status'])
    .where('payments.state', '=', 'finished')
    .where('payments.parent_payment_id', 'is', null)
    .where('orders.credited_at', 'is', null)
    .where('payments.payment_id', 'not in', (flags) =>
      flags
        .selectFrom('order_flags')
        .select('payment_id')
        .where('kind', '=', 'price_mismatch')
        .where('payment_id', 'is not', null)
        .$narrowType<{ payment_id: string }>(),
    )
    .execute()
}

/**
 * Buyers whose credits are not what they paid for and kept, and used: the free one, plus the orders
 * that were credited and not refunded, less what was captured. Less than nothing is owed.
 */
async function findKeptRefunds() {
  const { database, clock } = app.context
  // Claimed holds run out, too: nothing is set aside any more.
  expect(await expireHolds(database, { now: clock(), limit: 100_000 })).toBeGreaterThan(0)
  const { rows } = await sql<{ id: string; had: number; due: number }>`
    select account.id, account.balance - account.owed as had,
      (1 + coalesce((select sum(credits) from orders
          where user_id = account.user_id and credited_at is not null and reversed_at is null), 0)
        - coalesce((select sum(amount) from credit_holds
          where account_id = account.id and state = 'captured'), 0))::integer as due
    from credit_accounts as account where kind = 'user'
  `.execute(database)
  expect(await auditBooks(database)).toMatchObject({ heldCredits: 0, findings: [] })
  return rows.filter(({ had, due }) => had !== due)
}

/** Everything is read once more: no entry may be added. */
async function expectSameAfterReplay(): Promise<void> {
  const { database, payments } = app.context
  const count = async () =>
    database
      .selectFrom('ledger_entries')
      .select(({ fn }) => fn.countAll<string>().as('entries'))
      .executeTakeFirstOrThrow()
  const before = await count()
  await database
    .updateTable('payments')
    .set({ next_read_at: new Date(0) })
    .execute()
  await payments.watcher.readDue(new AbortController().signal)
  expect(await count()).toEqual(before)
}
