import type { Selectable } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import type { GenerationAttemptsTable } from '../../platform/db/tables.d.ts'
import type { Submission } from '../../vendors/hosted-provider.ts'

export type AttemptRow = Selectable<GenerationAttemptsTable>

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

/** Where the vendor keeps an attempt's pictures. */
export function outputUrlsOf(row: Pick<AttemptRow, 'output_url' | 'further_output_urls'>) {
  return row.output_url === null ? [] : [row.output_url, ...row.further_output_urls]
}

/** The objects that an attempt's pictures are kept as until they are finished. */
export function outputKeysOf(row: Pick<AttemptRow, 'output_key' | 'further_output_keys'>) {
  return row.output_key === null ? [] : [row.output_key, ...row.further_output_keys]
}

/** What the vendor answered when it accepted the request; undefined before that. */
export function submissionOf(attempt: AttemptRow): Submission | undefined {
  const { request_id: requestId, status_url: statusUrl } = attempt
  const { response_url: responseUrl, cancel_url: cancelUrl } = attempt
  if (requestId === null || statusUrl === null || responseUrl === null) return undefined
  return { requestId, statusUrl, responseUrl, cancelUrl: cancelUrl ?? '' }
}
