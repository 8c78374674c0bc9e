import type { HostedError } from '../../vendors/hosted-error.ts'
import { sql } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import type { ImageSettings } from './image-settings.ts'

/** What the circuit breaker lets through: everything, one request to try, or nothing. */
export type CircuitState = 'closed' | 'half-open' | 'open'

/** A provider's circuit at a time, from its row; a provider without a row never failed. */
export function circuitState(
  row: { failures_in_row: number; open_until: Date | null } | undefined,
  settings: Pick<ImageSettings, 'circuitFailuresMax'>,
  now: Date,
): CircuitState {
  if (row === undefined || row.failures_in_row < settings.circuitFailuresMax) return 'closed'
  return row.open_until !== null && row.open_until > now ? 'open' : 'half-open'
}

/** Counts a failure; the one that makes the count full opens the circuit, each further one anew. */
export async function recordFailure(
  database: Queryable,
  failure: {
    provider: string
    error: Pick<HostedError, 'kind' | 'message'>
    settings: Pick<ImageSettings, 'circuitFailuresMax' | 'circuitOpenMs'>
    now: Date
  },
): Promise<void> {
  const { provider, error, settings, now } = failure
  const openUntil = new Date(now.getTime() + settings.circuitOpenMs)
  await sql`
    insert into image_providers as known
      (name, failures_in_row, open_until, last_error_kind, last_error_detail, last_error_at)
    values (${provider}, 1, ${settings.circuitFailuresMax <= 1 ? openUntil : null},
      ${error.kind}, ${error.message}, ${now})
    on conflict (name) do update set
      failures_in_row = known.failures_in_row + 1,
      open_until = case
        when known.failures_in_row + 1 >= ${settings.circuitFailuresMax}::integer
        then ${openUntil}::timestamptz
        else known.open_until
      end,
      last_error_kind = excluded.last_error_kind,
      last_error_detail = excluded.last_error_detail,
      last_error_at = excluded.last_error_at
  `.execute(database)
}

/** Closes the circuit. Mostly there is nothing to write, so that providers share no busy row. */
export async function recordSuccess(
  database: Queryable,
  success: { provider: string; now: Date },
): Promise<void> {
  const { provider, now } = success
  await sql`
    insert into image_providers as known (name, last_success_at)
    values (${provider}, ${now})
    on conflict (name) do update set
      failures_in_row = 0, open_until = null, last_success_at = excluded.last_success_at
    where known.failures_in_row > 0
      or known.last_success_at is null
      or known.last_success_at < excluded.last_success_at - interval '1 minute'
  `.execute(database)
}
