import type { Arrangement } from '../../arrangement.ts'

/** Difference: about 1 where people swap sides; from 0.85 on nobody takes both for one picture. */
export function arrangementDistance(one: Arrangement, other: Arrangement): number {
  const pairs = one.subjects.map((subject, n) => [subject, other.subjects[n]!] as const)
  const [first, firstOther] = pairs[0]!
  const most = (valueOf: (pair: (typeof pairs)[number]) => number): number =>
    Math.max(...pairs.map(valueOf))
  return (
    (isSameOrder(leftToRight(one), leftToRight(other)) ? 0 : 1) +
    (isSameOrder(one.frontToBack, other.frontToBack) ? 0 : 0.5) +
    (0.6 * Math.abs(Math.log(first.size / firstOther.size))) / Math.log(1.3) +
    0.3 * (most(([a, b]) => Math.abs(a.x - b.x)) / 0.12) * sameSide(one, other) +
    0.3 * (Math.abs(first.y - firstOther.y) / 0.1) +
    (pairs.some(([a, b]) => a.mirrored !== b.mirrored) ? 0.3 : 0) +
    (one.scene === other.scene ? 0 : 0.8) +
    (one.aspect === other.aspect ? 0 : 0.5)
  )
}

/** Places across count only where nobody has changed sides. */
function sameSide(one: Arrangement, other: Arrangement): number {
  return isSameOrder(leftToRight(one), leftToRight(other)) ? 1 : 0
}

function leftToRight({ subjects }: Arrangement): number[] {
  return [...subjects.keys()].toSorted((a, b) => subjects[a]!.x - subjects[b]!.x)
}

function isSameOrder(one: readonly number[], other: readonly number[]): boolean {
  return one.every((value, n) => value === other[n])
}
