import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../platform/db/database.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { moveEventCredits, openEventAccount, readEventsAccount } from './move-credits.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(2)
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
