import type { Queryable } from '../db/database.ts'
import type { FlagKind } from './order-tables.ts'
import { subjectColumns } from './record-event.ts'
import type { PaymentSubject } from './record-event.ts'

/** Puts something before the operator. The same about the same payment is flagged once. */
export async function raiseFlag(
  database: Queryable,
  { kind, note, ...subject }: PaymentSubject & { kind: FlagKind; note: string },
): Promise<void> {
  await database
    .insertInto('order_flags')
    .values({ ...subjectColumns(subject), kind, note })
    .onConflict((conflict) => conflict.constraint('order_flags_raised_once').doNothing())
    .execute()
}

/** Flags that are settled by themselves once the order is paid in full. */
const settledByPayment: FlagKind[] = [
  'underpaid',
  'failed_with_money',
  'expired_with_money',
  'amount_unverified',
]

/** Resolves the flags about missing money of an order that is now credited. */
export async function resolvePaidFlags(
  database: Queryable,
  options: { orderId: string; now: Date },
): Promise<void> {
  await database
    .updateTable('order_flags')
    .set({ resolved_at: options.now, resolution: 'The order was paid in full.' })
    .where('order_id', '=', options.orderId)
    .where('kind', 'in', settledByPayment)
    .where('resolved_at', 'is', null)
    .execute()
}

/** Resolves the flags about credits owed by buyers who owe nothing any more. */
export async function resolveOwedFlags(database: Queryable, options: { now: Date }): Promise<void> {
  await database
    .updateTable('order_flags')
    .set({ resolved_at: options.now, resolution: 'What was owed has been taken.' })
    .from('orders')
    .innerJoin('credit_accounts', 'credit_accounts.user_id', 'orders.user_id')
    .whereRef('orders.id', '=', 'order_flags.order_id')
    .where('order_flags.kind', '=', 'credits_owed')
    .where('order_flags.resolved_at', 'is', null)
    .where('credit_accounts.owed', '=', 0)
    .execute()
}

/** Resolves a flag with the operator's reason; false when there is no such open flag. */
export async function resolveFlag(
  database: Queryable,
  options: { flagId: string; resolution: string; now: Date },
): Promise<boolean> {
  const row = await database
    .updateTable('order_flags')
    .set({ resolved_at: options.now, resolution: options.resolution })
    .where('id', '=', options.flagId)
    .where('resolved_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
