import { fill } from '@starside/contract/fill.ts'
import type { Order } from '@starside/contract/orders.ts'
import type { DashboardMessages } from '../ui/messages/catalogues.ts'

/** What came of an order's price, and what is missing of it. */
export function underpaidText(
  { paidAmount: paid, missingAmount: missing, currency }: NonNullable<Order['underpaid']>,
  m: DashboardMessages,
): string {
  return fill(m.underpaid, { paid, missing, currency })
}
