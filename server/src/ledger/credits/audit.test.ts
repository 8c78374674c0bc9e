import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { inTransaction } from '../../platform/db/database.ts'
import { makeUser } from '../../testing/make-user.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { auditBooks, inAudit } from './audit.ts'
import { placeHold } from './hold.ts'

test('sound books have totals and no findings', async () => {
  await using db = await openTestDatabase(2)
  const userId = await makeUser(db.database, 3)
  await makeUser(db.database)
  await place(db, userId)
  expect(await auditBooks(db.database)).toEqual({
    entries: 1,
    userAccounts: 2,
    heldCredits: 1,
    sum: 0,
    findings: [],
  })
})

test('the audit finds entries whose account is gone', async () => {
  await using db = await openTestDatabase(2)
  await makeUser(db.database, 3)
  // As after a dump that was restored in part.
  await db.pool.query(`
    alter table ledger_entries drop constraint ledger_entries_debit_account_id_fkey;
    delete from credit_accounts where name = 'correction';
  `)
  const { sum, findings } = await auditBooks(db.database)
  expect(sum).toBe(3)
  expect(findings).toEqual(['The books sum to 3 instead of 0.'])
})

test('the audit finds a captured hold that no entry bears out', async () => {
  await using db = await openTestDatabase(2)
  const userId = await makeUser(db.database, 3)
  const holdId = await place(db, userId)
  await db.pool.query(`update credit_holds set state = 'captured', settled_at = now()`)
  const { findings } = await auditBooks(db.database)
  expect(findings).toContain(`Hold ${holdId} is captured, its ledger entry does not fit.`)
})

test('the audit finds entries of holds that were given back, of another amount and of another account', async () => {
  await using db = await openTestDatabase(2)
  const userId = await makeUser(db.database, 9)
  const [released, larger, elsewhere, sound] = await Promise.all(
    Array.from({ length: 4 }, () => place(db, userId)),
  )
  const enter = (holdId: string, amount: number, whose: string) =>
    db.pool.query(
      `insert into ledger_entries (reference, reason, debit_account_id, credit_account_id, amount)
       select 'hold:' || $1::text, 'usage', account.id, usage.id, $2
       from credit_accounts as account, credit_accounts as usage
       where usage.name = 'usage' and account.user_id = $3`,
      [holdId, amount, whose],
    )
  await enter(released!, 1, userId)
  await enter(larger!, 2, userId)
  await enter(elsewhere!, 1, await makeUser(db.database, 1))
  await enter(sound!, 1, userId)
  await db.pool.query(
    `update credit_holds set settled_at = now(),
       state = case when id = $1 then 'released' else 'captured' end`,
    [released],
  )
  const { findings } = await auditBooks(db.database)
  const ofHolds = findings.filter((finding) => finding.startsWith('Hold'))
  expect(ofHolds.toSorted()).toEqual(
    [
      `Hold ${released} is released, its ledger entry does not fit.`,
      `Hold ${larger} is captured, its ledger entry does not fit.`,
      `Hold ${elsewhere} is captured, its ledger entry does not fit.`,
    ].toSorted(),
  )
})

test('an audit within a transaction sees what that transaction did, and one of its own writes nothing', async () => {
  await using db = await openTestDatabase(2)
  await makeUser(db.database, 3)
  const [finding] = await inTransaction(db.database, async (transaction) => {
    await sql`update credit_accounts set balance = 4 where kind = 'user'`.execute(transaction)
    const { findings } = await auditBooks(transaction)
    await sql`update credit_accounts set balance = 3 where kind = 'user'`.execute(transaction)
    return findings
  })
  expect(finding).toMatch(/has a balance of 4 and owes 0, its entries and holds say 3\.$/)
  const write = inAudit(db.database, (books) =>
    sql`update credit_accounts set balance = 5 where kind = 'user'`.execute(books),
  )
  await expect(write).rejects.toThrow('read-only transaction')
})

async function place(
  { database }: Awaited<ReturnType<typeof openTestDatabase>>,
  userId: string,
): Promise<string> {
  const placed = await placeHold(database, {
    userId,
    amount: 1,
    description: 'set aside',
    reference: crypto.randomUUID(),
    now: new Date(),
  })
  if (placed.outcome !== 'held') throw new Error(placed.outcome)
  return placed.holdId
}
