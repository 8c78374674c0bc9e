import { expect, test } from 'vitest'
import { closingLines, countPlaywright, countVitest, planTests, withExitCode } from './test-plan.ts'

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
  expect(closingLines([unit, browser])).toBe('46 passed, 3 failed')
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
  expect(countVitest(report)).toMatchObject({ passed: 3, failed: 2 })
})

test('a runner that fails without a failed test, or without a report, is one failure', () => {
  expect(withExitCode(countVitest({ numPassedTests: 7, numFailedTests: 0 }), 1)).toMatchObject({
    passed: 7,
    failed: 1,
  })
  expect(closingLines([withExitCode(countPlaywright({}), 137)])).toBe('0 passed, 1 failed')
  expect(closingLines([withExitCode(countPlaywright({}), 0)])).toBe('0 passed, 0 failed')
})

test('what failed stands once more before the closing line, by file, name and message', () => {
  const unit = countVitest({
    numPassedTests: 1,
    numFailedTests: 1,
    testResults: [
      { name: 'a.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
      {
        name: 'b.test.ts',
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'fine' },
          { status: 'failed', fullName: 'adds up', failureMessages: ['expected 2 to be 3\nat b'] },
        ],
      },
    ],
  })
  const stories = countPlaywright({
    stats: { expected: 1, unexpected: 1 },
    suites: [
      {
        suites: [
          {
            specs: [
              { ok: true, file: 'c.story.ts', title: 'fine' },
              {
                ok: false,
                file: 'c.story.ts',
                title: 'a picture is made',
                tests: [{ results: [{}, { error: { message: 'not visible' } }] }],
              },
            ],
          },
        ],
      },
    ],
  })
  expect(closingLines([unit, stories]).split('\n\n')).toEqual([
    'a.test.ts\n    no such module',
    'b.test.ts › adds up\n    expected 2 to be 3\n    at b',
    'c.story.ts › a picture is made\n    not visible',
    '2 passed, 3 failed',
  ])
})

test('a long message is cut', () => {
  const story = {
    ok: false,
    file: 'c',
    title: 'd',
    tests: [{ results: [{ error: { message: 'x\n'.repeat(99) } }] }],
  }
  expect(countPlaywright({ specs: [story] }).failures?.[0]?.split('\n')).toHaveLength(40)
})
