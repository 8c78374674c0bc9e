import { afterAll, beforeAll, expect, test } from 'vitest'
import { grantCredits } from '../ledger/credits/grant.ts'
import { inTransaction } from '../platform/db/database.ts'
import { makeUser } from '../testing/make-user.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { creditOrder, purchaseReference } from './credit-order.ts'
import { createOrderId } from './order-id.ts'
import { randomBytes } from 'node:crypto'
import { insertOrder, lockOrder } from './queries.ts'

const now = new Date('2026-11-20T12:00:00Z')

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db[Symbol.asyncDispose]())

async function order(userId: string) {
  const inserted = await insertOrder(db.database, {
    id: createOrderId(now, randomBytes),
    user_id: userId,
    package_type: 'basic',
    price_cents: 1_000,
    credits: 100,
    provider: 'nowpayments',
    created_at: now,
  })
  if (inserted === undefined) throw new Error('there is such an order')
  return inserted
}

const credit = (found: Awaited<ReturnType<typeof order>>) =>
  inTransaction(db.database, (transaction) =>
    creditOrder(transaction, found, { isLate: false, now, enqueueReceipt: async () => {} }),
  )

async function read(userId: string, orderId: string) {
  const entries = await db.database
    .selectFrom('ledger_entries')
    .select('amount')
    .where('reference', '=', purchaseReference(orderId))
    .execute()
  const account = await db.database
    .selectFrom('credit_accounts')
    .select('balance')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return { entries: entries.length, balance: account.balance }
}

test('an order that says it is credited gets nothing, though the books know of nothing', async () => {
  const userId = await makeUser(db.database, 1)
  const found = await order(userId)
  await db.database
    .updateTable('orders')
    .set({ status: 'completed', credited_at: now })
    .where('id', '=', found.id)
    .execute()
  // As it was read before somebody else credited it.
  await expect(credit(found)).rejects.toThrow(`order ${found.id} is already credited`)
  expect(await read(userId, found.id)).toEqual({ entries: 0, balance: 1 })
})

test('an order whose purchase stands in the books stays as it is, though it says nothing of it', async () => {
  const userId = await makeUser(db.database, 1)
  const found = await order(userId)
  await grantCredits(db.database, {
    userId,
    amount: 100,
    reason: 'purchase',
    description: '100 credits bought',
    reference: purchaseReference(found.id),
    now,
  })
  await expect(credit(found)).rejects.toThrow('the books already hold a purchase')
  expect(await read(userId, found.id)).toEqual({ entries: 1, balance: 101 })
  const after = await inTransaction(db.database, (transaction) => lockOrder(transaction, found.id))
  expect(after).toMatchObject({ status: 'initiated', credited_at: null })
})
