import { expect, test } from 'vitest'
import { closingLine, countPlaywright, countVitest, planTests, withExitCode } from './test-plan.ts'

test.each([
  [[], { unit: [], browser: [] }],
  [['unit'], { unit: [], browser: undefined }],
  [['unit', 'ledger'], { unit: ['ledger'], browser: undefined }],
  [['e2e'], { unit: undefined, browser: [] }],
  [['e2e', 'first-selfie'], { unit: undefined, browser: ['first-selfie'] }],
  [['packages', 'image'], { unit: undefined, browser: undefined, packages: ['image'] }],
  [['server/src/platform/db'], { unit: ['server/src/platform/db'], browser: undefined }],
  [['e2e/first-selfie'], { unit: undefined, browser: ['e2e/first-selfie'] }],
  [['ledger', './e2e/first-selfie'], { unit: ['ledger'], browser: ['./e2e/first-selfie'] }],
])('npm test -- %j runs %j', (args, plan) => {
  expect(planTests(args)).toEqual(plan)
})

test('both runners are added up in one closing line', () => {
  const unit = countVitest({ numPassedTests: 40, numFailedTests: 2 })
  const browser = countPlaywright({ stats: { expected: 5, flaky: 1, unexpected: 1, skipped: 3 } })
  expect(closingLine([unit, browser])).toBe('46 passed, 3 failed')
})

test('a file that does not load counts as a failure of its own', () => {
  const report = {
    numPassedTests: 3,
    numFailedTests: 1,
    testResults: [
      { status: 'failed', assertionResults: [] },
      { status: 'failed', assertionResults: [{ status: 'passed' }, { status: 'failed' }] },
      { status: 'passed', assertionResults: [{ status: 'passed' }, { status: 'passed' }] },
    ],
  }
  expect(countVitest(report)).toEqual({ passed: 3, failed: 2 })
})

test('a runner that fails without a failed test, or without a report, is one failure', () => {
  expect(withExitCode(countVitest({ numPassedTests: 7, numFailedTests: 0 }), 1)).toEqual({
    passed: 7,
    failed: 1,
  })
  expect(closingLine([withExitCode(countPlaywright({}), 137)])).toBe('0 passed, 1 failed')
})
