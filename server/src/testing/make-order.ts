import type { Database } from '../platform/db/database.ts'
import type { PaymentFacts, ProviderName } from '../payments/provider.ts'
import { insertOrder } from '../payments/queries.ts'
import type { OrderRow } from '../payments/queries.ts'
import { settlePayment } from '../payments/settle-payment.ts'
import { finishedPayment } from './finished-payment.ts'
import { makeUser } from './make-user.ts'

/** An order written straight into the database, with what a test does to it. */
export interface TestOrder {
  id: string
  userId: string
  /** The id of its payment in `settle`. */
  paymentId: string
  read(): Promise<OrderRow>
  /** The kinds of its flags that are open, in alphabetical order. */
  openFlags(): Promise<string[]>
  /** Settles what a payment of it is told to be; by default it is paid in full. */
  settle(facts?: Partial<PaymentFacts>, now?: Date): ReturnType<typeof settlePayment>
}

let made = 0

/** An order of 100 credits for $10 by a buyer of its own. */
export async function makeOrder(
  database: Database,
  { provider = 'nowpayments', now = new Date() }: { provider?: ProviderName; now?: Date } = {},
): Promise<TestOrder> {
  made += 1
  const id = `order_t_${made.toString(36).padStart(6, '0')}`
  const paymentId = String(9_000_000 + made)
  const userId = await makeUser(database)
  await insertOrder(database, {
    id,
    user_id: userId,
    package_type: 'basic',
    price_cents: 1000,
    credits: 100,
    provider,
    created_at: now,
  })
  return {
    id,
    userId,
    paymentId,
    read: () =>
      database.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    async openFlags() {
      const rows = await database
        .selectFrom('order_flags')
        .select('kind')
        .where('order_id', '=', id)
        .where('resolved_at', 'is', null)
        .orderBy('kind')
        .execute()
      return rows.map(({ kind }) => kind)
    },
    settle: (facts = {}, at = now) =>
      settlePayment(database, {
        provider,
        now: at,
        facts: finishedPayment({ paymentId, orderId: id, ...facts }),
        enqueueReceipt: async () => {},
      }),
  }
}
