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
  const atStart = resultOf('server/src/credits/routes.ts', 'uncovered')
  const counts = countMutants([
    resultOf('server/src/credits/hold.ts', 'killed', 'timeout', 'lived'),
    resultOf('server/src/credits/capture.ts', 'uncovered'),
    resultOf('server/src/orders/btcpay/sign.ts', 'killed'),
    { ...atStart, mutants: atStart.mutants.map((one) => ({ ...one, beforehand: ['a.test.ts'] })) },
  ])
  expect(counts).toEqual([
    { folder: 'credits', killed: 2, timedOut: 1, survived: 1, withoutTest: 1, atStart: 1 },
    { folder: 'orders', killed: 1, timedOut: 0, survived: 0, withoutTest: 0, atStart: 0 },
  ])
  expect(formatTable(counts)).toContain('| credits | 5 | 2 | 1 | 1 | 1 | 1 | 50.0 % |')
})
