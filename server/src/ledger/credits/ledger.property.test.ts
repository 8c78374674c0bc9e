import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../platform/db/database.ts'
import { makeUser } from '../../testing/make-user.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { roundsOr } from '../../testing/rounds-or.ts'
import { readAccount } from './account.ts'
import { attachOpenHold } from './attach-hold.ts'
import { auditBooks } from './audit.ts'
import { captureHold, releaseHold, expireHolds } from './close-hold.ts'
import { correctBalance, takeBackCredits } from './correct.ts'
import { grantCredits } from './grant.ts'
import { placeHold } from './hold.ts'

/*
 * Random acts, several of them at once, on few users and few references, so that they collide all
 * the time. A model isn't needed: whatever the interleaving was, the books must balance, no balance
 * may lie below zero, nobody owes and has credits at once, and doing everything once more must change
 * nothing. In the end all money is given back: what is left then was never bought.
 */

interface Act {
  kind: 'grant' | 'hold' | 'claim' | 'capture' | 'release' | 'correct' | 'expire' | 'refund'
  user: number
  reference: number
  amount: number
}

const users = 3
const references = 4

const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom(
    'grant',
    'grant',
    'hold',
    'hold',
    'claim',
    'capture',
    'release',
    'correct',
    'expire',
    'refund',
  ),
  user: fc.nat({ max: users - 1 }),
  reference: fc.nat({ max: references - 1 }),
  amount: fc.integer({ min: 1, max: 4 }),
})

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase(8)
})
afterAll(() => db[Symbol.asyncDispose]())

test('whatever is done in whatever order, the books balance and nothing is done twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(act, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 8 }),
      async (rounds) => {
        const world = await openWorld()
        for (const round of rounds) {
          await Promise.all(round.map((one) => world.perform(one)))
        }

        const balances = await world.balances()
        expect(Math.min(...balances.map(({ balance }) => balance))).toBeGreaterThanOrEqual(0)
        expect((await auditBooks(db.database)).findings).toEqual([])

        const everything = rounds.flat()
        for (const once of everything) await world.repeat(once)
        expect(await world.balances()).toEqual(balances)
        expect((await auditBooks(db.database)).findings).toEqual([])

        await world.refundEverything()
        expect(await world.balances()).toEqual(await world.unbought())
        expect((await auditBooks(db.database)).findings).toEqual([])
      },
    ),
    { numRuns: roundsOr(30) },
  )
})

test('a reference that comes again while its hold runs out is answered, and the books balance', async () => {
  const { database } = db
  const now = new Date('2026-11-20T12:00:00Z')
  const late = new Date('2026-11-20T12:20:00Z')
  for (let round = 0; round < 40; round += 1) {
    const userId = await makeUser(database, 4)
    const request = { userId, amount: 1, description: 'held', reference: 'once', now }
    const sweep = async () => {
      for (let sweeps = 0; sweeps < 6; sweeps += 1) {
        await expireHolds(database, { now: late, limit: 100 })
      }
    }
    const place = () => placeHold(database, request)
    const [held, again] = await Promise.all([place(), place(), place(), place(), sweep(), sweep()])
    expect(again).toMatchObject({ outcome: 'held' })
    expect(held).toMatchObject({ outcome: 'held' })
    await expireHolds(database, { now: late, limit: 100 })
    expect((await readAccount(database, userId)).balance).toBe(4)
  }
  expect((await auditBooks(database)).findings).toEqual([])
})

async function openWorld() {
  const { database } = db
  const userIds = await Promise.all(Array.from({ length: users }, () => makeUser(database, 3)))
  const holds = new Map<string, string>()
  const start = new Date('2026-11-20T12:00:00Z')
  const late = new Date('2026-11-20T12:20:00Z')

  async function perform(one: Act): Promise<void> {
    const userId = userIds[one.user] ?? ''
    const key = `${one.user}:${one.reference}`
    // The amount belongs to the reference, as a caller that repeats itself brings the same one.
    const amount = 1 + (one.reference % 3)
    const holdId = holds.get(key)
    switch (one.kind) {
      case 'grant':
        await grantCredits(database, {
          userId,
          amount,
          reason: 'purchase',
          description: 'granted',
          reference: `grant:${userId}:${one.reference}`,
          now: start,
        })
        return
      case 'hold': {
        const result = await placeHold(database, {
          userId,
          amount,
          description: 'held',
          reference: key,
          now: start,
        })
        if (result.outcome === 'held') holds.set(key, result.holdId)
        return
      }
      case 'claim':
        await inTransaction(database, (transaction) =>
          attachOpenHold(transaction, {
            userId,
            holdId: undefined,
            celebrity: 'Elena Vassandri',
            amount,
            attachedTo: crypto.randomUUID(),
            now: start,
            expiresAt: late,
          }),
        )
        return
      case 'refund':
        await refund(userId, one.reference)
        return
      case 'capture':
        if (holdId !== undefined) await captureHold(database, { holdId, now: start })
        return
      case 'release':
        if (holdId !== undefined) await releaseHold(database, { holdId, now: start })
        return
      case 'correct':
        await correctBalance(database, {
          userId,
          amount: one.amount % 2 === 0 ? one.amount : -one.amount,
          description: 'corrected',
          reference: `correct:${userId}:${one.reference}`,
          now: start,
        })
        return
      case 'expire':
        await expireHolds(database, { now: late, limit: 100 })
        return
    }
  }

  /** Takes a purchase back, as a refunded order does: never one that wasn't made. */
  async function refund(userId: string, reference: number): Promise<void> {
    const bought = await database
      .selectFrom('ledger_entries')
      .select('amount')
      .where('reference', '=', `grant:${userId}:${reference}`)
      .executeTakeFirst()
    if (bought === undefined) return
    await inTransaction(database, (transaction) =>
      takeBackCredits(transaction, {
        userId,
        amount: bought.amount,
        description: 'refunded',
        reference: `refund:${userId}:${reference}`,
        now: start,
      }),
    )
  }

  /** All purchases go back, all at once, while the holds that are open run out. */
  async function refundEverything(): Promise<void> {
    const all = userIds.flatMap((userId) =>
      Array.from({ length: references }, (_, reference) => refund(userId, reference)),
    )
    const expire = () => expireHolds(database, { now: late, limit: 100 })
    await Promise.all([...all, expire()])
    await expireHolds(database, { now: late, limit: 100 })
  }

  /** What each user must have or owe without any purchase: given less corrected and used credits. */
  async function unbought() {
    return Promise.all(
      userIds.map(async (userId) => {
        const { rows } = await sql<{ rest: number }>`
          select coalesce(sum(case when credit_account_id = account.id then amount
            else -amount end), 0)::integer as rest
          from ledger_entries as entry
          join credit_accounts as account on account.id in (debit_account_id, credit_account_id)
          where account.user_id = ${userId} and entry.reason <> 'purchase'
            and entry.reference not like 'refund:%'
        `.execute(database)
        const rest = rows[0]?.rest ?? 0
        return { balance: Math.max(0, rest), owed: Math.max(0, -rest) }
      }),
    )
  }

  /** Only what was really done may be repeated: a refused act is free to succeed later. */
  async function repeat(one: Act): Promise<void> {
    const key = `${one.user}:${one.reference}`
    if (one.kind === 'hold' && !holds.has(key)) return
    const isClosing = one.kind === 'capture' || one.kind === 'release'
    if (one.kind !== 'grant' && one.kind !== 'hold' && !isClosing) return
    if (isClosing && (await isOpen(holds.get(key)))) return
    await perform(one)
  }

  async function isOpen(holdId: string | undefined): Promise<boolean> {
    if (holdId === undefined) return true
    const hold = await database
      .selectFrom('credit_holds')
      .select('state')
      .where('id', '=', holdId)
      .executeTakeFirstOrThrow()
    return hold.state === 'held'
  }

  const balances = async () =>
    Promise.all(
      userIds.map(async (id) => {
        const { balance, owed } = await readAccount(database, id)
        return { balance, owed }
      }),
    )
  return { perform, repeat, balances, refundEverything, unbought }
}
