import type { Arrangement } from '@starside/contract/arrangement.ts'
import type { VariationItem } from '@starside/contract/variations.ts'

/** What tells a variation from the best one, as far as a word can say it. */
export type Difference =
  | 'adjusted'
  | 'swapped'
  | 'userInFront'
  | 'starInFront'
  | 'closer'
  | 'wider'
  | 'mirrored'
  | 'scene'
  | 'format'

/** Heads that are this much larger or smaller are seen to be. */
const sizeStep = 1.08

/**
 * What tells a variation from the best one, the most visible first; nothing for the best one itself,
 * and for one whose people only stand a little elsewhere.
 */
export function describeVariation(
  { arrangement, source }: Pick<VariationItem, 'source'> & { arrangement: Arrangement },
  best: Arrangement,
): Difference[] {
  const [size = 1, bestSize = 1] = [arrangement, best].map(headSize)
  const found: [Difference, boolean][] = [
    ['adjusted', source === 'adjusted'],
    ['scene', arrangement.scene !== best.scene],
    ['format', arrangement.aspect !== best.aspect],
    ['swapped', leftToRight(arrangement) !== leftToRight(best)],
    [
      arrangement.frontToBack[0] === 0 ? 'userInFront' : 'starInFront',
      arrangement.frontToBack[0] !== best.frontToBack[0],
    ],
    ['closer', size > bestSize * sizeStep],
    ['wider', size * sizeStep < bestSize],
    ['mirrored', mirroring(arrangement) !== mirroring(best)],
  ]
  return found.flatMap(([difference, isSo]) => (isSo ? [difference] : []))
}

function headSize({ subjects }: Arrangement): number {
  return Math.max(...subjects.map(({ size }) => size))
}

function leftToRight({ subjects }: Arrangement): string {
  return subjects
    .map(({ x }, subject) => ({ x, subject }))
    .toSorted((one, other) => one.x - other.x)
    .map(({ subject }) => subject)
    .join()
}

function mirroring({ subjects }: Arrangement): string {
  return subjects.map(({ mirrored }) => mirrored).join()
}
