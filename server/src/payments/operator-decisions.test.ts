import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readAccount } from '../ledger/credits/account.ts'
import { findRow } from '../platform/db/rows.ts'
import { makeOrder } from '../testing/make-order.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { listOpenFlags, listOrders, readOrderFile } from './operator-queries.ts'
import { raiseFlag, resolveFlag, resolveOwedFlags, resolvePaidFlags } from './order-records.ts'
import type { FlagKind } from './payment-decision.ts'
import { refundByOperator, settleByOperator } from './settle-by-word.ts'

const now = new Date('2026-11-20T12:00:00Z')
const unknown = 'order_zzz_zzzzzz'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(4)
})
afterAll(() => db[Symbol.asyncDispose]())

let moments = 0
/** Later than all before it. */
const inFuture = () => new Date(Date.parse('2099-01-01') + (moments += 1))

const settle = async (orderId: string, receipts: string[] = []) =>
  settleByOperator(db.database, {
    orderId,
    reason: 'paid by transfer',
    now,
    enqueueReceipt: async (_transaction, id) => void receipts.push(id),
  })
const refund = (orderId: string) =>
  refundByOperator(db.database, { orderId, reason: 'complained', now })
const balance = async (userId: string) => (await readAccount(db.database, userId)).balance
const set = (orderId: string, assignment: string) =>
  db.pool.query(`update orders set ${assignment} where id = $1`, [orderId])
const eventsOf = async (orderId: string) =>
  (await readOrderFile(db.database, orderId))?.events.map(({ event, detail }) => [event, detail])
const flag = (orderId: string, kind: FlagKind) =>
  raiseFlag(db.database, {
    provider: 'nowpayments',
    paymentId: null,
    orderId,
    kind,
    note: 'look',
    now,
  })

describe('an operator who settles an order', () => {
  test('credits it once, with a receipt and an entry in its history', async () => {
    const order = await makeOrder(db.database, { now })
    const receipts: string[] = []
    expect(await settle(order.id, receipts)).toEqual({ outcome: 'done', credits: 100, owed: 0 })
    expect(await settle(order.id, receipts)).toEqual({
      outcome: 'refused',
      reason: 'The order is already credited.',
    })
    expect([await balance(order.userId), receipts]).toEqual([100, [order.id]])
    expect(await order.read()).toMatchObject({ status: 'completed', paid_late: false })
    expect(await eventsOf(order.id)).toEqual([['settled by operator', 'paid by transfer']])
  })

  test.each([
    ['expired', true],
    ['cancelled', true],
    ['failed', false],
    ['processing', false],
  ] as const)('of one that is %s marks it as late: %s', async (status, isLate) => {
    const order = await makeOrder(db.database, { now })
    await set(order.id, `status = '${status}'`)
    await settle(order.id)
    expect(await order.read()).toMatchObject({ status: 'completed', paid_late: isLate })
  })

  test('is refused where there is no order, or no buyer', async () => {
    expect(await settle(unknown)).toEqual({ outcome: 'refused', reason: 'There is no such order.' })
    const order = await makeOrder(db.database, { now })
    await set(order.id, 'user_id = null')
    expect(await settle(order.id)).toEqual({ outcome: 'refused', reason: 'The buyer is gone.' })
    expect(await order.read()).toMatchObject({ status: 'initiated', credited_at: null })
  })
})

describe('an operator who refunds an order', () => {
  test('takes its credits back once', async () => {
    const order = await makeOrder(db.database, { now })
    await order.settle()
    expect(await refund(order.id)).toEqual({ outcome: 'done', credits: 100, owed: 0 })
    expect(await refund(order.id)).toEqual({
      outcome: 'refused',
      reason: 'The order was already refunded.',
    })
    expect(await balance(order.userId)).toBe(0)
    expect(await order.read()).toMatchObject({ status: 'completed', reversed_at: now })
    expect(await order.openFlags()).toEqual([])
    expect((await eventsOf(order.id))?.at(-1)).toEqual(['refunded by operator', 'complained'])
    // What the buyer reads in their history is not what the operator thinks of them.
    const entry = await findRow(db.database, 'ledger_entries', { reference: `refund:${order.id}` })
    expect(entry?.description).toBe('Refund')
  })

  test('is refused where nothing was credited', async () => {
    expect(await refund(unknown)).toEqual({ outcome: 'refused', reason: 'There is no such order.' })
    const order = await makeOrder(db.database, { now })
    expect(await refund(order.id)).toEqual({
      outcome: 'refused',
      reason: 'The order was never credited.',
    })
  })

  test('is told that nothing can be taken from a buyer who is gone', async () => {
    const order = await makeOrder(db.database, { now })
    await order.settle()
    await set(order.id, 'user_id = null')
    expect(await refund(order.id)).toEqual({ outcome: 'done', credits: 0, owed: 0 })
    expect(await order.openFlags()).toEqual(['refund_not_covered'])
  })

  test('is told what stays owed, until it is paid', async () => {
    const [order, other] = [await makeOrder(db.database, { now }), await makeOrder(db.database)]
    for (const one of [order, other]) {
      await one.settle()
      await db.pool.query(`update credit_accounts set balance = 30 where user_id = $1`, [
        one.userId,
      ])
      expect(await refund(one.id)).toEqual({ outcome: 'done', credits: 30, owed: 70 })
      expect(await one.openFlags()).toEqual(['credits_owed'])
    }
    await flag(order.id, 'overpaid')
    await db.pool.query('update credit_accounts set owed = 0 where user_id = $1', [order.userId])
    await resolveOwedFlags(db.database, { now })
    expect(await order.openFlags()).toEqual(['overpaid'])
    expect(await other.openFlags()).toEqual(['credits_owed'])
  })
})

describe('flags', () => {
  test('about missing money are resolved when their order is paid, others stay', async () => {
    const [order, other] = [await makeOrder(db.database, { now }), await makeOrder(db.database)]
    const settled = ['underpaid', 'failed_with_money', 'expired_with_money', 'amount_unverified']
    for (const kind of [...settled, 'overpaid'] as FlagKind[]) await flag(order.id, kind)
    await flag(other.id, 'underpaid')
    const about = { orderId: order.id, paymentIds: undefined, resolution: 'paid' }
    await resolvePaidFlags(db.database, { ...about, now })
    expect(await order.openFlags()).toEqual(['overpaid'])
    expect(await other.openFlags()).toEqual(['underpaid'])
    const [flags, later] = [
      async () => (await readOrderFile(db.database, order.id))?.flags,
      new Date(now.getTime() + 1),
    ]
    const before = await flags()
    await resolvePaidFlags(db.database, { ...about, now: later })
    await resolveOwedFlags(db.database, { now: later })
    expect(await flags()).toEqual(before)
  })

  test('are raised once, listed while they are open, and resolved once with a reason', async () => {
    const order = await makeOrder(db.database, { now })
    await flag(order.id, 'disputed')
    await flag(order.id, 'disputed')
    const own = async () =>
      (await listOpenFlags(db.database, 1_000)).filter(({ order_id: id }) => id === order.id)
    const [raised, ...more] = await own()
    expect([raised?.kind, more]).toEqual(['disputed', []])
    const resolve = (resolution: string) =>
      resolveFlag(db.database, { flagId: String(raised?.id), resolution, now })
    expect(await resolve('won')).toBe(true)
    expect(await resolve('lost')).toBe(false)
    expect(await own()).toEqual([])
    const file = await readOrderFile(db.database, order.id)
    expect(file?.flags).toMatchObject([{ resolution: 'won', resolved_at: now }])
  })

  test('are listed oldest first, as many as are asked for', async () => {
    const order = await makeOrder(db.database, { now })
    for (const [kind, year] of [
      ['overpaid', 2001],
      ['disputed', 2000],
    ] as const) {
      await raiseFlag(db.database, {
        provider: 'nowpayments',
        paymentId: null,
        orderId: order.id,
        kind,
        note: 'old',
        now: new Date(`${year}-01-01T00:00:00Z`),
      })
    }
    const [first, ...more] = await listOpenFlags(db.database, 1)
    expect([first?.kind, first?.created_at.getUTCFullYear(), more]).toEqual(['disputed', 2000, []])
    await db.pool.query(`update order_flags set resolved_at = now(), resolution = 'seen'`)
  })
})

describe('the list of orders', () => {
  const ids = async (options: Partial<Parameters<typeof listOrders>[1]>) => {
    const rows = await listOrders(db.database, { onlyFlagged: false, limit: 1_000, ...options })
    return rows.map(({ id }) => id)
  }

  test('is of the newest first, up to a limit, with the flags that are open', async () => {
    const second = await makeOrder(db.database, { now: inFuture() })
    const newest = await makeOrder(db.database, { now: inFuture() })
    await flag(newest.id, 'overpaid')
    await flag(newest.id, 'disputed')
    await db.pool.query(
      `update order_flags set resolved_at = now(), resolution = 'seen'
       where order_id = $1 and kind = 'disputed'`,
      [newest.id],
    )
    const rows = await listOrders(db.database, { onlyFlagged: false, limit: 2 })
    expect(rows).toMatchObject([
      { id: newest.id, flags: ['overpaid'], provider: 'nowpayments', created_at: expect.any(Date) },
      { id: second.id, flags: [], email: expect.stringContaining('@') },
    ])
  })

  test('is narrowed to a status, an e-mail, and to what is flagged', async () => {
    const [paid, open] = [await makeOrder(db.database, { now }), await makeOrder(db.database)]
    await paid.settle()
    await flag(open.id, 'underpaid')
    await flag(paid.id, 'overpaid')
    await db.pool.query(
      `update order_flags set resolved_at = now(), resolution = 'seen' where order_id = $1`,
      [paid.id],
    )
    const completed = await ids({ status: 'completed' })
    expect([completed.includes(paid.id), completed.includes(open.id)]).toEqual([true, false])
    const flagged = await ids({ onlyFlagged: true })
    expect([flagged.includes(paid.id), flagged.includes(open.id)]).toEqual([false, true])
    const { rows } = await db.pool.query<{ email: string }>(
      'select email from users where id = $1',
      [open.userId],
    )
    expect(await ids({ email: rows[0]?.email })).toEqual([open.id])
  })
})

test('the file of an order has its own payments, events, flags and entries, and no other’s', async () => {
  const [order, other] = [await makeOrder(db.database, { now }), await makeOrder(db.database)]
  for (const one of [order, other]) {
    await one.settle({ state: 'processing', paidAmount: 1 })
    await one.settle({ paidAmount: 2 })
    await refund(one.id)
  }
  const file = await readOrderFile(db.database, order.id)
  expect(file?.order).toMatchObject({ id: order.id, email: expect.stringContaining('@') })
  expect(file?.payments.map(({ payment_id: id }) => id)).toEqual([order.paymentId])
  expect(file?.events.map(({ event }) => event)).toEqual([
    'processing',
    'finished',
    'refunded by operator',
  ])
  expect(file?.flags.map(({ kind }) => kind)).toEqual(['overpaid'])
  expect(file?.entries).toMatchObject([
    { reference: `order:${order.id}`, reason: 'purchase', amount: 100 },
    { reference: `refund:${order.id}`, reason: 'correction', amount: 100 },
  ])
  expect(await readOrderFile(db.database, unknown)).toBeUndefined()
})

test('the flags about missing money are resolved in the transaction that credits', async () => {
  const order = await makeOrder(db.database, { now })
  await order.settle({ state: 'partial', payAmount: 10, paidAmount: 4 })
  expect(await order.openFlags()).toEqual(['underpaid'])
  await order.settle()
  expect(await order.openFlags()).toEqual([])
})
