import type { Insertable } from 'kysely'
import type { Queryable } from '../platform/db/database.ts'
import type { ModerationLogTable } from '../platform/db/tables.d.ts'

/** What can be written into the record of moderation. */
export type ModerationAct =
  | 'report filed'
  | 'report resolved'
  | 'picture removed'
  | 'account suspended'
  | 'account unsuspended'
  | 'prompt refused'
  | 'photo blocked'
  | 'picture refused'

/**
 * Adds a step to the record, which the database never lets anybody change. Its detail says why, in words of
 * the operator or the rule; never a name, an address or a prompt.
 */
export async function logModeration(
  database: Queryable,
  step: Insertable<ModerationLogTable> & { act: ModerationAct },
): Promise<void> {
  await database.insertInto('moderation_log').values(step).execute()
}

/** The steps about a picture, a person or a report, oldest first. */
export function readModerationLog(
  database: Queryable,
  about: { generationId?: string | undefined; userId?: string | undefined; reportId?: string },
) {
  return database
    .selectFrom('moderation_log')
    .selectAll()
    .where((where) =>
      where.or([
        ...(about.generationId ? [where('generation_id', '=', about.generationId)] : []),
        ...(about.userId ? [where('user_id', '=', about.userId)] : []),
        ...(about.reportId ? [where('report_id', '=', about.reportId)] : []),
      ]),
    )
    .orderBy('id')
    .limit(1_000)
    .execute()
}
