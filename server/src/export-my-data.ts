import type { SignedInUser } from './auth/session.ts'
import type { Context } from './context.ts'
import { readAccount } from './credits/account.ts'
import { readCreditHistory } from './credits/queries.ts'
import { presentGeneration } from './generation/present-generation.ts'
import { listGenerations } from './generation/queries.ts'

/** More than anybody has; a bound all the same. */
const rowsMax = 10_000

/** Everything that is kept about a person, as one JSON document; the pictures by their addresses. */
export async function exportMyData(context: Context, user: SignedInUser) {
  const { database } = context
  const options = { userId: user.userId, after: undefined, limit: rowsMax }
  const [account, history, generations] = await Promise.all([
    readAccount(database, user.userId),
    readCreditHistory(database, options),
    listGenerations(database, options),
  ])
  return {
    exportedAt: context.clock().toISOString(),
    account: {
      userId: user.userId,
      email: user.email,
      username: user.username,
      referralCode: user.referralCode,
      createdAt: user.createdAt.toISOString(),
      creditsBalance: account.balance,
      totalCreditsEverBought: account.boughtTotal,
    },
    creditHistory: history,
    selfies: generations.map((row) => ({
      ...presentGeneration(context, row),
      prompt: row.prompt,
      consentAt: row.consent_at,
      consentVersion: row.consent_version,
    })),
  }
}
