/** The mutants of one folder of the server by what became of them. */
export interface MutantCount {
  readonly folder: string
  readonly killed: number
  readonly survived: number
  readonly withoutTest: number
}

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { status: string }[] }>>
}

/**
 * Counts by folder below `server/src/`. A mutant that made a test run out of time counts as killed;
 * ignored and invalid ones don't count.
 *
 * @param report Stryker's JSON report (schema: mutation-testing-report-schema 2)
 */
export function countMutants(report: unknown): MutantCount[] {
  const { files } = report as Report
  const folders = new Map<string, { killed: number; survived: number; withoutTest: number }>()
  for (const [file, { mutants }] of Object.entries(files)) {
    const folder = /server\/src\/([^/]+)\//u.exec(file)?.[1] ?? file
    const count = folders.get(folder) ?? { killed: 0, survived: 0, withoutTest: 0 }
    for (const { status } of mutants) {
      if (status === 'Killed' || status === 'Timeout') count.killed += 1
      else if (status === 'Survived') count.survived += 1
      else if (status === 'NoCoverage') count.withoutTest += 1
    }
    folders.set(folder, count)
  }
  return [...folders].map(([folder, count]) => ({ folder, ...count }))
}

/** The counts as a Markdown table. */
export function formatTable(counts: readonly MutantCount[]): string {
  const rows = counts.map(({ folder, killed, survived, withoutTest }) => {
    const all = killed + survived + withoutTest
    const score = all === 0 ? '–' : `${((100 * killed) / all).toFixed(1)} %`
    return `| ${folder} | ${all} | ${killed} | ${survived} | ${withoutTest} | ${score} |`
  })
  return [
    '| folder | mutants | killed | survived | no test | score |',
    '|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}
