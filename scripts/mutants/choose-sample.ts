import { createHash } from 'node:crypto'
import type { Mutant, MutatedFile } from './make-mutants.ts'

/** Which mutants a sample has depends on this, on their files and on nothing else. */
const seed = '2026-11-22'

/**
 * The same files with so many of a hundred mutants of each, at least one, in the order of a hash: the
 * same ones at each run, and a larger sample has all of a smaller one.
 */
export function chooseSample(files: readonly MutatedFile[], percent: number): MutatedFile[] {
  return files.map((file) => {
    const size = Math.ceil((file.mutants.length * percent) / 100)
    const mutants = file.mutants
      .map((mutant) => ({ mutant, rank: rankOf(mutant) }))
      .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
      .slice(0, size)
      .map(({ mutant }) => mutant)
    return { ...file, mutants }
  })
}

function rankOf({ id }: Mutant): string {
  return createHash('sha256').update(`${seed} ${id}`).digest('hex')
}
