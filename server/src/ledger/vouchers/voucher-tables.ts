import type { Generated } from 'kysely'

/** The vouchers' part of the database. */
export interface VoucherTables {
  voucher_batches: {
    id: string
    name: string
    credits: number
    uses_max: number
    person_uses_max: number
    codes: number
    starts_at: Date | null
    ends_at: Date | null
    created_at: Date
    created_by: string
    voided_at: Date | null
  }
  vouchers: {
    id: Generated<string>
    batch_id: string
    number: number
    code_hash: Buffer
    voided_at: Date | null
  }
  voucher_redemptions: {
    id: string
    voucher_id: string
    batch_id: string
    credits: number
    uses_max: number
    person_uses_max: number
    use_number: number
    person_use_number: number
    user_id: string | null
    mailbox_hash: Buffer | null
    idempotency_key: string | null
    redeemed_at: Date
  }
}
