import { sql } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { openLiveValue } from '../../platform/db/live-value.ts'
import type { LiveParts } from '../../platform/db/live-value.ts'
import type { PlatformParts } from '../../platform/parts.ts'

/** Tells how long a picture of a provider takes, from how long the last ones really took. */
export type WaitingTimes = Awaited<ReturnType<typeof openWaitingTimes>>

const pollIntervalMs = 15_000
/** Pictures looked at for each provider, none older than a week. */
const sampleMax = 50
const sampleMin = 3

/** Medians are read from the database now and then, never while somebody waits for them. */
export async function openWaitingTimes(
  parts: LiveParts & Pick<PlatformParts, 'clock' | 'database'>,
) {
  const { current, close } = await openLiveValue(parts, {
    name: 'the usual waiting times',
    read: () => readMedians(parts.database, parts.clock()),
    pollIntervalMs,
  })
  /** Median milliseconds from the request to the picture; null while nothing is known. */
  const expectedMs = ({ provider, model }: { provider: string | null; model: string | null }) =>
    // The compositor's model is only known once it has made a picture.
    current().get(provider === 'compositor' ? provider : `${provider}:${model}`) ?? null
  return { expectedMs, close }
}

async function readMedians(database: Database, now: Date): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; ms: number; sample: number }>`
    with recent as (
      select
        case when provider = 'compositor' then provider else provider || ':' || model end as name,
        extract(epoch from finished_at - created_at) * 1000 as ms,
        finished_at
      from generations
      where state = 'done' and finished_at > ${new Date(now.getTime() - 7 * 24 * 3_600_000)}
        and provider is not null
      order by finished_at desc
      limit 1000
    ),
    numbered as (
      select name, ms, row_number() over (partition by name order by finished_at desc) as place
      from recent
    )
    select name, percentile_cont(0.5) within group (order by ms)::float8 as ms,
      count(*)::integer as sample
    from numbered
    where place <= ${sampleMax}
    group by name
  `.execute(database)
  const known = rows.filter(({ sample }) => sample >= sampleMin)
  return new Map(known.map(({ name, ms }) => [name, Math.round(ms)]))
}
