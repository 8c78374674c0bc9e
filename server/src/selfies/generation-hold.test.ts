import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { placeHold } from '../ledger/credits/hold.ts'
import { inTransaction } from '../platform/db/database.ts'
import { makeUser } from '../testing/make-user.ts'
import { openTestDatabase } from '../testing/open-test-database.ts'
import { assertCanPay, giveBackHold, obtainHold, whilePreparing } from './generation-hold.ts'

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(4)
})
afterAll(() => db[Symbol.asyncDispose]())

const noon = new Date('2026-11-20T12:00:00Z')
const after = (ms: number) => new Date(noon.getTime() + ms)
const parts = (now = noon) => ({ database: db.database, clock: () => now })
const returned = { code: 'hold_returned' }
const tooLittle = { code: 'insufficient_credits' }

async function hold(userId: string, amount = 1, at = noon): Promise<string> {
  const placed = await placeHold(db.database, {
    userId,
    amount,
    description: 'set aside',
    reference: crypto.randomUUID(),
    now: at,
  })
  if (placed.outcome !== 'held') throw new Error(placed.outcome)
  return placed.holdId
}
const readHold = (holdId: string) =>
  db.database
    .selectFrom('credit_holds')
    .select(['state', 'attached_to', 'celebrity', 'expires_at', 'description', 'amount'])
    .where('id', '=', holdId)
    .executeTakeFirstOrThrow()
const balanceOf = async (userId: string) =>
  (
    await db.database
      .selectFrom('credit_accounts')
      .select('balance')
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
  ).balance

/** As a request that names a hold, or none, finds out whether it can pay. */
const canPay = (userId: string, holdId?: string, now = noon) =>
  whilePreparing(parts(now), { userId, holdId }, (isHoldOpen) =>
    assertCanPay(parts(now), { userId, holdId, isHoldOpen }),
  )

describe('who can pay', () => {
  test('has a credit, or an open hold of one', async () => {
    const rich = await makeUser(db.database, 1)
    await canPay(rich)
    const held = await makeUser(db.database, 1)
    const holdId = await hold(held)
    await canPay(held)
    await canPay(held, holdId)
  })

  test('is not who has neither', async () => {
    const poor = await makeUser(db.database, 0)
    await expect(canPay(poor)).rejects.toMatchObject(tooLittle)
    const late = await makeUser(db.database, 1)
    await hold(late)
    const expired = canPay(late, undefined, after(15 * 60_000))
    await expect(expired).rejects.toMatchObject(tooLittle)
  })

  test('is told when the named hold is gone, whatever else there is', async () => {
    const rich = await makeUser(db.database, 9)
    await hold(rich)
    const gone = canPay(rich, crypto.randomUUID())
    await expect(gone).rejects.toMatchObject(returned)
  })
})

describe('the hold of a generation', () => {
  const obtain = (userId: string, options: { holdId?: string; generationId?: string } = {}) =>
    inTransaction(db.database, (transaction) =>
      obtainHold(transaction, {
        userId,
        holdId: options.holdId,
        generationId: options.generationId ?? crypto.randomUUID(),
        celebrity: 'Mina Asakuri',
        now: noon,
        expiresAt: after(40 * 60_000),
      }),
    )

  test('is the named one, and lasts as long as the generation may take', async () => {
    const userId = await makeUser(db.database, 5)
    const [older, newer] = [await hold(userId), await hold(userId, 1, after(1))]
    const generationId = crypto.randomUUID()
    expect(await obtain(userId, { holdId: older, generationId })).toBe(older)
    expect(await readHold(older)).toMatchObject({
      state: 'held',
      attached_to: `generation:${generationId}`,
      celebrity: 'Mina Asakuri',
      expires_at: after(40 * 60_000),
    })
    expect(await readHold(newer)).toMatchObject({ attached_to: null })
    await expect(obtain(userId, { holdId: older })).rejects.toMatchObject(returned)
  })

  test('is without a name the newest open one of one credit', async () => {
    const userId = await makeUser(db.database, 5)
    const [, newer] = [await hold(userId), await hold(userId, 1, after(1))]
    await hold(userId, 2, after(2))
    expect(await obtain(userId)).toBe(newer)
  })

  test('is placed where there is none', async () => {
    const userId = await makeUser(db.database, 1)
    const generationId = crypto.randomUUID()
    const holdId = await obtain(userId, { generationId })
    expect(await readHold(holdId)).toEqual({
      state: 'held',
      attached_to: `generation:${generationId}`,
      celebrity: 'Mina Asakuri',
      description: 'Photo generation with Mina Asakuri',
      amount: 1,
      expires_at: after(40 * 60_000),
    })
    expect(await balanceOf(userId)).toBe(0)
    await expect(obtain(userId)).rejects.toMatchObject(tooLittle)
  })

  test('is never placed twice for one generation', async () => {
    const userId = await makeUser(db.database, 5)
    const generationId = crypto.randomUUID()
    await placeHold(db.database, {
      userId,
      amount: 2,
      description: 'another amount',
      reference: `generation:${generationId}`,
      attachedTo: 'something else',
      now: noon,
    })
    await expect(obtain(userId, { generationId })).rejects.toThrow(/was held before/)
  })
})

describe('the credit of a refused request', () => {
  const giveBack = (userId: string, named?: string) => giveBackHold(parts(), userId, named)

  test('comes back from the named hold, and from no other', async () => {
    const userId = await makeUser(db.database, 5)
    const [named, other] = [await hold(userId), await hold(userId, 1, after(1))]
    await giveBack(userId, named)
    expect([(await readHold(named)).state, (await readHold(other)).state]).toEqual([
      'released',
      'held',
    ])
    expect(await balanceOf(userId)).toBe(4)
    await giveBack(userId, named)
    expect(await balanceOf(userId)).toBe(4)
  })

  test('comes back from the newest open hold of one credit where none was named', async () => {
    const userId = await makeUser(db.database, 9)
    const holds = [
      await hold(userId),
      await hold(userId, 1, after(1)),
      await hold(userId, 2, after(2)),
    ]
    await giveBack(userId)
    const states = await Promise.all(holds.map(async (id) => (await readHold(id)).state))
    expect(states).toEqual(['held', 'released', 'held'])
  })

  test('comes back from another hold than that with which a request still prepares', async () => {
    const userId = await makeUser(db.database, 5)
    const [older, newer] = [await hold(userId), await hold(userId, 1, after(1))]
    const refused = new Error('refused')
    const preparing = whilePreparing(parts(), { userId, holdId: newer }, async () => {
      await giveBack(userId)
      await giveBack(userId)
      throw refused
    })
    await expect(preparing).rejects.toBe(refused)
    expect([(await readHold(older)).state, (await readHold(newer)).state]).toEqual([
      'released',
      'held',
    ])
  })

  test('stays while another request prepares with it, and comes back with the last of them', async () => {
    const userId = await makeUser(db.database, 5)
    const holdId = await hold(userId)
    const stateAfter = async () => {
      await giveBack(userId, holdId)
      return (await readHold(holdId)).state
    }
    const refused = new Error('refused')
    const states: string[] = []
    const inner = () =>
      whilePreparing(parts(), { userId, holdId }, async () => {
        states.push(await stateAfter())
        throw refused
      })
    const outer = whilePreparing(parts(), { userId, holdId }, async () => {
      await inner().catch(() => undefined)
      states.push(await stateAfter())
      throw refused
    })
    await expect(outer).rejects.toBe(refused)
    states.push(await stateAfter())
    expect(states).toEqual(['held', 'held', 'released'])
  })

  test('stays where nothing was set aside, where it is attached, and where it is somebody else’s', async () => {
    const nobody = await makeUser(db.database, 5)
    await giveBack(nobody)
    expect(await balanceOf(nobody)).toBe(5)
    const owner = await makeUser(db.database, 5)
    const holdId = await hold(owner)
    await giveBack(nobody, holdId)
    expect((await readHold(holdId)).state).toBe('held')
    await db.database
      .updateTable('credit_holds')
      .set({ attached_to: `generation:${crypto.randomUUID()}` })
      .where('id', '=', holdId)
      .execute()
    await giveBack(owner, holdId)
    expect((await readHold(holdId)).state).toBe('held')
  })
})
