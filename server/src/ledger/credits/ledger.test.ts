import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../platform/db/database.ts'
import { makeUser } from '../../testing/make-user.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { readAccount } from './account.ts'
import { auditBooks } from './audit.ts'
import { captureHold, releaseHold, releaseOwnHold, expireHolds } from './close-hold.ts'
import { correctBalance, takeBackCredits } from './correct.ts'
import { grantCredits } from './grant.ts'
import { placeHold } from './hold.ts'

/*
 * The life of credits, told as tables: each row is an act, what it answers and the balance after
 * it, which is negative while credits are owed. Time stands still unless a row says `tick`, in minutes. Every table ends with an audit.
 */

type Row =
  | ['grant', reference: string, amount: number, answer: string, balance: number]
  | ['buy', reference: string, amount: number, answer: string, balance: number]
  | ['hold', reference: string, amount: number, answer: string, balance: number]
  | ['capture', reference: string, answer: string, balance: number]
  | ['release', reference: string, answer: string, balance: number]
  | ['correct', reference: string, amount: number, answer: string, balance: number]
  | ['take back', reference: string, amount: number, answer: string, balance: number]
  | ['tick', minutes: number]
  | ['claim', reference: string]
  | ['expire', answer: string, balance: number]

const stories: Record<string, Row[]> = {
  'a hold takes the credit away and its capture makes that final': [
    ['grant', 'g', 1, 'granted', 1],
    ['hold', 'a', 1, 'held', 0],
    ['capture', 'a', 'captured', 0],
    ['capture', 'a', 'captured again', 0],
    ['release', 'a', 'too late', 0],
    ['tick', 16],
    ['expire', '0 expired', 0],
  ],
  'a release gives the credit back, once': [
    ['grant', 'g', 2, 'granted', 2],
    ['hold', 'a', 2, 'held', 0],
    ['release', 'a', 'released', 2],
    ['release', 'a', 'too late', 2],
    ['capture', 'a', 'not held: released', 2],
  ],
  'a hold that nobody closes expires after fifteen minutes': [
    ['grant', 'g', 1, 'granted', 1],
    ['hold', 'a', 1, 'held', 0],
    ['tick', 14],
    ['expire', '0 expired', 0],
    ['tick', 1],
    ['expire', '1 expired', 1],
    ['expire', '0 expired', 1],
    ['capture', 'a', 'not held: expired', 1],
  ],
  'nobody holds more than there is': [
    ['hold', 'a', 1, 'insufficient_credits', 0],
    ['grant', 'g', 2, 'granted', 2],
    ['hold', 'a', 3, 'insufficient_credits', 2],
    ['hold', 'a', 2, 'held', 0],
    ['hold', 'b', 1, 'insufficient_credits', 0],
  ],
  'a repeated reference changes nothing': [
    ['grant', 'g', 5, 'granted', 5],
    ['grant', 'g', 5, 'granted again', 5],
    ['grant', 'g', 6, 'reference_conflict', 5],
    ['hold', 'a', 2, 'held', 3],
    ['hold', 'a', 2, 'held again', 3],
    ['hold', 'a', 1, 'reference_conflict', 3],
    ['capture', 'a', 'captured', 3],
    ['hold', 'a', 2, 'held again', 3],
  ],
  'a correction takes no more than there is': [
    ['grant', 'g', 3, 'granted', 3],
    ['correct', 'c', 2, 'moved 2', 5],
    ['correct', 'd', -4, 'moved -4', 1],
    ['correct', 'd', -4, 'moved -4 again', 1],
    ['correct', 'e', -9, 'moved -1', 0],
    ['correct', 'f', -1, 'nothing_to_take', 0],
  ],
  'a refund takes what is set aside before anything is owed': [
    ['buy', 'order', 100, 'granted', 100],
    ['hold', 'a', 99, 'held', 1],
    ['take back', 'order', 100, 'took 100', 0],
    ['take back', 'order', 100, 'taken again', 0],
    ['release', 'a', 'too late', 0],
    ['capture', 'a', 'not held: released', 0],
    ['tick', 16],
    ['expire', '0 expired', 0],
  ],
  'a refund leaves a hold alone where the balance suffices': [
    ['grant', 'g', 3, 'granted', 3],
    ['buy', 'order', 10, 'granted', 13],
    ['hold', 'a', 3, 'held', 10],
    ['take back', 'order', 10, 'took 10', 0],
    ['capture', 'a', 'captured', 0],
  ],
  'a refund of spent credits is owed, and paid by whatever is granted': [
    ['buy', 'order', 10, 'granted', 10],
    ['hold', 'a', 8, 'held', 2],
    ['capture', 'a', 'captured', 2],
    ['take back', 'order', 10, 'took 2, owes 8', -8],
    ['hold', 'b', 1, 'insufficient_credits', -8],
    ['correct', 'c', -1, 'nothing_to_take', -8],
    ['grant', 'g', 3, 'granted', -5],
    ['buy', 'next', 4, 'granted', -1],
    ['take back', 'next', 4, 'took 0, owes 4', -5],
    ['correct', 'd', 7, 'moved 7', 2],
    ['hold', 'b', 2, 'held', 0],
  ],
  'what something has claimed is not taken from it, and pays when it comes back': [
    ['buy', 'order', 5, 'granted', 5],
    ['hold', 'a', 2, 'held', 3],
    ['claim', 'a'],
    ['hold', 'b', 3, 'held', 0],
    ['claim', 'b'],
    ['take back', 'order', 5, 'took 0, owes 5', -5],
    ['release', 'a', 'released', -3],
    ['tick', 16],
    ['expire', '3 expired', 0],
    ['grant', 'g', 1, 'granted', 1],
  ],
  'credits never expire': [
    ['grant', 'g', 1, 'granted', 1],
    ['buy', 'order', 100, 'granted', 101],
    ['tick', 20 * 366 * 24 * 60],
    ['expire', '0 expired', 101],
    ['hold', 'a', 100, 'held', 1],
  ],
}

let db: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db[Symbol.asyncDispose]())

describe('the ledger', () => {
  test.for(Object.entries(stories))('%s', async ([, rows]) => {
    const book = await openBook()
    for (const row of rows) {
      const told = await book.act(row)
      expect(told, `after ${row.join(' ')}`).toEqual(row)
    }
    expect((await auditBooks(db.database)).findings).toEqual([])
  })

  test('counts bought credits towards the tier, once, also when they are spent, and no others', async () => {
    const book = await openBook()
    await book.act(['grant', 'g', 3, '', 0])
    await book.act(['correct', 'c', 2, '', 0])
    expect(await book.bought()).toBe(0)
    await book.act(['buy', 'order', 100, '', 0])
    await book.act(['buy', 'order', 100, '', 0])
    await book.act(['hold', 'a', 100, '', 0])
    await book.act(['capture', 'a', '', 0])
    expect(await book.bought()).toBe(100)
  })

  test('lets exactly one of 1,000 concurrent holds on a balance of 1 succeed', async () => {
    const userId = await makeUser(db.database, 1)
    const results = await Promise.all(
      Array.from({ length: 1_000 }, (_, index) =>
        placeHold(db.database, {
          userId,
          amount: 1,
          description: 'one of many',
          reference: `many:${index}`,
          now: new Date(),
        }),
      ),
    )
    expect(results.filter(({ outcome }) => outcome === 'held')).toHaveLength(1)
    expect(results.filter(({ outcome }) => outcome === 'insufficient_credits')).toHaveLength(999)
    expect(await readAccount(db.database, userId)).toMatchObject({ balance: 0 })
    expect((await auditBooks(db.database)).findings).toEqual([])
  })

  test('takes the reference of another account’s grant for none of its own', async () => {
    const { database } = db
    const [one, other] = [await makeUser(database), await makeUser(database)]
    const granted = {
      reason: 'referral',
      description: 'a friend',
      reference: `gift:${one}`,
    } as const
    const grant = (userId: string) =>
      grantCredits(database, { ...granted, userId, amount: 5, now: new Date() })
    expect(await grant(one)).toMatchObject({ outcome: 'granted', repeated: false })
    expect(await grant(other)).toEqual({ outcome: 'reference_conflict' })
    expect(await readAccount(database, other)).toMatchObject({ balance: 0 })
  })

  test('gives one hold to a hundred concurrent calls with the same reference', async () => {
    const userId = await makeUser(db.database, 100)
    const results = await Promise.all(
      Array.from({ length: 100 }, () =>
        placeHold(db.database, {
          userId,
          amount: 1,
          description: 'the same',
          reference: 'same',
          now: new Date(),
        }),
      ),
    )
    const holdIds = new Set(results.map((result) => result.outcome === 'held' && result.holdId))
    expect(holdIds.size).toBe(1)
    expect(await readAccount(db.database, userId)).toMatchObject({ balance: 99 })
  })

  test('takes granted credits from the account of their reason, and writes down when and what for', async () => {
    const { database } = db
    const userId = await makeUser(database)
    const now = new Date('2026-11-20T12:00:00Z')
    const about = { userId, now, amount: 3 }
    for (const reason of ['signup', 'referral', 'purchase', 'voucher'] as const) {
      const description = `for a ${reason}`
      const reference = `${reason}:${userId}`
      await grantCredits(database, { ...about, reason, description, reference })
    }
    const correction = { ...about, description: 'mended', reference: `correction:${userId}` }
    await correctBalance(database, { ...correction, amount: -2 })
    const refund = { ...about, description: 'refunded', reference: `refund:${userId}` }
    await inTransaction(database, (transaction) => takeBackCredits(transaction, refund))
    const { rows } = await sql<Record<string, unknown>>`
      select entry.reason, coalesce(source.name, 'user') as source,
        coalesce(target.name, 'user') as target, entry.amount, entry.description, entry.created_at
      from ledger_entries as entry
      join credit_accounts as source on source.id = entry.debit_account_id
      join credit_accounts as target on target.id = entry.credit_account_id
      where entry.reference like ${`%:${userId}`} order by entry.id
    `.execute(database)
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['signup', 'signup', 'user', 3, 'for a signup', now],
      ['referral', 'referral', 'user', 3, 'for a referral', now],
      ['purchase', 'purchase', 'user', 3, 'for a purchase', now],
      ['voucher', 'vouchers', 'user', 3, 'for a voucher', now],
      ['correction', 'user', 'correction', 2, 'mended', now],
      ['correction', 'user', 'correction', 3, 'refunded', now],
    ])
  })

  test.each([
    ['usage', 'signup'],
    ['signup', 'usage'],
    ['purchase', 'vouchers'],
    ['event', 'events'],
  ])('refuses an entry of %s that moves credits from %s to a user', async (reason, source) => {
    const userId = await makeUser(db.database)
    const entry = sql`insert into ledger_entries
        (reference, reason, debit_account_id, credit_account_id, amount)
      select ${crypto.randomUUID()}, ${reason}, source.id, own.id, 1
      from credit_accounts as source, credit_accounts as own
      where source.name = ${source} and own.user_id = ${userId}`.execute(db.database)
    await expect(entry).rejects.toMatchObject({
      constraint: 'ledger_entries_accounts_fit_reason',
    })
  })

  test('holds at most a hundred credits at once', async () => {
    const userId = await makeUser(db.database, 200)
    const hold = sql`insert into credit_holds
        (account_id, reference, amount, description, created_at, expires_at)
      select id, 'large', 101, '', now(), now() + interval '1 minute'
      from credit_accounts where user_id = ${userId}`.execute(db.database)
    await expect(hold).rejects.toMatchObject({ constraint: 'credit_holds_amount_at_most_100' })
  })

  test('writes down when a hold began, how long it lasts, and when and how it ended', async () => {
    const { database } = db
    const userId = await makeUser(database, 5)
    const now = new Date('2026-11-20T12:00:00Z')
    const end = new Date('2026-11-20T12:05:00Z')
    const hold = async (lifetimeMs?: number) => {
      const reference = crypto.randomUUID()
      const lifetime = lifetimeMs === undefined ? {} : { lifetimeMs }
      const about = { userId, amount: 1, description: 'for a picture', now, reference }
      const placed = await placeHold(database, { ...about, ...lifetime })
      return placed.outcome === 'held' ? placed.holdId : ''
    }
    const [captured, released, left, expired] = [
      await hold(),
      await hold(),
      await hold(),
      await hold(60_000),
    ]
    await captureHold(database, { holdId: captured, now: end })
    await releaseHold(database, { holdId: released, now: end })
    await releaseOwnHold(database, { userId, holdId: left, now: end })
    await expireHolds(database, { now: end, limit: 1_000 })
    const { rows } = await sql<Record<string, unknown>>`
      select hold.id, hold.state, hold.created_at, hold.settled_at,
        extract(minutes from hold.expires_at - hold.created_at)::integer as minutes,
        entry.reason, entry.amount, entry.description, entry.created_at as entered_at
      from credit_holds as hold join credit_accounts as account on account.id = hold.account_id
      left join ledger_entries as entry on entry.reference = 'hold:' || hold.id
      where account.user_id = ${userId} order by hold.created_at, hold.state
    `.execute(database)
    const none = [null, null, null, null]
    expect(rows.map((row) => Object.values(row))).toEqual([
      [captured, 'captured', now, end, 15, 'usage', 1, 'for a picture', end],
      [expired, 'expired', now, end, 1, ...none],
      ...rows
        .filter(({ state }) => state === 'released')
        .map(({ id }) => [id, 'released', now, end, 15, ...none]),
    ])
    expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining([released, left]))
  })

  test('closes no hold that there never was', async () => {
    const holdId = crypto.randomUUID()
    for (const close of [captureHold, releaseHold]) {
      const closing = close(db.database, { holdId, now: new Date() })
      await expect(closing).rejects.toThrow(`hold ${holdId} does not exist`)
    }
  })

  test('knows the account of everybody, and says whose is missing', async () => {
    const userId = crypto.randomUUID()
    const about = { userId, description: '', reference: `none:${userId}`, now: new Date() }
    const acts = await Promise.allSettled([
      grantCredits(db.database, { ...about, reason: 'referral', amount: 1 }),
      correctBalance(db.database, { ...about, amount: 1 }),
      inTransaction(db.database, (transaction) =>
        takeBackCredits(transaction, { ...about, amount: 1 }),
      ),
    ])
    const reason = new Error(`user ${userId} has no credit account`)
    expect(acts).toEqual(acts.map(() => ({ status: 'rejected', reason })))
    const held = placeHold(db.database, { ...about, amount: 1 })
    await expect(held, 'whoever asked is deleted').rejects.toMatchObject({ code: 'token_invalid' })
  })

  test.for([
    [
      'credit_accounts_balance_not_negative',
      "update credit_accounts set balance = -1 where kind = 'user'",
    ],
    ['ledger_entries_append_only', 'update ledger_entries set amount = amount + 1'],
    ['ledger_entries_append_only', 'delete from ledger_entries'],
    ['ledger_entries_append_only', 'truncate ledger_entries'],
    ['credit_holds_append_only', 'delete from credit_holds'],
    [
      'credit_holds_settled_is_final',
      "update credit_holds set state = 'held', settled_at = null where state = 'captured'",
    ],
    ['credit_holds_amount_is_fixed', "update credit_holds set amount = 9 where state = 'held'"],
    [
      'credit_holds_amount_is_fixed',
      // Only an event's account takes what its guest held.
      `update credit_holds
       set account_id = (select id from credit_accounts where kind = 'system' limit 1)
       where id = (select id from credit_holds where state = 'held' limit 1)`,
    ],
    [
      'credit_holds_settled_unless_held',
      "update credit_holds set state = 'captured' where state = 'held'",
    ],
    [
      'ledger_entries_amount_positive',
      `insert into ledger_entries (reference, reason, debit_account_id, credit_account_id, amount)
       values ('zero', 'correction', 1, 2, 0)`,
    ],
    [
      'ledger_entries_accounts_differ',
      `insert into ledger_entries (reference, reason, debit_account_id, credit_account_id, amount)
       values ('self', 'correction', 1, 1, 1)`,
    ],
    [
      'credit_accounts_owed_not_negative',
      "update credit_accounts set balance = 0, owed = -1 where kind = 'user'",
    ],
    [
      'credit_accounts_owed_only_on_user',
      "update credit_accounts set owed = 1 where kind = 'system'",
    ],
    [
      'credit_accounts_owed_only_without_balance',
      `insert into credit_accounts (kind, user_id, balance, owed) values ('user', null, 1, 1)`,
    ],
    [
      'credit_accounts_balance_unless_system',
      "update credit_accounts set balance = 5 where kind = 'system'",
    ],
  ] as const)('is kept by the database itself: %s', async ([constraint, statement]) => {
    const book = await openBook()
    await book.act(['grant', 'g', 5, '', 0])
    await book.act(['hold', 'open', 1, '', 0])
    await book.act(['hold', 'done', 1, '', 0])
    await book.act(['capture', 'done', '', 0])
    await expect(sql.raw(statement).execute(db.database)).rejects.toMatchObject({ constraint })
  })

  test('is found unsound by the audit when a balance was changed by hand', async () => {
    await using other = await openTestDatabase(2)
    const userId = await makeUser(other.database, 3)
    await sql`update credit_accounts set balance = 4, bought_total = 7 where user_id = ${userId}`.execute(
      other.database,
    )
    const { findings } = await auditBooks(other.database)
    expect(findings).toEqual([
      expect.stringMatching(/has a balance of 4 and owes 0, its entries and holds say 3/),
      expect.stringMatching(/says 7 credits were bought, its purchases say 0/),
    ])
  })
})

/** One user's books, and a clock that a table moves. */
async function openBook() {
  const { database } = db
  const userId = await makeUser(database)
  const holds = new Map<string, string>()
  let now = new Date('2026-11-20T12:00:00Z')
  const own = (reference: string) => `${reference}:${userId}`
  const balance = async () => {
    const account = await readAccount(database, userId)
    return account.balance - account.owed
  }
  const holdId = (reference: string) => holds.get(reference) ?? 'unknown'

  /** Does what the row says and gives the row back with what really came of it. */
  async function act(row: Row): Promise<Row> {
    switch (row[0]) {
      case 'tick':
        now = new Date(now.getTime() + row[1] * 60_000)
        return row
      case 'grant':
      case 'buy': {
        const result = await grantCredits(database, {
          userId,
          amount: row[2],
          reason: row[0] === 'buy' ? 'purchase' : 'referral',
          description: 'granted',
          reference: own(row[1]),
          now,
        })
        const again = result.outcome === 'granted' && result.repeated ? ' again' : ''
        return [row[0], row[1], row[2], result.outcome + again, await balance()]
      }
      case 'hold': {
        const result = await placeHold(database, {
          userId,
          amount: row[2],
          description: 'held',
          reference: row[1],
          now,
        })
        if (result.outcome === 'held') holds.set(row[1], result.holdId)
        const again = result.outcome === 'held' && result.repeated ? ' again' : ''
        return ['hold', row[1], row[2], result.outcome + again, await balance()]
      }
      case 'capture': {
        const before = await captureHold(database, { holdId: holdId(row[1]), now })
        const isKept = before === 'held' || before === 'captured'
        const answer = isKept
          ? `captured${before === 'captured' ? ' again' : ''}`
          : `not held: ${before}`
        return ['capture', row[1], answer, await balance()]
      }
      case 'release': {
        const isReleased = await releaseHold(database, { holdId: holdId(row[1]), now })
        return ['release', row[1], isReleased ? 'released' : 'too late', await balance()]
      }
      case 'correct': {
        const result = await correctBalance(database, {
          userId,
          amount: row[2],
          description: 'corrected',
          reference: own(row[1]),
          now,
        })
        const answer =
          result.outcome === 'corrected'
            ? `moved ${result.moved}${result.repeated ? ' again' : ''}`
            : result.outcome
        return ['correct', row[1], row[2], answer, await balance()]
      }
      case 'take back': {
        const { taken, owed, repeated } = await inTransaction(database, (transaction) =>
          takeBackCredits(transaction, {
            userId,
            amount: row[2],
            description: 'refunded',
            reference: own(`refund:${row[1]}`),
            now,
          }),
        )
        const told = `took ${taken}${owed > 0 ? `, owes ${owed}` : ''}`
        return [row[0], row[1], row[2], repeated ? 'taken again' : told, await balance()]
      }
      case 'claim':
        await sql`
          update credit_holds set attached_to = ${own(row[1])} where id = ${holdId(row[1])}
        `.execute(database)
        return row
      case 'expire': {
        const before = await balance()
        await expireHolds(database, { now, limit: 1_000 })
        const after = await balance()
        return ['expire', `${after - before} expired`, after]
      }
    }
  }
  return { act, bought: async () => (await readAccount(database, userId)).boughtTotal }
}
