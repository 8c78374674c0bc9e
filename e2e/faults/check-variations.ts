import { variationsMax } from '@starside/contract/limits.ts'
import type { Database } from '@starside/server/platform/db/database.ts'
import { sql } from 'kysely'
import { adjustments } from './adjusting.ts'
import type { Adjusted } from './adjusting.ts'
import type { ClientOutcome } from './load.ts'

/** Whether everything that can be done with a selfie was done with this one. */
export function isAdjusted({ adjusted }: ClientOutcome): boolean {
  return adjusted !== undefined && adjusted.done.length === adjustments.length
}

/** Every variation that somebody was told of is there, and nothing of what they had deleted. */
export async function checkVariations(
  database: Database,
  outcomes: ClientOutcome[],
): Promise<string[]> {
  const { rows } = await sql<{ finding: string }>`
    select 'Selfie ' || id || ' is shown as none of its variations' as finding
    from generations
    where state = 'done' and deleted_at is null
      and exists (select from variations where generation_id = generations.id)
      and not exists (
        select from variations
        where generation_id = generations.id and variations.clean_key = generations.clean_key
      )
    union all
    select 'Selfie ' || generation_id || ' was made others twice'
    from variations where source = 'more' group by generation_id having count(*) > ${variationsMax}
  `.execute(database)
  const findings = rows.map(({ finding }) => finding)
  for (const { adjusted } of outcomes) {
    if (adjusted !== undefined) findings.push(...(await checkOne(database, adjusted)))
  }
  return findings
}

async function checkOne(database: Database, adjusted: Adjusted): Promise<string[]> {
  const { generationId, variationIds, deleted, refused } = adjusted
  const findings = refused.map((what) => `Selfie ${generationId} was refused to ${what}`)
  const { deleted_at: deletedAt } = await database
    .selectFrom('generations')
    .select('deleted_at')
    .where('id', '=', generationId)
    .executeTakeFirstOrThrow()
  if (deleted === 'picture') {
    return deletedAt === null ? [...findings, `Selfie ${generationId} came back`] : findings
  }
  const layers = await database
    .selectFrom('generation_layers')
    .select('object_key')
    .where('generation_id', '=', generationId)
    .executeTakeFirst()
  if (deleted === 'layers' && layers !== undefined) {
    findings.push(`Selfie ${generationId} still has the layers that were deleted`)
  }
  // Somebody whom nobody answered may have deleted the picture all the same.
  if (deletedAt !== null) return findings
  const kept = await database
    .selectFrom('variations')
    .select('id')
    .where('generation_id', '=', generationId)
    .execute()
  const lost = new Set(variationIds)
  for (const { id } of kept) lost.delete(id)
  return [...findings, ...[...lost].map((id) => `Selfie ${generationId} has lost variation ${id}`)]
}
