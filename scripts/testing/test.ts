/**
 * `npm test`: unit and integration tests by Vitest, then the browser's stories by Playwright, whose
 * browser and pages are made ready meanwhile. What needs minutes, a registry and buildah stands apart.
 *
 *     npm test                     everything
 *     npm test -- unit [filter]    without a browser
 *     npm test -- e2e [filter]     only in the browser
 *     npm test -- server/src/platform/db    only files whose path matches
 *     npm test -- packages         builds, installs and runs the package and the images
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { compileCacheFolder } from '@starside/engine/process-settings.ts'
import { buildWeb } from '../build-web.ts'
import { findOrInstallChromium, findOrInstallHeadlessShell } from './chromium.ts'
import { projectFolder } from '../project-folder.js'
import { runTool } from '../run-program.ts'
import {
  closingLines,
  countPlaywright,
  countVitest,
  planTests,
  withExitCode,
  type TestCount,
} from './test-plan.ts'

const reports = path.join(projectFolder, '.cache', 'test-reports')
const storiesConfig = 'e2e/playwright.config.ts'

// Each program that a test starts would else compile the same files again.
process.env['NODE_COMPILE_CACHE'] ??= compileCacheFolder

const plan = planTests(process.argv.slice(2))
await mkdir(reports, { recursive: true })
const counts: TestCount[] = []
const ready = plan.browser === undefined ? undefined : prepareStories()
ready?.catch(() => undefined)
if (plan.unit !== undefined) counts.push(await runVitest(plan.unit))
if (plan.packages !== undefined) {
  counts.push(await runVitest(plan.packages, ['--config', 'scripts/packaging/vitest.config.ts']))
}
if (plan.browser !== undefined) counts.push(await runPlaywright(plan.browser, ready))
console.log(`\n${closingLines(counts)}`)
process.exit(counts.every((count) => count.failed === 0) ? 0 : 1)

async function runVitest(
  filters: readonly string[],
  options: readonly string[] = [],
): Promise<TestCount> {
  const report = path.join(reports, 'vitest.json')
  await rm(report, { force: true })
  const exitCode = await runTool('node_modules/vitest/vitest.mjs', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...options,
    ...filters,
  ])
  const count = countVitest(await readReport(report))
  if (exitCode !== 0 && count.failed === 0) {
    console.log('What failed lies outside of every test: see "Unhandled Errors" above.')
  }
  return withExitCode(count, exitCode)
}

/** Builds the pages, and finds or installs the browsers. */
async function prepareStories(): Promise<Record<string, string>> {
  const building = buildWeb()
  building.catch(() => undefined)
  const chromium = await findOrInstallChromium()
  const shell = (await findOrInstallHeadlessShell()) ?? chromium
  await building
  return { CHROMIUM: chromium, HEADLESS_SHELL: shell }
}

async function runPlaywright(
  filters: readonly string[],
  preparing: Promise<Record<string, string>> | undefined,
): Promise<TestCount> {
  if (!existsSync(path.join(projectFolder, storiesConfig))) return { passed: 0, failed: 0 }
  try {
    const browsers = await preparing
    const report = path.join(reports, 'playwright.json')
    await rm(report, { force: true })
    const exitCode = await runTool(
      'node_modules/@playwright/test/cli.js',
      ['test', '--config', storiesConfig, '--reporter=list,json', ...filters],
      { ...browsers, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    )
    return withExitCode(countPlaywright(await readReport(report)), exitCode)
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`)
    return { passed: 0, failed: 1 }
  }
}

async function readReport(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => '{}')
  const report: unknown = JSON.parse(text)
  return report
}
