import pg from 'pg'
import { readPendingMigrations } from '../../platform/db/migrate.ts'
import type { Migration } from '../../platform/db/migrate.ts'
import { openExistingDatabase } from '../../platform/db/start-database.ts'
import { checks } from '../doctor/checks.ts'
import { estimateSeconds, readMigrationSteps } from '../doctor/estimate-migration.ts'
import type { OperatorCommands, PartsWithoutDatabase } from './operator-command.ts'

export const healthCommands: OperatorCommands = {
  doctor: { needsDatabase: false, run: runDoctor },
  'upgrade-check': { needsDatabase: false, run: runUpgradeCheck },
}

const marks = { ok: ' ok ', warning: 'WARN', problem: 'BAD ' } as const

async function runDoctor({ config, clock, print }: PartsWithoutDatabase): Promise<number> {
  const counts = { ok: 0, warning: 0, problem: 0 }
  for (const check of checks) {
    for (const { level, text, mend } of (await check.beforeStart?.({ config, clock, fetch })) ??
      []) {
      print(`${marks[level]}  ${text}`)
      if (mend !== undefined) print(`      ${mend}`)
      counts[level] += 1
    }
  }
  print(`\n${counts.problem} problems, ${counts.warning} warnings.`)
  return counts.problem === 0 ? 0 : 1
}

async function runUpgradeCheck({ config, print }: PartsWithoutDatabase): Promise<number> {
  const server = await openExistingDatabase(config, print)
  try {
    const client = new pg.Client({
      connectionString: server.url,
      application_name: 'upgrade-check',
    })
    await client.connect()
    try {
      return await describeUpgrade(client, print)
    } finally {
      await client.end()
    }
  } finally {
    await server.stop()
  }
}

async function describeUpgrade(client: pg.Client, print: (line: string) => void): Promise<number> {
  const { pending, unknown, changed } = await readPendingMigrations(client)
  if (changed.length > 0) {
    print(`This version does not start here: ${changed.join(', ')} was applied with another text.`)
    return 1
  }
  if (unknown.length > 0) print(`A newer version has been here: ${unknown.join(', ')}.`)
  if (pending.length === 0) {
    print('The next start changes nothing in the database.')
    return 0
  }
  let seconds = 0
  for (const migration of pending) seconds += await describeMigration(client, migration, print)
  print(
    `\n${pending.length} migrations, ${describeSeconds(seconds)} in all. Back up first; while a table is`,
  )
  print('worked on, calls that need it wait. The version before works on the new tables too.')
  return 0
}

/** Prints a migration with the tables it goes through; answers its estimated seconds. */
async function describeMigration(
  client: pg.Client,
  { name, sql }: Migration,
  print: (line: string) => void,
): Promise<number> {
  const lines: string[] = []
  let seconds = 0
  for (const step of readMigrationSteps(sql)) {
    // The planner's figure: counting itself would take as long as the migration.
    const { rows } = await client.query<{ rows: number; size: string }>(
      `select greatest(reltuples, 0)::float8 as rows,
         pg_size_pretty(pg_total_relation_size(oid)) as size
       from pg_class where oid = to_regclass($1) and relkind in ('r', 'p')`,
      [`public.${step.table}`],
    )
    const [found] = rows
    if (found === undefined) continue
    const stepSeconds = estimateSeconds(step, found.rows)
    seconds += stepSeconds
    const does = step.work === 'scan' ? 'reads' : 'writes'
    lines.push(
      `  ${does} ${step.table}: about ${Math.round(found.rows)} rows, ${found.size}, ${describeSeconds(stepSeconds)}`,
    )
  }
  print(`${name}${lines.length === 0 ? ': at once' : ''}`)
  for (const line of lines) print(line)
  return seconds
}

function describeSeconds(seconds: number): string {
  if (seconds < 1) return 'less than a second'
  return seconds < 120
    ? `about ${Math.ceil(seconds)} s`
    : `about ${Math.ceil(seconds / 60)} minutes`
}
