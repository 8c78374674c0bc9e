import { createHash } from 'node:crypto'
import type { Mutant, MutatedFile } from './make-mutants.ts'

/**
 * The same files with so many of a hundred mutants of each, at least one, in the order of a hash: the
 * same ones at each run with a seed, and a larger sample has all of a smaller one.
 */
export function chooseSample(
  files: readonly MutatedFile[],
  { percent, seed }: { percent: number; seed: string },
): MutatedFile[] {
  return files.map((file) => {
    const size = Math.ceil((file.mutants.length * percent) / 100)
    const mutants = file.mutants
      .map((mutant) => ({ mutant, rank: rankOf(mutant, seed) }))
      .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
      .slice(0, size)
      .map(({ mutant }) => mutant)
    return { ...file, mutants }
  })
}

function rankOf({ id }: Mutant, seed: string): string {
  return createHash('sha256').update(`${seed} ${id}`).digest('hex')
}
