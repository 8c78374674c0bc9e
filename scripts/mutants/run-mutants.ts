/**
 * `npm run test:mutants -- [folder …] [--files PATTERN]`: changes the code of the server's features
 * in one place after the other (StrykerJS) and looks whether a test notices. Without folders:
 * credits, orders, auth, generation, referrals. What was tried before and has not changed since is
 * not tried again. Takes an hour or more; the report is in `.cache/mutants/`.
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { projectFolder } from '../project-folder.js'
import { runTool } from '../run-program.ts'
import { countMutants, formatTable } from './count-mutants.ts'

const features = ['credits', 'orders', 'auth', 'generation', 'referrals']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: 'string', default: '**/*.ts' },
    concurrency: { type: 'string', default: '1' },
  },
})
const folders = positionals.length === 0 ? features : positionals
const unknown = folders.filter(
  (name) => !existsSync(path.join(projectFolder, 'server', 'src', name)),
)
if (unknown.length > 0) {
  console.error(`There is no folder server/src/${unknown[0]}. Usual ones: ${features.join(', ')}.`)
  process.exit(2)
}

const reports = path.join('.cache', 'mutants')
const jsonReport = path.join(reports, 'mutants.json')
const configFile = path.join(reports, 'stryker.json')
await mkdir(path.join(projectFolder, reports), { recursive: true })
await writeFile(
  path.join(projectFolder, configFile),
  JSON.stringify({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner', './scripts/mutants/ignore-assertions.ts'],
    vitest: { configFile: 'scripts/mutants/vitest.config.ts', related: false },
    mutate: folders.flatMap((name) => [
      `server/src/${name}/${values.files}`,
      `!server/src/${name}/**/*.test.ts`,
      `!server/src/${name}/**/*-tables.ts`,
    ]),
    ignorers: ['assertions'],
    // Sentences are checked where the specification fixes them; the rest may change freely.
    mutator: { excludedMutations: ['StringLiteral'] },
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    incremental: true,
    incrementalFile: path.join(reports, 'incremental.json'),
    concurrency: Number(values.concurrency),
    timeoutMS: 60_000,
    reporters: ['progress', 'json', 'html'],
    jsonReporter: { fileName: jsonReport },
    htmlReporter: { fileName: path.join(reports, 'mutants.html') },
    tempDirName: path.join(reports, 'sandbox'),
    ignorePatterns: ['data', 'docs', 'web/dist', '.cache', 'test-results'],
    // Stryker rewrites it through TypeScript's old programming interface; Vitest doesn't read it.
    tsconfigFile: 'none',
    allowEmpty: true,
  }),
)
const exitCode = await runTool('node_modules/@stryker-mutator/core/bin/stryker.js', [
  'run',
  configFile,
])
if (exitCode !== 0) process.exit(exitCode)
const report: unknown = JSON.parse(await readFile(path.join(projectFolder, jsonReport), 'utf8'))
console.log(formatTable(countMutants(report)))
console.log(`Each survivor with its line: ${path.join(reports, 'mutants.html')}`)
