import type { Queryable } from '../../platform/db/database.ts'
import type { KeyedDigest } from '../../platform/secrets/keyed-digest.ts'
import { readVoucherCode } from './voucher-code.ts'

/**
 * Takes a whole batch back; what was redeemed stays. True when it was valid before.
 * @param batchId a UUID
 */
export async function voidBatch(
  database: Queryable,
  { batchId, now }: { batchId: string; now: Date },
): Promise<boolean> {
  const voided = await database
    .updateTable('voucher_batches')
    .set({ voided_at: now })
    .where('id', '=', batchId)
    .where('voided_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return voided !== undefined
}

/** Takes one voucher back, by its code. True when there was a valid one. */
export async function voidCode(
  database: Queryable,
  { code: typed, now, digest }: { code: string; now: Date; digest: KeyedDigest },
): Promise<boolean> {
  const code = readVoucherCode(typed)
  if (code === undefined) return false
  const voided = await database
    .updateTable('vouchers')
    .set({ voided_at: now })
    .where('code_hash', '=', digest(code))
    .where('voided_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return voided !== undefined
}
