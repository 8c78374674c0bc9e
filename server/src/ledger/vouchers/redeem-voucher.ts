import { sql } from 'kysely'
import { lockAccount } from '../credits/account.ts'
import { grantCredits } from '../credits/grant.ts'
import { inTransaction } from '../../platform/db/database.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { insertRow } from '../../platform/db/rows.ts'
import { violatedConstraint } from '../../platform/db/postgres-errors.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { readVoucherCode } from './voucher-code.ts'
import type { KeyedDigest } from '../../platform/secrets/keyed-digest.ts'

export interface RedeemRequest {
  userId: string
  /** The person's mailbox: who deletes the account and registers anew is still the same. */
  mailbox: string
  code: string
  idempotencyKey: string | undefined
  now: Date
}

export type Redeemed = { credits: number; balance: number }

/**
 * Redeems a code: redemption and entry together or not at all. The account is locked before the voucher, so that
 * neither passes its limit side by side; constraints hold the same. An idempotency key gives its answer again.
 * @throws AppError `idempotency_conflict`, `voucher_unknown`, `voucher_void`, `voucher_not_yet`, `voucher_over`,
 *   `voucher_used_up`, `voucher_redeemed`
 */
export async function redeemVoucher(
  database: Database,
  request: RedeemRequest,
  digests: VoucherDigests,
): Promise<Redeemed> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(database, (transaction) => redeem(transaction, request, digests))
    } catch (error) {
      // Two accounts of one mailbox at once: the other's redemption is seen the next time.
      const isRace = violatedConstraint(error) === 'voucher_redemptions_person_use_unique'
      if (!isRace || attempt === attemptsMax) throw error
    }
  }
}

const attemptsMax = 5

/** Keyed digests, of codes and of mailboxes. */
export type VoucherDigests = { codes: KeyedDigest; mailboxes: KeyedDigest }

async function redeem(transaction: Transaction, request: RedeemRequest, digests: VoucherDigests) {
  await lockAccount(transaction, request.userId)
  const earlier = await findRepeated(transaction, request, digests.codes)
  if (earlier !== undefined) return writeRedemption(transaction, request, earlier)
  const voucher = await lockVoucher(transaction, request.code, digests.codes)
  assertValid(voucher, request.now)
  const mailboxHash = digests.mailboxes(`voucher ${request.mailbox}`)
  const redemption = {
    id: crypto.randomUUID(),
    voucher_id: voucher.id,
    batch_id: voucher.batch_id,
    credits: voucher.credits,
    uses_max: voucher.uses_max,
    person_uses_max: voucher.person_uses_max,
    user_id: request.userId,
    mailbox_hash: mailboxHash,
    idempotency_key: request.idempotencyKey ?? null,
    redeemed_at: request.now,
    ...(await nextNumbers(transaction, voucher, mailboxHash)),
  }
  // Of the two refusals, the person's own is answered: it stays true whatever others redeem.
  if (redemption.person_use_number > voucher.person_uses_max) {
    throw new AppError('voucher_redeemed')
  }
  if (redemption.use_number > voucher.uses_max) throw new AppError('voucher_used_up')
  await insertRow(transaction, 'voucher_redemptions', redemption)
  return writeRedemption(transaction, request, redemption)
}

async function findRepeated(
  transaction: Transaction,
  { userId, idempotencyKey, code: typed }: RedeemRequest,
  digest: KeyedDigest,
) {
  if (idempotencyKey === undefined) return undefined
  const earlier = await transaction
    .selectFrom('voucher_redemptions as redemption')
    .innerJoin('vouchers', 'vouchers.id', 'redemption.voucher_id')
    .select(['redemption.id', 'redemption.credits', 'vouchers.code_hash'])
    .where('redemption.user_id', '=', userId)
    .where('redemption.idempotency_key', '=', idempotencyKey)
    .executeTakeFirst()
  const code = readVoucherCode(typed)
  const isSame = code !== undefined && earlier?.code_hash.equals(digest(code)) === true
  if (earlier !== undefined && !isSame) throw new AppError('idempotency_conflict')
  return earlier
}

async function lockVoucher(transaction: Transaction, typed: string, digest: KeyedDigest) {
  const code = readVoucherCode(typed)
  if (code === undefined) throw new AppError('voucher_unknown')
  return transaction
    .selectFrom('vouchers')
    .innerJoin('voucher_batches as batch', 'batch.id', 'vouchers.batch_id')
    .select(['vouchers.id', 'vouchers.batch_id', 'vouchers.voided_at'])
    .select(['batch.credits', 'batch.uses_max', 'batch.person_uses_max'])
    .select(['batch.starts_at', 'batch.ends_at', 'batch.voided_at as batch_voided_at'])
    .where('vouchers.code_hash', '=', digest(code))
    .forNoKeyUpdate('vouchers')
    .forShare('batch')
    .executeTakeFirstOrThrow(() => new AppError('voucher_unknown'))
}

type LockedVoucher = Awaited<ReturnType<typeof lockVoucher>>

function assertValid(voucher: LockedVoucher, now: Date): void {
  if (voucher.voided_at !== null || voucher.batch_voided_at !== null) {
    throw new AppError('voucher_void')
  }
  if (voucher.starts_at !== null && now < voucher.starts_at) throw new AppError('voucher_not_yet')
  if (voucher.ends_at !== null && now >= voucher.ends_at) throw new AppError('voucher_over')
}

/** The numbers that this redemption would have, of the code and of the person. */
async function nextNumbers(transaction: Transaction, voucher: LockedVoucher, mailboxHash: Buffer) {
  const { rows } = await sql<{ use_number: number; person_use_number: number }>`
    select
      (select coalesce(max(use_number), 0) + 1
        from voucher_redemptions where voucher_id = ${voucher.id}) as use_number,
      (select coalesce(max(person_use_number), 0) + 1 from voucher_redemptions
        where batch_id = ${voucher.batch_id} and mailbox_hash = ${mailboxHash}) as person_use_number
  `.execute(transaction)
  return rows[0]!
}

async function writeRedemption(
  transaction: Transaction,
  { userId, now }: RedeemRequest,
  { id, credits }: { id: string; credits: number },
): Promise<Redeemed> {
  const granted = await grantCredits(transaction, {
    userId,
    amount: credits,
    reason: 'voucher',
    description: 'Voucher',
    reference: `voucher:${id}`,
    now,
  })
  if (granted.outcome !== 'granted') throw new Error(`voucher redemption ${id} is booked otherwise`)
  return { credits, balance: granted.balance }
}
