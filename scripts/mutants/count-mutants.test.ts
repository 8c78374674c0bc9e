import { expect, test } from 'vitest'
import { countMutants, formatTable } from './count-mutants.ts'
import type { MutantStatus } from './mutant-results.ts'

const resultOf = (file: string, ...statuses: MutantStatus[]) => ({
  file,
  mutants: statuses.map((status, index) => ({
    id: `0m${index}`,
    file,
    line: 1,
    original: 'true',
    replacement: 'false',
    status,
  })),
})

test('mutants are counted by folder; one that runs out of time is killed', () => {
  const counts = countMutants([
    resultOf('server/src/credits/hold.ts', 'killed', 'timeout', 'lived'),
    resultOf('server/src/credits/capture.ts', 'uncovered'),
    resultOf('server/src/orders/btcpay/sign.ts', 'killed'),
  ])
  expect(counts).toEqual([
    { folder: 'credits', killed: 2, timedOut: 1, survived: 1, withoutTest: 1 },
    { folder: 'orders', killed: 1, timedOut: 0, survived: 0, withoutTest: 0 },
  ])
  expect(formatTable(counts)).toContain('| credits | 4 | 2 | 1 | 1 | 1 | 50.0 % |')
})
