/** Which tests a command line asks for, and the file filters of each runner. */
export interface TestPlan {
  /** Filters for Vitest (none: all files), or `undefined` to leave it out. */
  readonly unit: readonly string[] | undefined
  /** Filters for Playwright (none: all stories), or `undefined` to leave it out. */
  readonly browser: readonly string[] | undefined
  /** Filters for the tests that build package and image (none: all), or `undefined` to leave them out. */
  readonly packages?: readonly string[]
}

/**
 * Reads the arguments of `npm test`: nothing for all tests, `unit` or `e2e` for one kind, each with
 * file filters, `packages` for those that build what people install, or file filters alone, of which
 * those below `e2e` go to Playwright.
 */
export function planTests(args: readonly string[]): TestPlan {
  const [kind, ...filters] = args
  if (kind === undefined) return { unit: [], browser: [] }
  if (kind === 'unit') return { unit: filters, browser: undefined }
  if (kind === 'e2e') return { unit: undefined, browser: filters }
  if (kind === 'packages') return { unit: undefined, browser: undefined, packages: filters }
  const browser = args.filter((filter) => /^(?:\.\/)?e2e\b/u.test(filter))
  const unit = args.filter((filter) => !browser.includes(filter))
  return {
    unit: unit.length > 0 ? unit : undefined,
    browser: browser.length > 0 ? browser : undefined,
  }
}

/** How many tests passed and failed. */
export interface TestCount {
  readonly passed: number
  readonly failed: number
}

/**
 * Reads Vitest's JSON report (format: Vitest's manual, 'JSON reporter'). A file that doesn't even
 * load has no tests and counts as one failure.
 */
export function countVitest(report: unknown): TestCount {
  const fields = fieldsOf(report)
  const files = fields.get('testResults')
  const notLoaded = Array.isArray(files) ? files.filter(failsWithoutTests).length : 0
  return {
    passed: numberOf(fields, 'numPassedTests'),
    failed: numberOf(fields, 'numFailedTests') + notLoaded,
  }
}

function failsWithoutTests(file: unknown): boolean {
  const fields = fieldsOf(file)
  const tests = fields.get('assertionResults')
  const hasFailedTest =
    Array.isArray(tests) && tests.some((test) => fieldsOf(test).get('status') === 'failed')
  return fields.get('status') === 'failed' && !hasFailedTest
}

/** Reads Playwright's JSON report (type `JSONReport`); a flaky test passed in the end. */
export function countPlaywright(report: unknown): TestCount {
  const stats = fieldsOf(fieldsOf(report).get('stats'))
  return {
    passed: numberOf(stats, 'expected') + numberOf(stats, 'flaky'),
    failed: numberOf(stats, 'unexpected'),
  }
}

/**
 * Joins a runner's count with its exit code: a runner that failed without a failed test (a file that
 * doesn't load, an error between tests, a crash) counts as one failure.
 */
export function withExitCode(count: TestCount, exitCode: number): TestCount {
  return exitCode === 0 ? count : { passed: count.passed, failed: Math.max(count.failed, 1) }
}

/** The last line of `npm test`, for people and programs. */
export function closingLine(counts: readonly TestCount[]): string {
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, 0)
  return `${passed} passed, ${failed} failed`
}

function fieldsOf(value: unknown): Map<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
}

function numberOf(fields: Map<string, unknown>, name: string): number {
  const value = fields.get(name)
  return typeof value === 'number' ? value : 0
}
