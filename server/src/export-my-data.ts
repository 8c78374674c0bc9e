import type { SignedInUser } from './auth/session.ts'
import type { Context } from './context.ts'
import { readAccount } from './credits/account.ts'
import { readCreditHistory } from './credits/queries.ts'
import { presentGeneration } from './generation/present-generation.ts'
import { listGenerations } from './generation/queries.ts'
import { presentOrder } from './orders/present-order.ts'
import { listOwnOrders } from './orders/queries.ts'

/** More than anybody has; a bound all the same. */
const rowsMax = 10_000

/** Everything that is kept about a person, as one JSON document; the pictures by their addresses. */
export async function exportMyData(context: Context, user: SignedInUser) {
  const { database } = context
  const options = { userId: user.userId, after: undefined, limit: rowsMax }
  const [account, history, generations, orders] = await Promise.all([
    readAccount(database, user.userId),
    readCreditHistory(database, options),
    listGenerations(database, options),
    listOwnOrders(database, options),
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
    orders: orders.map((row) => presentOrder(row, user.userId)),
    selfies: generations.map((row) => ({
      ...presentGeneration(context, row),
      prompt: row.prompt,
      consentAt: row.consent_at,
      consentVersion: row.consent_version,
    })),
  }
}
