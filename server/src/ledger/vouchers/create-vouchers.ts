import { inTransaction } from '../../platform/db/database.ts'
import type { LedgerParts } from '../parts.ts'
import { createKeyedDigest } from '../../platform/secrets/keyed-digest.ts'
import { digestVoucherCode, drawVoucherCode } from './voucher-code.ts'
import type { VoucherRules } from './voucher-rules.ts'

/** A batch that was just made, with its codes in clear text: they are given this once. */
export interface CreatedVouchers {
  batchId: string
  /** In the order of their numbers, from 1. */
  codes: string[]
}

/** Makes a batch of vouchers; only keyed digests of its codes are kept. */
export async function createVouchers(
  context: Pick<LedgerParts, 'database' | 'clock' | 'randomBytes' | 'keys'>,
  rules: VoucherRules & { createdBy: string },
): Promise<CreatedVouchers> {
  const digest = createKeyedDigest(context.keys.vouchers)
  const batchId = crypto.randomUUID()
  const codes = Array.from({ length: rules.codes }, () => drawVoucherCode(context.randomBytes))
  await inTransaction(context.database, async (transaction) => {
    await transaction
      .insertInto('voucher_batches')
      .values({
        id: batchId,
        name: rules.name,
        credits: rules.credits,
        uses_max: rules.usesMax,
        person_uses_max: rules.personUsesMax,
        codes: rules.codes,
        starts_at: rules.startsAt ?? null,
        ends_at: rules.endsAt ?? null,
        created_at: context.clock(),
        created_by: rules.createdBy,
        voided_at: null,
      })
      .execute()
    await transaction
      .insertInto('vouchers')
      .values(
        codes.map((code, index) => ({
          batch_id: batchId,
          number: index + 1,
          code_hash: digestVoucherCode(digest, code),
          voided_at: null,
        })),
      )
      .execute()
  })
  return { batchId, codes }
}
