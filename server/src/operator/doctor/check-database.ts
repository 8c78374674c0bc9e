import { sql } from 'kysely'
import pg from 'pg'
import type { Config } from '../../config.ts'
import { explainDatabaseError } from '../../platform/db/explain-database-error.ts'
import { readPendingMigrations } from '../../platform/db/migrate.ts'
import { openExistingDatabase } from '../../platform/db/start-database.ts'
import { explainFailure } from '../commands/operator-command.ts'
import type { OutsideParts, RunningParts, Finding } from './check.ts'
import { ok, problem, warning } from './check.ts'

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
    const server = await openExistingDatabase(config, () => undefined)
    try {
      return await checkDatabase(server.url, config, clock)
    } finally {
      await server.stop()
    }
  } catch (error) {
    if (error instanceof Error && 'problem' in error && error.problem === 'no-database') {
      return [ok('There is no database yet; the first start makes it.')]
    }
    const url = config.databaseUrl
    const explained = explainFailure(url === undefined ? error : explainDatabaseError(url, error))
    return [problem(explained ?? String(error), 'See docs/start.md.')]
  }
}

async function checkDatabase(
  url: string,
  config: Pick<Config, 'databaseConnectionsMax' | 'databaseDirectUrl'>,
  now: () => Date,
): Promise<Finding[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'doctor' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const settings = await readSettings(client)
    return [
      settings.version >= 150_000
        ? ok(`PostgreSQL ${Math.floor(settings.version / 10_000)} answers.`)
        : problem('This PostgreSQL is too old.', 'Bring it to version 15 or newer.'),
      ...checkSettings(settings, config),
      checkClock(Number(settings.nowMs), now().getTime()),
      checkRoundTrip(await measureRoundTrip(client)),
      // Not in the types: what the server says of itself when a connection begins.
      checkSession({ announced: Reflect.get(client, 'processID'), ...settings, ...config }),
      checkSchema(await readPendingMigrations(client)),
    ]
  } finally {
    await client.end()
  }
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
  const connections = `${maxConnections} connections serve ${nodes} nodes with up to ${wanted} each.`
  const findings = [
    nodes >= 1
      ? ok(connections)
      : problem(connections, 'Raise max_connections, or lower DATABASE_CONNECTIONS_MAX.'),
  ]
  if (fsync !== 'on' || fullPageWrites !== 'on') {
    findings.push(
      problem('A power cut may destroy this database.', 'Set fsync and full_page_writes to on.'),
    )
  }
  if (encoding !== 'UTF8') {
    findings.push(
      problem(`The database is in ${encoding}.`, 'Make it anew with the encoding UTF8.'),
    )
  }
  if (isSuperuser === 'on') {
    findings.push(
      warning('DATABASE_URL signs in as a superuser.', 'Use a role that only owns this database.'),
    )
  }
  return findings
}

export function checkClock(databaseMs: number, hereMs: number): Finding {
  const skewMs = Math.abs(databaseMs - hereMs)
  const text = `The clocks of this machine and the database differ by ${(skewMs / 1_000).toFixed(1)} s.`
  if (skewMs <= skewMaxMs) return ok(text)
  return problem(text, 'Turn on time synchronisation (NTP) on both.')
}

/** The same for a node that runs. */
export async function checkClockOf({ database }: RunningParts): Promise<Finding[]> {
  const from = Date.now()
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database)
  const middle = (from + Date.now()) / 2
  return [checkClock(rows[0]?.now.getTime() ?? 0, middle)]
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
  const text = `A statement takes ${ms.toFixed(1)} ms.`
  if (ms <= roundTripMaxMs) return ok(text)
  return warning(text, 'Move the database nearer: a call needs several statements.')
}

/**
 * A pooler announces a process id of its own, not that of the server's process behind it. In
 * transaction mode it gives each transaction another session, which LISTEN doesn't survive.
 */
export function checkSession({
  announced,
  backend,
  databaseDirectUrl,
}: {
  announced: unknown
  backend: number
  databaseDirectUrl: string | undefined
}): Finding {
  if (databaseDirectUrl !== undefined) return ok('LISTEN has a connection past the pooler.')
  if (announced === backend) return ok('A connection keeps its session.')
  return warning(
    'A pooler stands before the database.',
    'Unless it keeps sessions, set DATABASE_DIRECT_URL to PostgreSQL itself (docs/operate.md).',
  )
}

export function checkSchema({
  pending,
  unknown,
}: Pick<Awaited<ReturnType<typeof readPendingMigrations>>, 'pending' | 'unknown'>): Finding {
  if (unknown.length > 0) {
    return warning(
      `A newer version has been here (${unknown.join(', ')}).`,
      'Start that version, or one not older than the one before it.',
    )
  }
  if (pending.length === 0) return ok('The tables are those of this version.')
  return warning(
    `${pending.length} migrations are still to come.`,
    'See npm run admin -- upgrade-check; the next start applies them.',
  )
}
