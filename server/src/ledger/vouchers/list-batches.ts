import type { Database } from '../../platform/db/database.ts'
import { readCounters } from '../../platform/metrics/counters.ts'

/** A batch with what became of it. */
export type BatchReport = Awaited<ReturnType<typeof listBatches>>[number]

/** The newest batches; redemptions are kept counts, so that reading costs the same however many. */
export async function listBatches(database: Database, limit: number) {
  const batches = await database
    .selectFrom('voucher_batches')
    .selectAll()
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute()
  const counters = await readCounters(database, 'voucher_redemptions')
  const redeemed = new Map(counters.map(({ provider, count }) => [provider, count]))
  return batches.map((batch) => ({
    id: batch.id,
    name: batch.name,
    credits: batch.credits,
    codes: batch.codes,
    usesMax: batch.uses_max,
    personUsesMax: batch.person_uses_max,
    startsAt: batch.starts_at,
    endsAt: batch.ends_at,
    createdAt: batch.created_at,
    createdBy: batch.created_by,
    voidedAt: batch.voided_at,
    /** Redemptions that its codes allow altogether. */
    issued: batch.codes * batch.uses_max,
    redeemed: redeemed.get(batch.id) ?? 0,
  }))
}
