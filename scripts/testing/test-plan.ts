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
  /** What failed and why, by file and name: at most 40 lines of text each. */
  readonly failures?: readonly string[]
}

const failureLinesMax = 40

/**
 * Reads Vitest's JSON report (format: Vitest's manual, 'JSON reporter'). A file that doesn't even
 * load has no tests and counts as one failure.
 */
export function countVitest(report: unknown): TestCount {
  const fields = fieldsOf(report)
  const files = fields.get('testResults')
  const notLoaded = listOf(files).filter(failsWithoutTests)
  return {
    passed: numberOf(fields, 'numPassedTests'),
    failed: numberOf(fields, 'numFailedTests') + notLoaded.length,
    failures: [
      ...notLoaded.map((file) =>
        failureOf(fieldsOf(file), ['name'], fieldsOf(file).get('message')),
      ),
      ...listOf(files).flatMap(failedTests),
    ],
  }
}

function failedTests(file: unknown): string[] {
  const name = fieldsOf(file).get('name')
  return listOf(fieldsOf(file).get('assertionResults'))
    .map((test) => fieldsOf(test).set('file', name))
    .filter((test) => test.get('status') === 'failed')
    .map((test) => failureOf(test, ['file', 'fullName'], listOf(test.get('failureMessages'))[0]))
}

function failsWithoutTests(file: unknown): boolean {
  const fields = fieldsOf(file)
  const hasFailedTest = listOf(fields.get('assertionResults')).some(
    (test) => fieldsOf(test).get('status') === 'failed',
  )
  return fields.get('status') === 'failed' && !hasFailedTest
}

/** Reads Playwright's JSON report (type `JSONReport`); a flaky test passed in the end. */
export function countPlaywright(report: unknown): TestCount {
  const stats = fieldsOf(fieldsOf(report).get('stats'))
  return {
    passed: numberOf(stats, 'expected') + numberOf(stats, 'flaky'),
    failed: numberOf(stats, 'unexpected'),
    failures: failedStories(report),
  }
}

function failedStories(suite: unknown): string[] {
  const fields = fieldsOf(suite)
  return [
    ...listOf(fields.get('suites')).flatMap(failedStories),
    ...listOf(fields.get('specs'))
      .map(fieldsOf)
      .filter((story) => story.get('ok') === false)
      .map((story) => failureOf(story, ['file', 'title'], storyError(story))),
  ]
}

function storyError(story: Map<string, unknown>): unknown {
  return listOf(story.get('tests'))
    .flatMap((test) => listOf(fieldsOf(test).get('results')))
    .map((result) => fieldsOf(fieldsOf(result).get('error')).get('message'))
    .find((message) => message !== undefined)
}

function failureOf(
  fields: Map<string, unknown>,
  names: readonly string[],
  message: unknown,
): string {
  const title = names.map((name) => textOf(fields.get(name))).join(' › ')
  return [title, ...textOf(message).split('\n')].slice(0, failureLinesMax).join('\n    ')
}

/**
 * Joins a runner's count with its exit code: a runner that failed without a failed test (a file that
 * doesn't load, an error between tests, a crash) counts as one failure.
 */
export function withExitCode(count: TestCount, exitCode: number): TestCount {
  return exitCode === 0 ? count : { ...count, failed: Math.max(count.failed, 1) }
}

/**
 * The last lines of `npm test`: what failed once more, as a story's lines part it from the unit tests'
 * end, and the counts, for people and programs.
 */
export function closingLines(counts: readonly TestCount[]): string {
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, 0)
  const failures = counts.flatMap((count) => count.failures ?? [])
  return [...failures, `${passed} passed, ${failed} failed`].join('\n\n')
}

function fieldsOf(value: unknown): Map<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : [])
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function numberOf(fields: Map<string, unknown>, name: string): number {
  const value = fields.get(name)
  return typeof value === 'number' ? value : 0
}
