import { auditBooks } from '../ledger/credits/audit.ts'
import { auditVouchers } from '../ledger/vouchers/voucher-batches.ts'
import { auditOrders } from '../payments/audit-orders.ts'
import type { Queryable } from '../platform/db/database.ts'

/** Proves books, orders and vouchers: figures of the books, and what doesn't add up, a sentence each. */
export async function auditAll(database: Queryable) {
  const books = await auditBooks(database)
  const further = [...(await auditOrders(database)), ...(await auditVouchers(database))]
  return { ...books, findings: [...books.findings, ...further] }
}
