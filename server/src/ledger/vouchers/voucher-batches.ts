import { sql } from 'kysely'
import { inTransaction } from '../../platform/db/database.ts'
import type { Database, Queryable } from '../../platform/db/database.ts'
import { findRows, insertRow, updateRows } from '../../platform/db/rows.ts'
import { readCounters } from '../../platform/metrics/counters.ts'
import { createKeyedDigest } from '../../platform/secrets/keyed-digest.ts'
import type { KeyedDigest } from '../../platform/secrets/keyed-digest.ts'
import type { LedgerParts } from '../parts.ts'
import { writeCsv } from '../../platform/http/csv.ts'
import { findInBooks } from '../credits/audit.ts'
import { readVoucherCode, drawVoucherCode } from './voucher-code.ts'
import type { VoucherRules } from './voucher-rules.ts'

/** A batch with what became of it. */
export type BatchReport = Awaited<ReturnType<typeof listBatches>>[number]

/** The newest batches; redemptions are kept counts, so that reading costs the same however many. */
export async function listBatches(database: Database, limit: number) {
  const newest = sql`true order by created_at desc limit ${limit}`
  const batches = await findRows(database, 'voucher_batches', newest)
  const counters = await readCounters(database, 'voucher_redemptions')
  const redeemed = new Map(counters.map(({ provider, count }) => [provider, count]))
  return batches.map((batch) => ({
    ...batch,
    /** Redemptions that its codes allow altogether. */
    issued: batch.codes * batch.uses_max,
    redeemed: redeemed.get(batch.id) ?? 0,
  }))
}

/** Takes a whole batch (a UUID) back; what was redeemed stays. True when it was valid before. */
export async function voidBatch(
  database: Queryable,
  { batchId, now }: { batchId: string; now: Date },
): Promise<boolean> {
  const match = { id: batchId, voided_at: null }
  const set = { voided_at: now }
  return (await updateRows(database, 'voucher_batches', { match, set })).length > 0
}

/** Takes one voucher back, by its code. True when there was a valid one. */
export async function voidCode(
  database: Queryable,
  { code: typed, now, digest }: { code: string; now: Date; digest: KeyedDigest },
): Promise<boolean> {
  const code = readVoucherCode(typed)
  if (code === undefined) return false
  const match = { code_hash: digest(code), voided_at: null }
  const set = { voided_at: now }
  return (await updateRows(database, 'vouchers', { match, set })).length > 0
}

/** Makes a batch; its codes, by their numbers from 1, are given this once: only keyed digests are kept. */
export async function createVouchers(
  context: Pick<LedgerParts, 'database' | 'clock' | 'randomBytes' | 'keys'>,
  rules: VoucherRules & { createdBy: string },
): Promise<{ batchId: string; codes: string[] }> {
  const digest = createKeyedDigest(context.keys.vouchers)
  const batchId = crypto.randomUUID()
  const codes = Array.from({ length: rules.codes }, () => drawVoucherCode(context.randomBytes))
  await inTransaction(context.database, async (transaction) => {
    await insertRow(transaction, 'voucher_batches', {
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
    })
    await transaction
      .insertInto('vouchers')
      .values(
        codes.map((code, index) => ({
          batch_id: batchId,
          number: index + 1,
          code_hash: digest(readVoucherCode(code)!),
        })),
      )
      .execute()
  })
  return { batchId, codes }
}

/** The link that redeems a code once its finder is signed in. */
export function voucherLink(publicUrl: string, code: string): string {
  return `${publicUrl.replace(/\/$/, '')}/?voucher=${encodeURIComponent(code)}`
}

/** A batch as CSV, to be handed out: number, code, link and what it is worth. */
export function voucherSheet(
  { codes }: { codes: readonly string[] },
  { credits, startsAt, endsAt }: Pick<VoucherRules, 'credits' | 'startsAt' | 'endsAt'>,
  publicUrl: string,
): string {
  const day = (date: Date | undefined) => date?.toISOString().slice(0, 16).replace('T', ' ') ?? ''
  return writeCsv([
    ['number', 'code', 'link', 'credits', 'valid from (UTC)', 'valid until (UTC)'],
    ...codes.map((code, index) => [
      index + 1,
      code,
      voucherLink(publicUrl, code),
      credits,
      day(startsAt),
      day(endsAt),
    ]),
  ])
}

/** Proves that redemptions and vouchers' entries match one to one; a sentence for each fault. */
export const auditVouchers = (database: Queryable) => findInBooks(database, wrongVouchers)

const wrongVouchers = sql<{ finding: string }>`
  select coalesce(entry.reference, 'voucher:' || redemption.id)
    || ': its redemption and its entry do not agree.' as finding
  from voucher_redemptions as redemption
  full join (select reference, amount from ledger_entries where reason = 'voucher') as entry
    on entry.reference = 'voucher:' || redemption.id
  where entry.amount is distinct from redemption.credits
  order by 1
  limit 100
`
