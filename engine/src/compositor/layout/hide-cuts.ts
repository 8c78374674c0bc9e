import { arrangementLimits } from '@starside/contract/arrangement-limits.ts'
import type { Arrangement, ArrangedSubject } from '../../arrangement.ts'
import type { LayoutSubject } from './layout-subject.ts'
import { coveredFaces, openBorders } from './place-arrangement.ts'

/** Where somebody stands, and how large. */
export type Stand = Pick<ArrangedSubject, 'x' | 'y' | 'size'>

/** Borders that show for less, in head sizes, aren't seen. */
const unseenMax = 0.08
/** How far is tried: in parts of the picture, and of the head's size. */
const step = 0.01
const stepsMax = 40

/**
 * Where everybody stands for no photo's border to be seen, as near as that is to where they stand in an
 * arrangement: whoever's border shows is lower, aside or larger, and hides no more of another's face. Undefined
 * where none is seen, or nowhere near.
 */
export function hideCuts(
  subjects: readonly LayoutSubject[],
  { subjects: arranged, frontToBack }: Pick<Arrangement, 'subjects' | 'frontToBack'>,
  width: number,
  height: number,
): Stand[] | undefined {
  const openOf = (standing: ArrangedSubject[]): number[] =>
    openBorders(subjects, { subjects: standing, frontToBack }, width, height)
  const coverOf = (standing: ArrangedSubject[]): number =>
    sumOf(coveredFaces(subjects, { subjects: standing, frontToBack }, width, height))
  let standing = arranged
  let open = openOf(standing)
  if (sumOf(open) <= unseenMax) return undefined
  const coverMax = coverOf(arranged)
  for (let tries = 0; tries < arranged.length && sumOf(open) > unseenMax; tries += 1) {
    const worst = open.indexOf(Math.max(...open))
    const others = sumOf(open) - open[worst]!
    // What shows of somebody else is hidden after this.
    const openMax = Math.max(unseenMax, others)
    const nearest = standsNear(standing[worst]!, width / height)
      .map((stand) => standing.with(worst, { ...standing[worst]!, ...stand }))
      .find((changed) => sumOf(openOf(changed)) <= openMax && coverOf(changed) <= coverMax)
    if (nearest === undefined) return undefined
    standing = nearest
    open = openOf(standing)
  }
  return standing.map(({ x, y, size }) => ({ x, y, size }))
}

/** Other places for somebody, nearest first, in which no more of the head lies outside of the picture. */
function standsNear({ x, y, size }: Stand, aspect: number): Stand[] {
  const stands = Array.from({ length: stepsMax }, (_, index): Stand[] => {
    const by = step * (index + 1)
    const larger = Math.min(arrangementLimits.sizeMax, size * (1 + by))
    return [
      { x, y: y + by, size },
      { x: x - by, y, size },
      { x: x + by, y, size },
      { x, y, size: larger },
    ]
  })
  const before = outsideOf({ x, y, size }, aspect)
  return stands
    .flat()
    .filter((stand) => outsideOf(stand, aspect).every((out, side) => out <= before[side]!))
}

/** How far a head reaches out of the picture on each side, in parts of it. */
function outsideOf({ x, y, size }: Stand, aspect: number): number[] {
  const [across, down] = [size / aspect / 2, size / 2]
  return [across - x, x + across - 1, down - y, y + down - 1].map((out) => Math.max(0, out))
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0)
}
