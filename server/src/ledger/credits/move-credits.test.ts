import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../platform/db/database.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { makeUser } from '../../testing/make-user.ts'
import { untilWaiting } from '../../testing/until-waiting.ts'
import { releaseHold } from './close-hold.ts'
import { placeHold } from './hold.ts'
import {
  moveEventCredits,
  moveEventHolds,
  openEventAccount,
  readEventsAccount,
} from './move-credits.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(5)
})
afterAll(() => db[Symbol.asyncDispose]())

test('a repeated reference moves nothing, and says so', async () => {
  const reference = `event:${crypto.randomUUID()}`
  const moves = await inTransaction(db.database, async (transaction) => {
    const toAccountId = await openEventAccount(transaction)
    const fromAccountId = await readEventsAccount(transaction)
    const about = { fromAccountId, toAccountId, description: 'Budget', reference, now: new Date() }
    const moved = [
      await moveEventCredits(transaction, { ...about, amount: 3 }),
      await moveEventCredits(transaction, { ...about, amount: 3 }),
    ]
    const { balance } = await transaction
      .selectFrom('credit_accounts')
      .select('balance')
      .where('id', '=', toAccountId)
      .executeTakeFirstOrThrow()
    return { moved, balance }
  })
  expect(moves).toEqual({ moved: [3, 0], balance: 3 })
})

test('a hold that is given back while it becomes the budget’s never fails by a guest who leaves at once', async () => {
  const budget = await inTransaction(db.database, openEventAccount)
  const userId = await makeUser(db.database, 1)
  const { id: fromAccountId } = await db.database
    .selectFrom('credit_accounts')
    .select('id')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const now = new Date()
  const about = { description: 'Party', now }
  const placed = await placeHold(db.database, { ...about, userId, amount: 1, reference: userId })
  const holdId = placed.outcome === 'held' ? placed.holdId : ''
  const move = () => ({
    ...about,
    fromAccountId,
    toAccountId: budget,
    reference: crypto.randomUUID(),
  })
  const acts: Promise<unknown>[] = []
  await inTransaction(db.database, async (leaving) => {
    await moveEventCredits(leaving, move())
    await moveEventHolds(leaving, move())
    acts.push(releaseHold(db.database, { holdId, now }))
    await untilWaiting(db.pool, 1)
    // The budget is somebody else's first, so that all meet there.
    const filling = { ...move(), fromAccountId: await readEventsAccount(leaving), amount: 1 }
    acts.push(inTransaction(db.database, (transaction) => moveEventCredits(transaction, filling)))
    await untilWaiting(db.pool, 2)
    acts.push(inTransaction(db.database, (again) => moveEventCredits(again, move())))
    await untilWaiting(db.pool, 3)
  })
  expect(await Promise.allSettled(acts)).toEqual([
    { status: 'fulfilled', value: true },
    { status: 'fulfilled', value: 1 },
    { status: 'fulfilled', value: 0 },
  ])
})
