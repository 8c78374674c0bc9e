import type { Queryable } from '../platform/db/database.ts'

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

export interface ModerationStep {
  at: Date
  actor: 'operator' | 'reporter' | 'system'
  act: ModerationAct
  generationId?: string | null
  userId?: string | null
  reportId?: string | null
  /** Why, in words of the operator or the rule; never a name, an address or a prompt. */
  detail?: string
}

/** Adds a step to the record, which the database never lets anybody change. */
export async function logModeration(database: Queryable, step: ModerationStep): Promise<void> {
  await database
    .insertInto('moderation_log')
    .values({
      at: step.at,
      actor: step.actor,
      act: step.act,
      generation_id: step.generationId ?? null,
      user_id: step.userId ?? null,
      report_id: step.reportId ?? null,
      detail: step.detail ?? '',
    })
    .execute()
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
