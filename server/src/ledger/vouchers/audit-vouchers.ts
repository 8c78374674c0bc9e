import { sql } from 'kysely'
import { inAudit } from '../credits/audit.ts'
import type { Queryable } from '../../platform/db/database.ts'

/**
 * Proves that the vouchers agree with the books: every redemption has its one entry over its credits,
 * and no entry of a voucher is without its redemption. A sentence for each that doesn't fit.
 */
export function auditVouchers(database: Queryable): Promise<string[]> {
  return inAudit(database, async (books) => {
    const { rows } = await sql<{ reference: string }>`
      select coalesce(entry.reference, 'voucher:' || redemption.id) as reference
      from voucher_redemptions as redemption
      full join (select reference, amount from ledger_entries where reason = 'voucher') as entry
        on entry.reference = 'voucher:' || redemption.id
      where entry.amount is distinct from redemption.credits
      order by 1
      limit 100
    `.execute(books)
    return rows.map(({ reference }) => `${reference}: its redemption and its entry do not agree.`)
  })
}
