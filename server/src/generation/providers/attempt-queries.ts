import type { Selectable } from 'kysely'
import type { Queryable } from '../../db/database.ts'
import type { AttemptState, GenerationAttemptsTable } from '../attempt-tables.ts'

export type AttemptRow = Selectable<GenerationAttemptsTable>

/** States in which the vendor may be at work, which count towards the maker's limit. */
export const underWayStates = ['granted', 'submitting', 'submitted', 'submit_unknown'] as const

/** States in which the vendor's word on how it ended is still wanted. */
export const unansweredStates: AttemptState[] = ['submitting', 'submitted', 'submit_unknown']

export function findAttempt(
  database: Queryable,
  attemptId: string,
): Promise<AttemptRow | undefined> {
  return database
    .selectFrom('generation_attempts')
    .selectAll()
    .where('id', '=', attemptId)
    .executeTakeFirst()
}

/** The attempt whose picture waits to be finished; undefined where the compositor is to work. */
export function findFetchedAttempt(
  database: Queryable,
  generationId: string,
): Promise<AttemptRow | undefined> {
  return database
    .selectFrom('generation_attempts')
    .selectAll()
    .where('generation_id', '=', generationId)
    .where('state', '=', 'fetched')
    .executeTakeFirst()
}
