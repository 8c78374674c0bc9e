import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../platform/db/database.ts'
import { makeUser } from '../../testing/make-user.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { attachOpenHold, beginPreparing, findOpenHold, extendHold } from './attach-hold.ts'
import { placeHold } from './hold.ts'
import { releaseHold } from './close-hold.ts'

const now = new Date('2026-11-20T12:00:00Z')
const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db[Symbol.asyncDispose]())

async function hold(userId: string, more: { amount?: number; minutes?: number } = {}) {
  const placed = await placeHold(db.database, {
    userId,
    amount: more.amount ?? 1,
    description: 'set aside',
    reference: crypto.randomUUID(),
    now: later(more.minutes ?? 0),
  })
  if (placed.outcome !== 'held') throw new Error(placed.outcome)
  return placed.holdId
}

const attach = (userId: string, at = now, holdId?: string) =>
  inTransaction(db.database, (transaction) =>
    attachOpenHold(transaction, {
      userId,
      holdId,
      celebrity: 'Elena Vassandri',
      amount: 1,
      attachedTo: `generation:${crypto.randomUUID()}`,
      now: at,
      expiresAt: later(60),
    }),
  )
const find = (userId: string, at = now, holdId?: string) =>
  holdId === undefined
    ? findOpenHold(db.database, { userId, amount: 1, now: at }).then((id) => id !== undefined)
    : beginPreparing(db.database, { userId, holdId, amount: 1, now: at })

async function readHold(id: string) {
  return db.database
    .selectFrom('credit_holds')
    .select(['attached_to', 'expires_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

describe('a generation claims', () => {
  test('the newest open hold of its price', async () => {
    const userId = await makeUser(db.database, 9)
    await hold(userId)
    const newest = await hold(userId, { minutes: 1 })
    await hold(userId, { minutes: 2, amount: 2 })
    expect(await find(userId)).toBe(true)
    expect(await attach(userId, later(3))).toBe(newest)
    expect((await readHold(newest)).expires_at).toEqual(later(60))
  })

  test('the hold that is named, though another is newer', async () => {
    const userId = await makeUser(db.database, 9)
    const named = await hold(userId)
    await hold(userId, { minutes: 1 })
    expect(await find(userId, later(2), named)).toBe(true)
    expect(await attach(userId, later(2), named)).toBe(named)
    expect(await find(userId, later(2), named)).toBe(false)
    expect(await attach(userId, later(2), named)).toBeUndefined()
  })

  test('no hold that is closed', async () => {
    const userId = await makeUser(db.database, 9)
    const holdId = await hold(userId)
    await releaseHold(db.database, { holdId, now })
    expect(await find(userId)).toBe(false)
    expect(await attach(userId)).toBeUndefined()
  })

  test('no hold that another selfie has, and doesn’t find one to give back either', async () => {
    const userId = await makeUser(db.database, 9)
    const holdId = await hold(userId)
    expect(await attach(userId)).toBe(holdId)
    const { attached_to: owner } = await readHold(holdId)
    expect(await attach(userId)).toBeUndefined()
    expect(await find(userId)).toBe(false)
    expect((await readHold(holdId)).attached_to).toBe(owner)
  })

  test('no hold whose time is over, though it still lies there', async () => {
    const userId = await makeUser(db.database, 9)
    await hold(userId)
    expect(await find(userId, later(15))).toBe(false)
    expect(await attach(userId, later(15))).toBeUndefined()
  })

  test('a hold up to the last moment of its time', async () => {
    const userId = await makeUser(db.database, 9)
    const holdId = await hold(userId)
    const lastMoment = new Date(later(15).getTime() - 1)
    expect(await find(userId, lastMoment)).toBe(true)
    expect(await attach(userId, lastMoment)).toBe(holdId)
  })

  test('nothing of somebody else, also when it is named', async () => {
    const userId = await makeUser(db.database, 9)
    const holdId = await hold(userId)
    const other = await makeUser(db.database, 9)
    expect(await attach(other)).toBeUndefined()
    expect(await attach(other, now, holdId)).toBeUndefined()
    expect([await find(other), await find(other, now, holdId)]).toEqual([false, false])
    expect((await readHold(holdId)).attached_to).toBeNull()
  })

  test('nothing while credits are owed', async () => {
    const userId = await makeUser(db.database, 1)
    await hold(userId)
    await sql`update credit_accounts set owed = 5 where user_id = ${userId}`.execute(db.database)
    expect(await find(userId)).toBe(false)
    expect(await attach(userId)).toBeUndefined()
  })

  test('each a hold of its own, when several come at once', async () => {
    const userId = await makeUser(db.database, 9)
    await Promise.all([hold(userId), hold(userId), hold(userId)])
    const claimed = await Promise.all([attach(userId), attach(userId), attach(userId)])
    expect(new Set(claimed).size).toBe(3)
    expect(claimed).not.toContain(undefined)
  })
})

const newGeneration = () => `generation:${crypto.randomUUID()}`

test('whoever comes while another claims a hold takes the next one and doesn’t wait', async () => {
  const userId = await makeUser(db.database, 9)
  const [one, other] = [await hold(userId), await hold(userId, { minutes: 1 })]
  const claim = { userId, holdId: undefined, amount: 1, celebrity: '', now, expiresAt: later(60) }
  const claimed = await inTransaction(db.database, async (first) => {
    const newest = await attachOpenHold(first, { ...claim, attachedTo: newGeneration() })
    const next = await inTransaction(db.database, async (second) => {
      await sql`set local lock_timeout = '1s'`.execute(second)
      return attachOpenHold(second, { ...claim, attachedTo: newGeneration() })
    })
    return [newest, next]
  })
  expect(claimed).toEqual([other, one])
})

test('a hold is extended, never shortened, and not once it is closed', async () => {
  const userId = await makeUser(db.database, 9)
  const holdId = await hold(userId)
  const extend = (minutes: number) => extendHold(db.database, { holdId, expiresAt: later(minutes) })
  expect(await extend(30)).toBe(true)
  expect((await readHold(holdId)).expires_at).toEqual(later(30))
  expect(await extend(5)).toBe(true)
  expect((await readHold(holdId)).expires_at).toEqual(later(30))
  await sql`
    update credit_holds set state = 'captured', settled_at = now() where id = ${holdId}
  `.execute(db.database)
  expect(await extend(90)).toBe(false)
})
