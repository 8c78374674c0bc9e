import { expect, test } from 'vitest'
import { takeBatches } from './take-batches.ts'

/** A backlog of so many pieces; each call is noted, and `stop` ends the job after the first. */
async function takeFrom(backlog: number, stop?: AbortController): Promise<number[]> {
  const taken: number[] = []
  let left = backlog
  await takeBatches(stop?.signal ?? new AbortController().signal, 10, async (size) => {
    const now = Math.min(size, left)
    left -= now
    taken.push(now)
    stop?.abort()
    return now
  })
  return taken
}

test('a backlog is taken batch by batch, until one isn’t full', async () => {
  expect(await takeFrom(25)).toEqual([10, 10, 5])
  expect(await takeFrom(20)).toEqual([10, 10, 0])
  expect(await takeFrom(0)).toEqual([0])
})

test('a job that is to end begins no further batch', async () => {
  expect(await takeFrom(25, new AbortController())).toEqual([10])
})
