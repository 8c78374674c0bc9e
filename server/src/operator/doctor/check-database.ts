import { sql } from 'kysely'
import type pg from 'pg'
import type { Config } from '../../config.ts'
import { explainDatabaseError } from '../../platform/db/explain-database-error.ts'
import { readPendingMigrations } from '../../platform/db/migrate.ts'
import { openExistingDatabase, useDatabase } from '../../platform/db/start-database.ts'
import { withClient } from '../../platform/db/with-client.ts'
import { explainFailure } from '../commands/operator-command.ts'
import type { OutsideParts, RunningParts, Finding } from './check.ts'
import { finding } from './check.ts'

/** Connections of a node beside its pool: queue and notifications. */
const otherConnections = 9
const skewMaxMs = 2_000
const roundTripMaxMs = 10

interface Settings {
  version: number
  maxConnections: number
  fsync: string
  fullPageWrites: string
  encoding: string
  isSuperuser: string
  nowMs: string
  backend: number
}

export async function findDatabaseFaults({ config, clock }: OutsideParts): Promise<Finding[]> {
  try {
    const opening = openExistingDatabase(config, () => undefined)
    return await useDatabase(opening, (url) => checkDatabase(url, config, clock))
  } catch (error) {
    if (error instanceof Error && 'problem' in error && error.problem === 'no-database') {
      return [finding('databaseNotMade')]
    }
    const url = config.databaseUrl
    const explained = explainFailure(url === undefined ? error : explainDatabaseError(url, error))
    return [finding('databaseFailed', { reason: explained ?? String(error) })]
  }
}

function checkDatabase(
  url: string,
  config: Pick<Config, 'databaseConnectionsMax' | 'databaseDirectUrl'>,
  now: () => Date,
): Promise<Finding[]> {
  return withClient(url, 'doctor', async (client) => {
    const settings = await readSettings(client)
    return [
      settings.version >= 150_000
        ? finding('databaseAnswers', { version: Math.floor(settings.version / 10_000) })
        : finding('databaseOld'),
      ...checkSettings(settings, config),
      checkClock(Number(settings.nowMs), now().getTime()),
      checkRoundTrip(await measureRoundTrip(client)),
      // Not in the types: what the server says of itself when a connection begins.
      checkSession({ announced: Reflect.get(client, 'processID'), ...settings, ...config }),
      checkSchema(await readPendingMigrations(client)),
    ]
  })
}

async function readSettings(client: pg.Client): Promise<Settings> {
  const { rows } = await client.query<Settings>(
    `select current_setting('server_version_num')::integer as version,
       current_setting('max_connections')::integer as "maxConnections",
       current_setting('fsync') as fsync,
       current_setting('full_page_writes') as "fullPageWrites",
       current_setting('server_encoding') as encoding,
       current_setting('is_superuser') as "isSuperuser",
       extract(epoch from clock_timestamp()) * 1000 as "nowMs",
       pg_backend_pid() as backend`,
  )
  if (rows[0] === undefined) throw new Error('a select without a table gives one row')
  return rows[0]
}

export function checkSettings(
  settings: Omit<Settings, 'version' | 'nowMs' | 'backend'>,
  { databaseConnectionsMax }: Pick<Config, 'databaseConnectionsMax'>,
): Finding[] {
  const { maxConnections, fsync, fullPageWrites, encoding, isSuperuser } = settings
  const wanted = databaseConnectionsMax + otherConnections
  const nodes = Math.floor((maxConnections - 3) / wanted)
  const connections = { maxConnections, nodes, wanted }
  const isDurable = fsync === 'on' && fullPageWrites === 'on'
  return [
    finding(nodes >= 1 ? 'connectionsEnough' : 'connectionsShort', connections),
    ...(isDurable ? [] : [finding('databaseNotDurable')]),
    ...(encoding === 'UTF8' ? [] : [finding('databaseEncoding', { encoding })]),
    ...(isSuperuser === 'on' ? [finding('databaseSuperuser')] : []),
  ]
}

export function checkClock(databaseMs: number, hereMs: number): Finding {
  const skewMs = Math.abs(databaseMs - hereMs)
  const seconds = (skewMs / 1_000).toFixed(1)
  return finding(skewMs <= skewMaxMs ? 'clocksAgree' : 'clocksDiffer', { seconds })
}

/** The same for a node that runs. */
export async function checkClockOf({ database }: RunningParts): Promise<Finding[]> {
  const from = Date.now()
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database)
  return [checkClock(rows[0]?.now.getTime() ?? 0, (from + Date.now()) / 2)]
}

async function measureRoundTrip(client: pg.Client): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < 5; n += 1) {
    const startMs = performance.now()
    await client.query('select 1')
    times.push(performance.now() - startMs)
  }
  return Math.min(...times)
}

export function checkRoundTrip(ms: number): Finding {
  return finding(ms <= roundTripMaxMs ? 'databaseNear' : 'databaseFar', { ms: ms.toFixed(1) })
}

/** A pooler tells its own process id; in transaction mode sessions change, which ends LISTEN. */
export function checkSession(session: {
  announced: unknown
  backend: number
  databaseDirectUrl: string | undefined
}): Finding {
  if (session.databaseDirectUrl !== undefined) return finding('poolerPassed')
  return finding(session.announced === session.backend ? 'sessionsKept' : 'pooler')
}

type Migrations = Awaited<ReturnType<typeof readPendingMigrations>>

export function checkSchema({ pending, unknown }: Omit<Migrations, 'changed'>): Finding {
  if (unknown.length > 0) return finding('schemaNewer', { migrations: unknown.join(', ') })
  if (pending.length === 0) return finding('schemaCurrent')
  return finding('schemaPending', { count: pending.length })
}
