import { isTestMoney } from '@starside/contract/payment-providers.ts'
import { sql } from 'kysely'
import { findInBooks } from '../ledger/credits/audit.ts'
import type { Queryable } from '../platform/db/database.ts'
import { PaymentProviderError } from './provider.ts'
import type { PaymentProvider, ProviderName } from './provider.ts'

/**
 * Compares orders with the books: each credited order has exactly its one purchase (credits, buyer), each
 * reversed one its one refund of as many credits, and the other way round. A sentence for each finding.
 */
export const auditOrders = (database: Queryable) => findInBooks(database, wrongOrders)

const wrongOrders = sql<{ finding: string }>`
  with purchases as (
    select entry.id, entry.reference, entry.amount, account.user_id
    from ledger_entries as entry
    join credit_accounts as account on account.id = entry.credit_account_id
    where entry.reason = 'purchase'
  )
  select 'Order ' || orders.id || ' is credited, but the books have no such purchase.' as finding
  from orders
  left join purchases on purchases.reference = 'order:' || orders.id
  where orders.credited_at is not null
    and (purchases.id is null or purchases.amount <> coalesce(orders.credits_granted, orders.credits)
      or (orders.user_id is not null and purchases.user_id is distinct from orders.user_id))
  union all
  select 'The purchase ' || purchases.reference || ' has no credited order.'
  from purchases
  left join orders on purchases.reference = 'order:' || orders.id
  where orders.credited_at is null
  union all
  select 'Order ' || orders.id || ' is reversed, but the books have no such refund.'
  from orders
  left join ledger_entries as refund on refund.reference = 'refund:' || orders.id
  where orders.reversed_at is not null and orders.user_id is not null
    and refund.amount is distinct from coalesce(orders.credits_granted, orders.credits)
    -- Before credits could be owed, a refund took what was left, and this flag told of the rest.
    and not exists (
      select from order_flags
      where order_id = orders.id and kind = 'refund_not_covered'
    )
  union all
  select 'The entry ' || refund.reference || ' has no reversed order.'
  from ledger_entries as refund
  left join orders on refund.reference = 'refund:' || orders.id
  where refund.reference like 'refund:%' and orders.reversed_at is null
  union all
  select 'Order ' || order_id || ' was credited by ' || count(*) || ' payments.'
  from payments where credited group by order_id having count(*) > 1
  limit 100
`

/**
 * Reads each crediting payment again at its provider: a sentence for each one that isn't
 * finished there (refunded, once reversed) for this order and price.
 */
export async function auditAtProvider(
  database: Queryable,
  options: {
    findProvider: (name: ProviderName) => PaymentProvider | undefined
    since: Date
    signal: AbortSignal
  },
): Promise<{ checked: number; findings: string[] }> {
  const rows = await database
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .select(['payments.provider', 'payments.payment_id', 'orders.id'])
    .select(['orders.price_cents', 'orders.price_currency'])
    .select(['orders.reversed_at', 'orders.credits_granted'])
    .where('payments.credited', '=', true)
    .where('orders.credited_at', '>=', options.since)
    .orderBy('orders.credited_at')
    .execute()
  const findings: string[] = []
  for (const row of rows) {
    const facts = await options
      .findProvider(row.provider)
      ?.fetchPayment(row.payment_id, options.signal)
      .catch((error: unknown) => {
        if (error instanceof PaymentProviderError) return undefined
        throw error
      })
    const isAsBooked =
      facts !== undefined &&
      facts.orderId === row.id &&
      facts.price?.minorUnits === row.price_cents &&
      facts.price.currency === row.price_currency &&
      (facts.state === 'finished' ||
        (facts.state === 'partial' && row.credits_granted !== null) ||
        (facts.state === 'refunded' && row.reversed_at !== null))
    // The sandbox forgets its payments when the program ends.
    if (isAsBooked || (facts === undefined && isTestMoney(row.provider))) continue
    const said = facts === undefined ? 'nothing' : `${facts.providerStatus} for ${facts.orderId}`
    findings.push(`Payment ${row.payment_id} credited ${row.id}; the provider says ${said}.`)
  }
  return { checked: rows.length, findings }
}
