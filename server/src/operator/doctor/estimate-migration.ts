/** What a migration does to a table that is there already. */
export interface MigrationStep {
  table: string
  /** `scan` reads all rows, as a new index or check does; `write` also writes many of them. */
  work: 'scan' | 'write'
}

/** How many rows a second a small server gets through, on the careful side. */
const rowsPerSecond = { scan: 500_000, write: 50_000 } as const

const patterns: readonly { work: MigrationStep['work']; pattern: RegExp }[] = [
  {
    work: 'scan',
    pattern:
      /\bcreate\s+(?:unique\s+)?index\s+(?:if\s+not\s+exists\s+)?\w+\s+on\s+(?:only\s+)?(\w+)/g,
  },
  {
    work: 'scan',
    pattern:
      /\balter\s+table\s+(\w+)[^;]*?\badd\s+constraint\s+\w+\s+(?:check|foreign|unique|primary)(?![^;]*\bnot\s+valid\b)/g,
  },
  {
    work: 'scan',
    pattern: /\balter\s+table\s+(\w+)[^;]*?\b(?:validate\s+constraint|set\s+not\s+null)\b/g,
  },
  { work: 'scan', pattern: /\bfrom\s+(\w+)/g },
  {
    work: 'write',
    pattern: /\balter\s+table\s+(\w+)[^;]*?\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b/g,
  },
  { work: 'write', pattern: /\bupdate\s+(\w+)\s+set\b/g },
]

/**
 * What a migration's SQL reads or writes as a whole, told by its statements; bodies of functions and
 * comments don't run and don't count. Columns that are added, and tables that are made, take no time.
 */
export function readMigrationSteps(sql: string): MigrationStep[] {
  const text = sql
    .replaceAll(/--[^\n]*/g, ' ')
    .replaceAll(/\$(\w*)\$[^]*?\$\1\$/g, ' ')
    .toLowerCase()
  const made = new Set(
    [...text.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/g)].map(
      ([, name]) => name,
    ),
  )
  const steps = new Map<string, MigrationStep>()
  for (const { work, pattern } of patterns) {
    for (const [, table = ''] of text.matchAll(pattern)) {
      if (!made.has(table)) steps.set(`${work} ${table}`, { table, work })
    }
  }
  return [...steps.values()]
}

/** Seconds for a step on a table of so many rows; a rough figure. */
export function estimateSeconds({ work }: MigrationStep, rows: number): number {
  return rows / rowsPerSecond[work]
}
