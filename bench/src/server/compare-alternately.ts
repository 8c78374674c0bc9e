import { median } from '../page/figures.ts'
import { generateLoad } from './generate-load.ts'
import type { LoadOptions, LoadResult } from './generate-load.ts'

export interface Contender extends Omit<LoadOptions, 'seconds' | 'connections'> {
  url: string
}

/** Medians over the rounds; the ratios are taken in each round, as both then met the same machine. */
export interface Comparison {
  ours: { perSecond: number; p50Ms: number; p99Ms: number }
  peer: { perSecond: number; p50Ms: number; p99Ms: number }
  /** Requests a second, ours to the peer's. */
  rateRatio: number
  /** Median times, ours to the peer's. */
  timeRatio: number
}

/** Puts load on ours and on the peer in alternation, so that what else the machine does meets both. */
export async function compareAlternately(
  ours: Contender,
  peer: Contender,
  options: { connections: number; seconds: number; rounds: number },
): Promise<Comparison> {
  const mine: LoadResult[] = []
  const theirs: LoadResult[] = []
  for (let round = 0; round <= options.rounds; round += 1) {
    const one = await generateLoad(ours.url, { ...ours, ...options })
    const other = await generateLoad(peer.url, { ...peer, ...options })
    if (one.failures + other.failures > 0) throw new Error(`an answer of ${ours.url} was not 200`)
    // The first round warms both up.
    if (round === 0) continue
    mine.push(one)
    theirs.push(other)
  }
  const middle = (results: LoadResult[]) => ({
    perSecond: median(results.map(({ requestsPerSecond }) => requestsPerSecond)),
    p50Ms: median(results.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(results.map(({ p99Ms }) => p99Ms)),
  })
  const ratio = (of: (result: LoadResult) => number) =>
    median(mine.map((result, index) => of(result) / of(theirs[index] ?? result)))
  return {
    ours: middle(mine),
    peer: middle(theirs),
    rateRatio: ratio(({ requestsPerSecond }) => requestsPerSecond),
    timeRatio: ratio(({ p50Ms }) => p50Ms),
  }
}
