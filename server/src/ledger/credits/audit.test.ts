import { expect, test } from 'vitest'
import { makeUser } from '../../testing/make-user.ts'
import { openTestDatabase } from '../../testing/open-test-database.ts'
import { auditBooks } from './audit.ts'
import { placeHold } from './hold.ts'

test('sound books have totals and no findings', async () => {
  await using db = await openTestDatabase(2)
  const userId = await makeUser(db.database, 3)
  await makeUser(db.database)
  await place(db, userId)
  expect(await auditBooks(db.database)).toEqual({
    entries: 1,
    userAccounts: 2,
    openHolds: 1,
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
