import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUser } from '../../testing/make-user.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { readAccount } from './account.ts'
import { auditBooks } from './audit.ts'
import { captureHold, releaseHold } from './close-hold.ts'
import { correctBalance } from './correct.ts'
import { placeHold } from './hold.ts'

const now = new Date('2026-11-20T12:00:00Z')

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db[Symbol.asyncDispose]())

test('corrections that come at once take no more than there is, and none of them fails', async () => {
  for (let round = 0; round < 5; round += 1) {
    const userId = await makeUser(db.database, 12)
    const take = () =>
      correctBalance(db.database, {
        userId,
        amount: -5,
        description: 'taken',
        reference: `correction:${crypto.randomUUID()}`,
        now,
      })
    const results = await Promise.all([take(), take(), take(), take(), take(), take()])
    const moved = results.map((result) => (result.outcome === 'corrected' ? result.moved : 0))
    expect(moved.toSorted((one, two) => one - two)).toEqual([-5, -5, -2, 0, 0, 0])
    expect((await readAccount(db.database, userId)).balance).toBe(0)
  }
})

test('a hold that is captured and released at once is one of both, and each call is told which', async () => {
  for (let round = 0; round < 10; round += 1) {
    const userId = await makeUser(db.database, 5)
    const placed = await placeHold(db.database, {
      userId,
      amount: 1,
      description: 'set aside',
      reference: crypto.randomUUID(),
      now,
    })
    if (placed.outcome !== 'held') throw new Error(placed.outcome)
    const { holdId } = placed
    const [first, second] = await Promise.all([
      captureHold(db.database, { holdId, now }),
      captureHold(db.database, { holdId, now }),
      releaseHold(db.database, { holdId, now }),
    ])
    const isCaptured = first !== 'released'
    expect([first, second].toSorted()).toEqual(
      isCaptured ? ['captured', 'held'] : ['released', 'released'],
    )
    expect((await readAccount(db.database, userId)).balance).toBe(isCaptured ? 4 : 5)
  }
  expect((await auditBooks(db.database)).findings).toEqual([])
})
