import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { makeOrder } from '../testing/make-order.ts'
import { raiseFlag, resolveOwedFlags, resolvePaidFlags } from './raise-flag.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db[Symbol.asyncDispose]())

const now = new Date('2026-11-22T12:00:00Z')

test('a flag of credits owed is resolved once nothing is owed any more, and no sooner', async () => {
  const { database } = db
  const order = await makeOrder(database)
  const owes = (owed: number) =>
    database
      .updateTable('credit_accounts')
      .set({ owed })
      .where('user_id', '=', order.userId)
      .execute()
  await raiseFlag(database, {
    provider: 'nowpayments',
    paymentId: order.paymentId,
    orderId: order.id,
    kind: 'credits_owed',
    note: 'they are spent',
    now,
  })
  await owes(3)
  await resolveOwedFlags(database, { now })
  expect(await order.openFlags()).toEqual(['credits_owed'])
  await owes(0)
  await resolveOwedFlags(database, { now })
  expect(await order.openFlags()).toEqual([])
})

test('crediting settles flags of money that lacked, of the payments that it was credited for', async () => {
  const { database } = db
  const order = await makeOrder(database)
  const flag = (paymentId: string, kind: Parameters<typeof raiseFlag>[1]['kind']) =>
    raiseFlag(database, {
      provider: 'nowpayments',
      paymentId,
      orderId: order.id,
      kind,
      note: kind,
      now,
    })
  await flag(order.paymentId, 'underpaid')
  await flag('another', 'underpaid')
  await flag(order.paymentId, 'second_payment')
  // The same about the same payment is flagged once.
  await flag('another', 'underpaid')
  expect(await order.openFlags()).toEqual(['second_payment', 'underpaid', 'underpaid'])
  const settled = { orderId: order.id, resolution: 'Credited.', now }
  await resolvePaidFlags(database, { ...settled, paymentIds: [order.paymentId] })
  expect(await order.openFlags()).toEqual(['second_payment', 'underpaid'])
  await resolvePaidFlags(database, { ...settled, paymentIds: undefined })
  expect(await order.openFlags()).toEqual(['second_payment'])
})
