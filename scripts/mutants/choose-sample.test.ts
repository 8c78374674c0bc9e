import { expect, test } from 'vitest'
import { chooseSample } from './choose-sample.ts'

const fileOf = (name: string, count: number) => ({
  file: name,
  sha256: '',
  code: '',
  mutants: Array.from({ length: count }, (_, index) => ({
    id: `${name}:m${index}`,
    file: name,
    line: 1,
    original: 'true',
    replacement: 'false',
  })),
})
const idsOf = (files: ReturnType<typeof chooseSample>) =>
  files.map(({ mutants }) => mutants.map(({ id }) => id))

test('a sample has its share of each file, the same at each run with a seed, and all of a smaller one', () => {
  const files = [fileOf('a.ts', 200), fileOf('b.ts', 10), fileOf('c.ts', 1), fileOf('d.ts', 0)]
  const choose = (percent: number, seed = 'one') => chooseSample(files, { percent, seed })
  const some = idsOf(choose(25))
  expect(some.map(({ length }) => length)).toEqual([50, 3, 1, 0])
  expect(idsOf(choose(25))).toEqual(some)
  expect(idsOf(choose(25, 'other'))).not.toEqual(some)
  const more = idsOf(choose(50))
  for (const [index, ids] of some.entries())
    expect(more[index]).toEqual(expect.arrayContaining(ids))
  expect(some[0], 'not simply the first').not.toEqual(
    files[0]?.mutants.slice(0, 50).map(({ id }) => id),
  )
  expect(idsOf(choose(100)).map(({ length }) => length)).toEqual([200, 10, 1, 0])
})
