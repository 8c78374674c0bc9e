import type { TrustParts } from '../parts.ts'
import { inTransaction } from '../../platform/db/database.ts'
import { logModeration } from '../../moderation/moderation.ts'

/**
 * Decides a report without removing anything: the picture stays, or was not found. Removing is
 * `removePicture`, which decides the reports about it by itself. False when the report is unknown
 * or was decided before.
 */
export async function resolveReport(
  parts: Pick<TrustParts, 'database' | 'clock'>,
  options: { reportId: string; outcome: 'kept' | 'not_found'; note: string },
): Promise<boolean> {
  const { reportId, outcome, note } = options
  const now = parts.clock()
  return inTransaction(parts.database, async (transaction) => {
    const resolved = await transaction
      .updateTable('reports')
      .set({ resolved_at: now, outcome, note })
      .where('id', '=', reportId)
      .where('resolved_at', 'is', null)
      .returning('generation_id')
      .executeTakeFirst()
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
