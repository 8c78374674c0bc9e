/**
 * `npm test`: unit and integration tests by Vitest and, beside them, the browser's stories by
 * Playwright, as each waits a good part of its time. What needs minutes, a registry and buildah stands
 * apart.
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
import { Writable } from 'node:stream'
import { buildWeb } from '../build-web.ts'
import { findOrInstallChromium, findOrInstallHeadlessShell } from './chromium.ts'
import { projectFolder } from '../project-folder.js'
import { runTool } from '../run-program.ts'
import {
  closingLine,
  countPlaywright,
  countVitest,
  planTests,
  withExitCode,
  type TestCount,
} from './test-plan.ts'

const reports = path.join(projectFolder, '.cache', 'test-reports')
const storiesConfig = 'e2e/playwright.config.ts'
const heldOutputBytesMax = 64 * 1024 * 1024

const plan = planTests(process.argv.slice(2))
await mkdir(reports, { recursive: true })
const unit = plan.unit && runVitest(plan.unit)
const counts = await Promise.all([
  unit,
  plan.packages && runVitest(plan.packages, ['--config', 'scripts/packaging/vitest.config.ts']),
  plan.browser && runPlaywright(plan.browser, unit),
])
const found = counts.filter((count) => count !== undefined)
console.log(`\n${closingLine(found)}`)
process.exit(found.every((count) => count.failed === 0) ? 0 : 1)

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
  return withExitCode(countVitest(await readReport(report)), exitCode)
}

/** What the stories say waits for the unit tests, so that one can be read after the other. */
async function runPlaywright(
  filters: readonly string[],
  before: Promise<TestCount> | undefined,
): Promise<TestCount> {
  if (!existsSync(path.join(projectFolder, storiesConfig))) return { passed: 0, failed: 0 }
  const output =
    before &&
    new Writable({
      highWaterMark: heldOutputBytesMax,
      write: (chunk, _encoding, done) =>
        void before.then(() => process.stdout.write(chunk as Buffer, done), done),
    })
  try {
    const building = buildWeb()
    building.catch(() => undefined)
    const chromium = await findOrInstallChromium()
    const shell = (await findOrInstallHeadlessShell()) ?? chromium
    await building
    const report = path.join(reports, 'playwright.json')
    await rm(report, { force: true })
    const exitCode = await runTool(
      'node_modules/@playwright/test/cli.js',
      ['test', '--config', storiesConfig, '--reporter=list,json', ...filters],
      { CHROMIUM: chromium, HEADLESS_SHELL: shell, PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      output,
    )
    await new Promise<void>((resolve) => (output ? output.end(resolve) : resolve()))
    return withExitCode(countPlaywright(await readReport(report)), exitCode)
  } catch (error) {
    await before
    console.error(`\n${error instanceof Error ? error.message : String(error)}`)
    return { passed: 0, failed: 1 }
  }
}

async function readReport(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => '{}')
  const report: unknown = JSON.parse(text)
  return report
}
