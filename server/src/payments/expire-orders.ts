import { paymentTimeoutMs } from '@starside/contract/limits.ts'
import type { Database } from '../platform/db/database.ts'

/**
 * Expires orders for which nothing has come within the payment window. It is the state on the
 * screen only: a late payment is still credited. Answers how many there were.
 */
export async function expireOrders(database: Database, options: { now: Date }): Promise<number> {
  const { now } = options
  const result = await database
    .updateTable('orders')
    .set({ status: 'expired', updated_at: now })
    .where('status', 'in', ['initiated', 'pending'])
    .where('created_at', '<', new Date(now.getTime() - paymentTimeoutMs))
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}
