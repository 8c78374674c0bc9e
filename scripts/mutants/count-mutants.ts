import type { FileResult } from './mutant-results.ts'

/** The mutants of one folder of the server by what became of them. */
export interface MutantCount {
  readonly folder: string
  readonly killed: number
  /** Killed by running out of time; counted with the killed ones. */
  readonly timedOut: number
  readonly survived: number
  readonly withoutTest: number
  /** Their code runs only when a program starts, where `--whole` alone can try them. */
  readonly atStart: number
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
      atStart: 0,
    }
    for (const { status, beforehand } of mutants) {
      if (status === 'killed' || status === 'timeout') count.killed += 1
      if (status === 'timeout') count.timedOut += 1
      if (status === 'lived') count.survived += 1
      if (status === 'uncovered' && beforehand !== undefined) count.atStart += 1
      else if (status === 'uncovered') count.withoutTest += 1
    }
    folders.set(folder, count)
  }
  return [...folders.values()]
}

/** The counts as a Markdown table; the score is of the mutants that were judged or have no test. */
export function formatTable(counts: readonly MutantCount[]): string {
  const rows = counts.map(({ folder, killed, timedOut, survived, withoutTest, atStart }) => {
    const all = killed + survived + withoutTest
    const score = all === 0 ? '–' : `${((100 * killed) / all).toFixed(1)} %`
    const cells = [folder, all + atStart, killed, timedOut, survived, withoutTest, atStart, score]
    return `| ${cells.join(' | ')} |`
  })
  return [
    '| folder | mutants | killed | of them by time | survived | no test | only at start | score |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}
