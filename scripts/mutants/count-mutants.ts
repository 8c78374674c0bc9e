import type { FileResult } from './mutant-results.ts'

/** The mutants of one folder of the server by what became of them. */
export interface MutantCount {
  readonly folder: string
  readonly killed: number
  /** Killed by running out of time; counted with the killed ones. */
  readonly timedOut: number
  readonly survived: number
  readonly withoutTest: number
}

/** Counts by folder below `server/src/`. */
export function countMutants(
  results: readonly Pick<FileResult, 'file' | 'mutants'>[],
): MutantCount[] {
  const folders = new Map<string, { -readonly [Key in keyof MutantCount]: MutantCount[Key] }>()
  for (const { file, mutants } of results) {
    const folder = /server\/src\/([^/]+)\//u.exec(file)?.[1] ?? file
    const count = folders.get(folder) ?? {
      folder,
      killed: 0,
      timedOut: 0,
      survived: 0,
      withoutTest: 0,
    }
    for (const { status } of mutants) {
      if (status === 'killed' || status === 'timeout') count.killed += 1
      if (status === 'timeout') count.timedOut += 1
      if (status === 'lived') count.survived += 1
      if (status === 'uncovered') count.withoutTest += 1
    }
    folders.set(folder, count)
  }
  return [...folders.values()]
}

/** The counts as a Markdown table. */
export function formatTable(counts: readonly MutantCount[]): string {
  const rows = counts.map(({ folder, killed, timedOut, survived, withoutTest }) => {
    const all = killed + survived + withoutTest
    const score = all === 0 ? '–' : `${((100 * killed) / all).toFixed(1)} %`
    return `| ${folder} | ${all} | ${killed} | ${timedOut} | ${survived} | ${withoutTest} | ${score} |`
  })
  return [
    '| folder | mutants | killed | of them by time | survived | no test | score |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}
