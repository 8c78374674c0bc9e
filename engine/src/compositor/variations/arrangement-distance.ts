import weights from './difference-weights.json' with { type: 'json' }
import type { Arrangement } from '../../arrangement.ts'

/**
 * Difference: about 1 where people swap sides; from 0.85 on nobody takes both for one picture. Its weights are of
 * what differs at all, of the logarithm of sizes, and of places in parts of the picture's sides.
 */
export function arrangementDistance(one: Arrangement, other: Arrangement): number {
  const pairs = one.subjects.map((subject, n) => [subject, other.subjects[n]!] as const)
  const [first, firstOther] = pairs[0]!
  const hasOrder = isSameOrder(leftToRight(one), leftToRight(other))
  // Places across count only where nobody has changed sides.
  const across = hasOrder ? Math.max(...pairs.map(([a, b]) => Math.abs(a.x - b.x))) : 0
  const differences: Record<keyof typeof weights, number> = {
    order: hasOrder ? 0 : 1,
    front: isSameOrder(one.frontToBack, other.frontToBack) ? 0 : 1,
    size: Math.abs(Math.log(first.size / firstOther.size)),
    across,
    down: Math.abs(first.y - firstOther.y),
    mirrored: pairs.some(([a, b]) => a.mirrored !== b.mirrored) ? 1 : 0,
    scene: one.scene === other.scene ? 0 : 1,
    aspect: one.aspect === other.aspect ? 0 : 1,
  }
  const measures = Object.keys(weights) as (keyof typeof weights)[]
  return measures.reduce((sum, measure) => sum + weights[measure] * differences[measure], 0)
}

function leftToRight({ subjects }: Arrangement): number[] {
  return [...subjects.keys()].toSorted((a, b) => subjects[a]!.x - subjects[b]!.x)
}

function isSameOrder(one: readonly number[], other: readonly number[]): boolean {
  return one.every((value, n) => value === other[n])
}
