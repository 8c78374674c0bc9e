import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeUser } from '../../testing/make-user.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { readAccount } from './account.ts'
import { auditBooks } from './audit.ts'
import { createHoldBatcher, placeHold } from './hold.ts'
import type { HoldResult, HoldRow } from './hold.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(12)
})
afterAll(() => db[Symbol.asyncDispose]())

const request = (userId: string, reference: string, amount = 1) => ({
  userId,
  amount,
  reference,
  description: 'Photo generation',
  now: new Date(),
})

const outcomes = (results: HoldResult[], outcome: HoldResult['outcome']) =>
  results.filter((result) => result.outcome === outcome)

test('many callers on few accounts get exactly the credits that there are', async () => {
  const users = await Promise.all(Array.from({ length: 8 }, () => makeUser(db.database, 5)))
  const place = createHoldBatcher(db)
  const results = await Promise.all(
    users.flatMap((userId) =>
      Array.from({ length: 12 }, (_, index) => place(request(userId, `r${index}`))),
    ),
  )
  expect(outcomes(results, 'held')).toHaveLength(8 * 5)
  expect(outcomes(results, 'insufficient_credits')).toHaveLength(8 * 7)
  for (const userId of users) {
    expect((await readAccount(db.database, userId)).balance).toBe(0)
  }
  expect((await auditBooks(db.database)).findings).toEqual([])
})

test('several nodes and plain callers side by side neither deadlock nor overdraw', async () => {
  const users = await Promise.all(Array.from({ length: 6 }, () => makeUser(db.database, 20)))
  const batchers = Array.from({ length: 3 }, () => createHoldBatcher(db))
  const results = await Promise.all(
    Array.from({ length: 400 }, (_, index) => {
      const call = request(users[index % users.length] ?? '', `r${index}`)
      const place = batchers[index % 4]
      return place === undefined ? placeHold(db.database, call) : place(call)
    }),
  )
  expect(outcomes(results, 'held')).toHaveLength(6 * 20)
  expect((await auditBooks(db.database)).findings).toEqual([])
})

test('a reference that comes again gives the same hold, also in parallel and from another node', async () => {
  const userId = await makeUser(db.database, 5)
  const [one, other] = [createHoldBatcher(db), createHoldBatcher(db)]
  const results = await Promise.all([
    one(request(userId, 'same')),
    one(request(userId, 'same')),
    other(request(userId, 'same')),
    placeHold(db.database, request(userId, 'same')),
  ])
  const again = await other(request(userId, 'same'))
  const ids = [...results, again].map((result) => result.outcome === 'held' && result.holdId)
  expect(new Set(ids).size).toBe(1)
  expect((await readAccount(db.database, userId)).balance).toBe(4)
  expect(await one(request(userId, 'same', 2))).toEqual({ outcome: 'reference_conflict' })
})

test('one caller’s failure is not the others’', async () => {
  const userId = await makeUser(db.database, 5)
  const place = createHoldBatcher(db)
  const nobody = '00000000-0000-4000-8000-000000000000'
  const [good, bad] = await Promise.allSettled([
    place(request(userId, 'good')),
    place(request(nobody, 'bad')),
  ])
  expect(good).toMatchObject({ status: 'fulfilled', value: { outcome: 'held', balance: 4 } })
  expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'token_invalid' } })
})

test('callers that come together share one prepared statement', async () => {
  const users = await Promise.all(Array.from({ length: 40 }, () => makeUser(db.database, 1)))
  const statements: unknown[] = []
  const place = createHoldBatcher({
    database: db.database,
    pool: listenTo(async (config) => {
      const answer = await db.pool.query<HoldRow>(config)
      statements.push([config.name, answer.rows.length])
      return answer
    }),
  })
  const results = await Promise.all(users.map((userId) => place(request(userId, 'together'))))
  expect(outcomes(results, 'held')).toHaveLength(40)
  expect(statements).toEqual([['place-holds', 40]])
})

test('what failed together is done one by one', async () => {
  const users = await Promise.all([makeUser(db.database, 1), makeUser(db.database, 1)])
  const pool = listenTo(() => Promise.reject(new Error('the connection was lost')))
  const place = createHoldBatcher({ database: db.database, pool })
  const results = await Promise.all(users.map((userId) => place(request(userId, 'alone'))))
  expect(results).toMatchObject(users.map(() => ({ outcome: 'held', balance: 0 })))
})

/** A pool whose statements go through `query`. */
function listenTo(query: (config: pg.QueryConfig) => Promise<unknown>): pg.Pool {
  return { query } as unknown as pg.Pool
}
