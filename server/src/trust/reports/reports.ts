import { sql } from 'kysely'
import { findRows, updateRows } from '../../platform/db/rows.ts'
import { inTransaction } from '../../platform/db/database.ts'
import type { Database } from '../../platform/db/database.ts'
import { logModeration } from '../../moderation/moderation.ts'
import type { TrustParts } from '../parts.ts'

/** Open reports, the most urgent first, or all of them, newest first. */
export function listReports(
  database: Database,
  state: 'open' | 'decided' | 'all',
  { limit, offset = 0 }: { limit: number; offset?: number },
) {
  const which = {
    open: sql`resolved_at is null order by due_at`,
    decided: sql`resolved_at is not null order by resolved_at desc`,
    all: sql`true order by created_at desc`,
  }
  return findRows(database, 'reports', sql`${which[state]} limit ${limit} offset ${offset}`)
}

/**
 * Decides a report without removing anything (`removePicture` does). False when it is unknown or
 * was decided before.
 */
export async function resolveReport(
  parts: Pick<TrustParts, 'database' | 'clock'>,
  options: { reportId: string; outcome: 'kept' | 'not_found'; note: string },
): Promise<boolean> {
  const { reportId, outcome, note } = options
  const now = parts.clock()
  return inTransaction(parts.database, async (transaction) => {
    const [resolved] = await updateRows(transaction, 'reports', {
      match: { id: reportId, resolved_at: null },
      set: { resolved_at: now, outcome, note },
    })
    if (resolved === undefined) return false
    await logModeration(transaction, {
      at: now,
      actor: 'operator',
      act: 'report resolved',
      report_id: reportId,
      generation_id: resolved.generation_id,
      detail: `${outcome}: ${note}`,
    })
    return true
  })
}
