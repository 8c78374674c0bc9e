import { expect, test } from 'vitest'
import { countMutants, formatTable } from './count-mutants.ts'

const mutants = (...statuses: string[]) => ({ mutants: statuses.map((status) => ({ status })) })

test('mutants are counted by folder; one that runs out of time is killed, an ignored one is none', () => {
  const counts = countMutants({
    files: {
      'server/src/credits/hold.ts': mutants('Killed', 'Timeout', 'Ignored', 'Survived'),
      'server/src/credits/capture.ts': mutants('NoCoverage', 'CompileError'),
      'server/src/orders/btcpay/sign.ts': mutants('Killed'),
    },
  })
  expect(counts).toEqual([
    { folder: 'credits', killed: 2, survived: 1, withoutTest: 1 },
    { folder: 'orders', killed: 1, survived: 0, withoutTest: 0 },
  ])
  expect(formatTable(counts)).toContain('| credits | 4 | 2 | 1 | 1 | 50.0 % |')
})
