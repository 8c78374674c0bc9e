import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeOrder } from '../testing/make-order.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { createOrderReader } from './queries.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(4)
})
afterAll(() => db[Symbol.asyncDispose]())

test('an order that is looked at comes with those payments that were not read lately', async () => {
  const readBefore = new Date('2026-11-20T12:00:00Z')
  const read = createOrderReader(db.pool, () => readBefore)
  const [one, other] = [await makeOrder(db.database), await makeOrder(db.database)]
  const times = { never: null, old: new Date(readBefore.getTime() - 1), lately: readBefore }
  for (const [name, lastReadAt] of Object.entries(times)) {
    await db.pool.query(
      `insert into payments (provider, payment_id, order_id, first_seen_at, last_read_at)
       values ('nowpayments', $1, $2, now(), $3)`,
      [`${one.paymentId}${name}`, one.id, lastReadAt],
    )
  }
  const [mine, theirs, nobodys] = await Promise.all([
    read({ orderId: one.id, userId: one.userId }),
    read({ orderId: other.id, userId: other.userId }),
    read({ orderId: one.id, userId: other.userId }),
  ])
  expect(mine).toMatchObject({ id: one.id, credits: 100, status: 'initiated' })
  expect(mine?.stalePayments.map(({ payment_id }) => payment_id).toSorted()).toEqual([
    `${one.paymentId}never`,
    `${one.paymentId}old`,
  ])
  expect(theirs).toMatchObject({ id: other.id, stalePayments: [] })
  expect(nobodys).toBeUndefined()
  await one.settle()
  expect(await read({ orderId: one.id, userId: one.userId })).toMatchObject({
    status: 'completed',
    stalePayments: [],
  })
})
