import { median } from '../page/figures.ts'
import { hammer } from './hammer.ts'
import type { HammerOptions, HammerResult } from './hammer.ts'

export interface Contender extends Omit<HammerOptions, 'seconds' | 'connections'> {
  url: string
}

/** Medians over the rounds; the ratios are taken in each round, as both then met the same machine. */
export interface Turns {
  ours: { perSecond: number; p50Ms: number; p99Ms: number }
  peer: { perSecond: number; p50Ms: number; p99Ms: number }
  /** Requests a second, ours to the peer's. */
  rateRatio: number
  /** Median times, ours to the peer's. */
  timeRatio: number
}

/** Hammers ours and the peer turn and turn about, so that what else the machine does meets both. */
export async function takeTurns(
  ours: Contender,
  peer: Contender,
  options: { connections: number; seconds: number; rounds: number },
): Promise<Turns> {
  const mine: HammerResult[] = []
  const theirs: HammerResult[] = []
  for (let round = 0; round <= options.rounds; round += 1) {
    const one = await hammer(ours.url, { ...ours, ...options })
    const other = await hammer(peer.url, { ...peer, ...options })
    if (one.failures + other.failures > 0) throw new Error(`an answer of ${ours.url} was not 200`)
    // The first round warms both up.
    if (round === 0) continue
    mine.push(one)
    theirs.push(other)
  }
  const middle = (results: HammerResult[]) => ({
    perSecond: median(results.map(({ requestsPerSecond }) => requestsPerSecond)),
    p50Ms: median(results.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(results.map(({ p99Ms }) => p99Ms)),
  })
  const ratio = (of: (result: HammerResult) => number) =>
    median(mine.map((result, index) => of(result) / of(theirs[index] ?? result)))
  return {
    ours: middle(mine),
    peer: middle(theirs),
    rateRatio: ratio(({ requestsPerSecond }) => requestsPerSecond),
    timeRatio: ratio(({ p50Ms }) => p50Ms),
  }
}
