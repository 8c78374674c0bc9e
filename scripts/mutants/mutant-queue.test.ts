import { expect, test } from 'vitest'
import { MutantQueue } from './mutant-queue.ts'

/** A hundred mutants of twenty files. */
const ids = Array.from({ length: 100 }, (_, index) => `${Math.floor(index / 5)}.ts:m${index}`)

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
  const { found, groups } = judge(['3.ts:m17', '12.ts:m60', '12.ts:m61'])
  expect(found).toEqual(['12.ts:m60', '12.ts:m61', '3.ts:m17'])
  expect(groups.length).toBeLessThan(50)
  expect(new Set(groups.flat())).toEqual(new Set(ids))
})

test('a test that notices nothing is tried a few times, one that notices all with each mutant', () => {
  const { groups } = judge([])
  expect(groups.map(({ length }) => length)).toEqual([1, 2, 4, 8, 16, 20, 20, 20, 9])
  const files = groups.map((group) => new Set(group.map((id) => id.split(':')[0])).size)
  expect(files, 'of a file one at a time').toEqual(groups.map(({ length }) => length))
  const all = judge(ids)
  expect(all.found).toEqual(ids.toSorted())
  expect(all.groups).toHaveLength(100)
})

test('what ended the process in a group is tried alone', () => {
  const { groups } = judge([], ['1.ts:m5', '1.ts:m7'])
  expect(groups.slice(0, 2)).toEqual([['1.ts:m5'], ['1.ts:m7']])
  expect(groups.flat()).toHaveLength(100)
})
