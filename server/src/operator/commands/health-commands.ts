import { keysOf } from '@starside/contract/keys-of.ts'
import type pg from 'pg'
import { readPendingMigrations } from '../../platform/db/migrate.ts'
import type { Migration } from '../../platform/db/migrate.ts'
import { openExistingDatabase, useDatabase } from '../../platform/db/start-database.ts'
import { withClient } from '../../platform/db/with-client.ts'
import { checks } from '../doctor/checks.ts'
import { commandsOf, endWith } from './operator-command.ts'
import type { PartsWithoutDatabase } from './operator-command.ts'

export const healthCommands = commandsOf({
  doctor: { needsDatabase: false, run: runDoctor },
  'upgrade-check': {
    needsDatabase: false,
    run: ({ config, print }) =>
      useDatabase(openExistingDatabase(config, print), (url) =>
        withClient(url, 'upgrade-check', (client) => describeUpgrade(client, print)),
      ),
  },
})

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

async function describeUpgrade(client: pg.Client, print: (line: string) => void): Promise<number> {
  const { pending, unknown, changed } = await readPendingMigrations(client)
  if (changed.length > 0)
    return endWith(
      print,
      1,
      `This version does not start here: ${changed.join(', ')} was applied with another text.`,
    )
  if (unknown.length > 0) print(`A newer version has been here: ${unknown.join(', ')}.`)
  if (pending.length === 0)
    return endWith(print, 0, 'The next start changes nothing in the database.')
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

/** An estimate in words, never less than it is. */
export function describeSeconds(seconds: number): string {
  if (seconds < 1) return 'less than a second'
  if (seconds < 120) return `about ${Math.ceil(seconds)} s`
  return `about ${Math.ceil(seconds / 60)} minutes`
}

interface MigrationStep {
  table: string
  /** `scan` reads all rows, as a new index or check does; `write` also writes many of them. */
  work: 'scan' | 'write'
}

/** How many rows a second a small server gets through, on the careful side. */
const rowsPerSecond = { scan: 500_000, write: 50_000 } as const

const patterns = {
  scan: [
    /\bcreate\s+(?:unique\s+)?index\s+(?:if\s+not\s+exists\s+)?\w+\s+on\s+(?:only\s+)?(\w+)/g,
    /\balter\s+table\s+(\w+)[^;]*?\badd\s+constraint\s+\w+\s+(?:check|foreign|unique|primary)(?![^;]*\bnot\s+valid\b)/g,
    /\balter\s+table\s+(\w+)[^;]*?\b(?:validate\s+constraint|set\s+not\s+null)\b/g,
    /\bfrom\s+(\w+)/g,
  ],
  write: [
    /\balter\s+table\s+(\w+)[^;]*?\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b/g,
    /\bupdate\s+(\w+)\s+set\b/g,
  ],
} as const

/**
 * What a migration's SQL reads or writes as a whole, told by its statements; bodies of functions and
 * comments don't run and don't count. Columns that are added, and tables that are made, take no time.
 */
export function readMigrationSteps(sql: string): MigrationStep[] {
  const text = sql
    .replaceAll(/--[^\n]*/g, ' ')
    .replaceAll(/\$(\w*)\$[^]*?\$\1\$/g, ' ')
    .toLowerCase()
  const creations = text.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/g)
  const made = new Set([...creations].map(([, name = '']) => name))
  return keysOf(patterns).flatMap((work) => {
    const found = patterns[work].flatMap((pattern) => [...text.matchAll(pattern)])
    const tables = new Set(found.map(([, table = '']) => table))
    return [...tables].filter((table) => !made.has(table)).map((table) => ({ table, work }))
  })
}

/** Seconds for a step on a table of so many rows; a rough figure. */
export function estimateSeconds({ work }: MigrationStep, rows: number): number {
  return rows / rowsPerSecond[work]
}
