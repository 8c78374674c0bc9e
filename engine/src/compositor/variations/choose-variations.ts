import type { Arrangement } from '../../arrangement.ts'
import { arrangementDistance } from './arrangement-distance.ts'
import type { Candidate } from './list-candidates.ts'

/** No two variations of a sheet are nearer to each other. */
export const distanceMin = 0.85
/** None costs so much more than the best. */
const costRange = 0.7
/** How much a distance is worth, up to which one. */
const distanceWorth = 0.35
const distanceEnough = 1.6
const otherAspectsMax = 2

/** A chosen arrangement; the quality of the best is 1, and the higher the better. */
export interface ChosenVariation {
  arrangement: Arrangement
  quality: number
}

/** What is chosen from. */
export interface VariationChoice {
  candidates: readonly Candidate[]
  /** What all are measured against: the best of the sheet. */
  best: Candidate
  /** Those that are there already, which count as chosen. */
  chosen: readonly Arrangement[]
  /** How many are wanted, and how many of them in another scene. */
  count: number
  otherScenesMax: number
  /** Where it is not the usual one of a sheet. */
  distanceMin?: number
}

/** Chooses good variations, far from each other, best first; perhaps fewer than wanted. */
export function chooseVariations({
  candidates,
  best,
  chosen,
  count,
  otherScenesMax,
  distanceMin: nearestMin = distanceMin,
}: VariationChoice): ChosenVariation[] {
  const good = candidates.filter(({ cost }) => cost <= best.cost + costRange)
  const taken: Candidate[] = []
  while (taken.length < count) {
    const { scene, aspect } = best.arrangement
    const scenes = taken.map(({ arrangement }) => arrangement.scene)
    const aspects = taken.map(({ arrangement }) => arrangement.aspect)
    const next = farthest(
      good.filter(
        ({ arrangement }) =>
          mayCome(arrangement.scene, scene, scenes, otherScenesMax) &&
          mayCome(arrangement.aspect, aspect, aspects, otherAspectsMax),
      ),
      [...chosen, ...taken.map(({ arrangement }) => arrangement)],
      nearestMin,
    )
    if (!next) break
    taken.push(next)
  }
  return taken
    .toSorted((one, other) => one.cost - other.cost)
    .map(({ arrangement, cost }) => ({ arrangement, quality: qualityOf(cost, best.cost) }))
}

/** 1 for what costs no more than the best, and less the more something costs. */
export function qualityOf(cost: number, bestCost: number): number {
  return Math.exp(-Math.max(0, cost - bestCost))
}

/** Whether another value than the usual one may come: each once, and not too many in all. */
function mayCome<Value>(
  value: Value,
  usual: Value,
  taken: readonly Value[],
  othersMax: number,
): boolean {
  if (value === usual) return true
  return !taken.includes(value) && taken.filter((one) => one !== usual).length < othersMax
}

/** The one that is worth most for being good and far from all that are there. */
function farthest(
  candidates: readonly Candidate[],
  there: readonly Arrangement[],
  nearestMin: number,
): Candidate | undefined {
  let next: Candidate | undefined
  let nextWorth = -Infinity
  for (const candidate of candidates) {
    const { arrangement, cost } = candidate
    const nearest = Math.min(...there.map((one) => arrangementDistance(one, arrangement)))
    if (nearest < nearestMin) continue
    const worth = distanceWorth * Math.min(nearest, distanceEnough) - cost
    if (worth > nextWorth) [next, nextWorth] = [candidate, worth]
  }
  return next
}
