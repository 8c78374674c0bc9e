import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../platform/db/database.ts'
import type { Database } from '../../platform/db/database.ts'
import { makeUser } from '../../testing/make-user.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { untilWaiting } from '../../testing/until-waiting.ts'
import { readAccount } from './account.ts'
import { correctBalance, takeBackCredits } from './correct.ts'
import { captureHold, releaseHold, expireHolds, releaseOwnHold } from './close-hold.ts'
import { createHoldBatcher, placeHold } from './hold.ts'
import type { HoldRequest, HoldResult } from './hold.ts'
import type { TakeBackResult } from './correct.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(8)
})
afterAll(() => db[Symbol.asyncDispose]())

const now = new Date('2026-11-20T12:00:00Z')
const request = (userId: string, more: Partial<HoldRequest> = {}): HoldRequest => ({
  userId,
  amount: 1,
  description: 'set aside',
  reference: crypto.randomUUID(),
  now,
  ...more,
})

/** Keeps the user's account locked while `act` runs. */
async function whileLocked(userId: string, act: () => Promise<void>): Promise<void> {
  await inTransaction(db.database, async (transaction) => {
    await transaction
      .selectFrom('credit_accounts')
      .select('id')
      .where('user_id', '=', userId)
      .forUpdate()
      .execute()
    await act()
  })
}

/** Places both holds when both have waited for the account, so that neither has seen the other. */
async function placeBoth(userId: string, requests: readonly HoldRequest[], within?: Database) {
  let placing: Promise<PromiseSettledResult<Awaited<ReturnType<typeof placeHold>>>[]> | undefined
  await whileLocked(userId, async () => {
    placing = Promise.allSettled(
      requests.map((one) =>
        within === undefined
          ? placeHold(db.database, one)
          : inTransaction(within, (transaction) => placeHold(transaction, one)),
      ),
    )
    await untilWaiting(db.pool, requests.length)
  })
  return (await placing) ?? []
}

test('two calls with one reference that meet are given the same hold', async () => {
  const userId = await makeUser(db.database, 5)
  const same = request(userId)
  const [one, other] = await placeBoth(userId, [same, same])
  expect([one, other]).toMatchObject([
    { status: 'fulfilled', value: { outcome: 'held', balance: 4 } },
    { status: 'fulfilled', value: { outcome: 'held', balance: 4 } },
  ])
  expect((await readAccount(db.database, userId)).balance).toBe(4)
})

test('two calls with one reference that meet at the last credit are given the same hold', async () => {
  for (const within of [undefined, db.database]) {
    const userId = await makeUser(db.database, 1)
    const same = request(userId)
    const results = await placeBoth(userId, [same, same], within)
    const held = { outcome: 'held', state: 'held', balance: 0 }
    expect(results).toMatchObject([
      { status: 'fulfilled', value: held },
      { status: 'fulfilled', value: held },
    ])
    expect((await readAccount(db.database, userId)).balance).toBe(0)
  }
})

test('batches of two nodes that meet with one reference at the last credit give the same hold', async () => {
  const userId = await makeUser(db.database, 1)
  const poor = await makeUser(db.database, 0)
  const same = request(userId)
  let placing: Promise<HoldResult>[] = []
  await whileLocked(userId, async () => {
    placing = [createHoldBatcher(db), createHoldBatcher(db)].map((place) => place(same))
    await untilWaiting(db.pool, 2)
  })
  const held = { outcome: 'held', balance: 0 }
  expect(await Promise.all(placing)).toMatchObject([held, held])
  expect(await placeHold(db.database, request(poor))).toEqual({
    outcome: 'insufficient_credits',
    balance: 0,
  })
})

test('in a transaction the one that comes second is told of the reference', async () => {
  const userId = await makeUser(db.database, 5)
  const same = request(userId)
  const results = await placeBoth(userId, [same, same], db.database)
  expect(results.toSorted((a, b) => a.status.localeCompare(b.status))).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { constraint: 'credit_holds_reference_unique' } },
  ])
})

test('a statement that fails otherwise is not repeated', async () => {
  let calls = 0
  const broken = {
    isTransaction: false,
    executeQuery() {
      calls += 1
      return Promise.reject(new Error('the connection was lost'))
    },
  } as unknown as Database
  await expect(placeHold(broken, request(crypto.randomUUID()))).rejects.toThrow('connection')
  expect(calls).toBe(1)
})

test('a hold is written down with whom and what it is for', async () => {
  const userId = await makeUser(db.database, 2)
  const attachedTo = `generation:${crypto.randomUUID()}`
  const placed = await placeHold(
    db.database,
    request(userId, { celebrity: 'Elena Vassandri', attachedTo }),
  )
  const bare = await placeHold(db.database, request(userId))
  const read = (result: typeof placed) =>
    db.database
      .selectFrom('credit_holds')
      .select(['celebrity', 'attached_to'])
      .where('id', '=', result.outcome === 'held' ? result.holdId : '')
      .executeTakeFirst()
  expect(await read(placed)).toEqual({ celebrity: 'Elena Vassandri', attached_to: attachedTo })
  expect(await read(bare)).toEqual({ celebrity: null, attached_to: null })
})

test('holds whose time is over are given back so many at a time, and counted', async () => {
  const userId = await makeUser(db.database, 3)
  for (let placed = 0; placed < 3; placed += 1) await placeHold(db.database, request(userId))
  const moment = new Date(now.getTime() + 15 * 60_000)
  const expire = (at = moment) => expireHolds(db.database, { now: at, limit: 2 })
  expect(await expire(new Date(moment.getTime() - 1))).toBe(0)
  // Holds of other tests are due as well; none of them is newer.
  const counts = [await expire()]
  while (counts.at(-1) !== 0) counts.push(await expire())
  expect(counts[0]).toBe(2)
  expect(counts.every((count) => count <= 2)).toBe(true)
  expect((await readAccount(db.database, userId)).balance).toBe(3)
})

test('holds whose account somebody is at are given back by a later run, which waits for nobody', async () => {
  const [busy, free] = [await makeUser(db.database, 1), await makeUser(db.database, 1)]
  await placeHold(db.database, request(busy))
  await placeHold(db.database, request(free))
  const expire = () => expireHolds(db.database, { now: new Date('2026-11-21'), limit: 1_000 })
  await whileLocked(busy, async () => {
    await expire()
    expect((await readAccount(db.database, busy)).balance).toBe(0)
    expect((await readAccount(db.database, free)).balance).toBe(1)
  })
  await expire()
  expect((await readAccount(db.database, busy)).balance).toBe(1)
})

test.for([
  ['captured', captureHold],
  ['released', releaseHold],
  ['given back by its owner', releaseOwnHold],
] as const)(
  'a hold that is %s leaves its row free while it waits for its account',
  async ([, close]) => {
    const userId = await makeUser(db.database, 1)
    const placed = await placeHold(db.database, request(userId))
    const holdId = placed.outcome === 'held' ? placed.holdId : ''
    let closing: Promise<unknown> | undefined
    await whileLocked(userId, async () => {
      closing = close(db.database, { userId, holdId, now })
      await untilWaiting(db.pool, 1)
      const free = db.database
        .selectFrom('credit_holds')
        .select('state')
        .where('id', '=', holdId)
        .forUpdate()
        .skipLocked()
      expect(await free.execute()).toEqual([{ state: 'held' }])
    })
    await closing
    expect((await readAccount(db.database, userId)).balance).toBe(close === captureHold ? 0 : 1)
  },
)

test('a correction and a refund wait for nobody else’s account', async () => {
  const [userId, other] = [await makeUser(db.database, 5), await makeUser(db.database, 5)]
  await whileLocked(other, async () => {
    const act = { userId, description: 'mended', now }
    await inTransaction(db.database, async (transaction) => {
      await transaction.executeQuery(CompiledQuery.raw(`set local lock_timeout = '2s'`))
      const corrected = await correctBalance(transaction, {
        ...act,
        amount: 1,
        reference: crypto.randomUUID(),
      })
      expect(corrected).toMatchObject({ outcome: 'corrected', balance: 6 })
      const taken = await takeBackCredits(transaction, {
        ...act,
        amount: 2,
        reference: crypto.randomUUID(),
      })
      expect(taken).toEqual({ taken: 2, owed: 0, repeated: false })
    })
  })
})

test('credits that are taken back while a hold is being placed are taken from that hold too', async () => {
  const userId = await makeUser(db.database, 1)
  let taking: Promise<TakeBackResult> | undefined
  await inTransaction(db.database, async (transaction) => {
    await placeHold(transaction, request(userId))
    const takeBack = { ...request(userId), description: 'refunded' }
    taking = inTransaction(db.database, (other) => takeBackCredits(other, takeBack))
    await untilWaiting(db.pool, 1)
  })
  expect(await taking).toEqual({ taken: 1, owed: 0, repeated: false })
  expect((await readAccount(db.database, userId)).balance).toBe(0)
})
