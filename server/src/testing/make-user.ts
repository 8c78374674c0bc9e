import { openAccount } from '../ledger/credits/account.ts'
import { correctBalance } from '../ledger/credits/correct.ts'
import { inTransaction } from '../platform/db/database.ts'
import type { Database } from '../platform/db/database.ts'

let made = 0

/** Stands where the hash of a password stands that nobody gives. */
export const neverVerified = 'never verified'

/** A user with an account and so many credits, written straight into the database. */
export async function makeUser(database: Database, credits = 0): Promise<string> {
  made += 1
  const name = `user${made}-${crypto.randomUUID().slice(0, 8)}`
  return inTransaction(database, async (transaction) => {
    const { id } = await transaction
      .insertInto('users')
      .values({
        email: `${name}@example.test`,
        username: name,
        password_hash: neverVerified,
        referral_code: name,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await openAccount(transaction, id)
    if (credits > 0) {
      await correctBalance(transaction, {
        userId: id,
        amount: credits,
        description: 'given by a test',
        reference: `test:${name}`,
        now: new Date(),
      })
    }
    return id
  })
}
