import { expect, test } from 'vitest'
import { MutantQueue } from './mutant-queue.ts'

const ids = Array.from({ length: 100 }, (_, index) => `m${index}`)

/** Tries all on a test that notices some; answers what was noticed, and after how many tries. */
function judge(noticed: readonly string[], alone: readonly string[] = []) {
  const queue = new MutantQueue(ids, alone)
  const found: string[] = []
  const groups: (readonly string[])[] = []
  for (let group = queue.take(); group !== undefined; group = queue.take()) {
    groups.push(group)
    if (!group.some((id) => noticed.includes(id))) queue.passed(group)
    else {
      if (group.length === 1) found.push(...group)
      queue.failed(group)
    }
  }
  return { found: found.toSorted(), groups }
}

test('mutants that a test notices are found among many that it doesn’t, in few tries', () => {
  const { found, groups } = judge(['m17', 'm60', 'm61'])
  expect(found).toEqual(['m17', 'm60', 'm61'])
  expect(groups.length).toBeLessThan(50)
  expect(new Set(groups.flat())).toEqual(new Set(ids))
})

test('a test that notices nothing is tried a few times, one that notices all with each mutant', () => {
  expect(judge([]).groups.map(({ length }) => length)).toEqual([1, 2, 4, 8, 16, 32, 32, 5])
  const all = judge(ids)
  expect(all.found).toEqual(ids.toSorted())
  expect(all.groups).toHaveLength(100)
})

test('what ended the process in a group is tried alone', () => {
  const { groups } = judge([], ['m5', 'm7'])
  expect(groups.slice(0, 2)).toEqual([['m5'], ['m7']])
  expect(groups.flat()).toHaveLength(100)
})
