/**
 * `npm run test:mutants -- [folder …] [--files TEXT] [--tests TEXT] [--again] [--cpu MS]
 * [--sample PERCENT] [--seed TEXT]`: changes the code of the
 * server's features in one place after the other and looks whether a test notices. Without folders: credits,
 * orders, auth, generation, referrals. `--files` and `--tests` take the files alone whose path has the text;
 * of tests several may be named, with commas. What was tried before is only tried on tests that are new or changed, with
 * `--again` survivors are tried on all tests, with `--cpu` on tests of no more CPU time. May be stopped at any
 * time. `--sample 25` takes 25 of 100 mutants of each file, the score is an estimate then.
 * With tests written for its survivors it is none any more: `--seed` draws another sample.
 * `--list` tells what is known, with each survivor, and tries nothing; `--whole`
 * also tries what runs only when a program starts. docs/testing.md has the score and its exceptions.
 */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { projectFolder } from '../project-folder.js'
import { chooseSample } from './choose-sample.ts'
import { countMutants, formatTable } from './count-mutants.ts'
import { makeMutants } from './make-mutants.ts'
import { isAlive, loadCosts, loadResult, mutantsFolder } from './mutant-results.ts'
import { saveCosts, wholeResults } from './mutant-results.ts'
import type { FileResult, TestCost } from './mutant-results.ts'
import { openMutantTests } from './open-mutant-tests.ts'
import type { MutantTests } from './open-mutant-tests.ts'
import { tryOnFile, tryWhole } from './try-mutants.ts'
import type { PlainTest } from './try-mutants.ts'

/** The features, and the folders and files of tests that are run on each, the nearest first. */
const features: Record<string, readonly string[]> = {
  referrals: ['referrals', 'auth/auth.test.ts', 'auth/account-safety.test.ts'],
  credits: ['credits', 'generation/named-hold.test.ts', 'user', 'db/lease-due.test.ts'],
  auth: ['auth', 'referrals', 'user', 'authorisation.test.ts'],
  orders: ['orders', 'admin/order-commands.test.ts', 'authorisation.test.ts', 'user'],
  generation: [
    'generation',
    'sharing',
    'reports',
    'authorisation.test.ts',
    'provenance',
    'admin/provider-commands.test.ts',
    'admin/preset-commands.test.ts',
    'service/public-routes.test.ts',
    'user/my-data.test.ts',
    'stars',
  ],
}
/** They run for long and tell nothing of where a fault is. */
const leftOut =
  /\/(?:crash|double-spend|kill-[^/]*|random-[^/]*|parallel-nodes|hostile-uploads|fair-load|boundaries)\.test\.ts$/u
/**
 * Dear tests are only run on what lived through the cheap ones, and those of other folders only on
 * what lived through the tests beside it, which notice the most.
 */
const rounds = [
  // Many tests take less than half a millisecond, which is 0.
  { cpuMsMin: -1, cpuMsMax: 100, isNear: true },
  { cpuMsMin: -1, cpuMsMax: 100, isNear: false },
  { cpuMsMin: 100, cpuMsMax: 600, isNear: true },
  { cpuMsMin: 100, cpuMsMax: 600, isNear: false },
  { cpuMsMin: 600, cpuMsMax: 6_000, isNear: false },
]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    again: { type: 'boolean', default: false },
    cpu: { type: 'string', default: '6000' },
    files: { type: 'string', default: '' },
    list: { type: 'boolean', default: false },
    sample: { type: 'string', default: '100' },
    seed: { type: 'string', default: '2026-11-22' },
    tests: { type: 'string', default: '' },
    whole: { type: 'boolean', default: false },
  },
})
const folders = positionals.length === 0 ? Object.keys(features) : positionals
const unknown = folders.find((name) => !existsSync(path.join(projectFolder, 'server/src', name)))
if (unknown !== undefined) {
  console.error(
    `There is no folder server/src/${unknown}. Usual: ${Object.keys(features).join(', ')}.`,
  )
  process.exit(2)
}
process.chdir(projectFolder)
await mkdir(mutantsFolder, { recursive: true })

const sources = folders
  .flatMap((name) => globSync(`server/src/${name}/**/*.ts`).toSorted())
  .filter((file) => !/\.test\.ts$|-tables\.ts$/u.test(file) && file.includes(values.files))
const percent = Number(values.sample)
if (!(percent > 0 && percent <= 100)) {
  console.error('A sample is more than 0 and at most 100 of a hundred mutants.')
  process.exit(2)
}
const made = await makeMutants(
  await Promise.all(sources.map(async (file) => ({ file, text: await readFile(file, 'utf8') }))),
)
const mutated = percent === 100 ? made : chooseSample(made, { percent, seed: values.seed })
const resultsFolder =
  percent === 100 ? wholeResults : `results-${percent}-${values.seed.replaceAll(/[^\w-]/gu, '_')}`
const results = await Promise.all(mutated.map((file) => loadResult(file, resultsFolder)))
if (values.again) for (const { tried } of results) for (const test in tried) delete tried[test]
if (!values.list) await judge()
if (values.list) listSurvivors()
console.log(formatTable(countMutants(results)))

async function judge(): Promise<void> {
  const tests = await openMutantTests(mutated)
  try {
    for (const folder of folders) await judgeFolder(tests, folder)
    if (values.whole) await tryWhole(tests, results)
  } finally {
    await tests.close()
  }
}

async function judgeFolder(tests: MutantTests, folder: string): Promise<void> {
  const ofFolder = results.filter(({ file }) => file.startsWith(`server/src/${folder}/`))
  const seen = new Map<string, readonly PlainTest[]>()
  for (const band of rounds.filter(({ cpuMsMax }) => cpuMsMax <= Number(values.cpu))) {
    for (const testFile of listTests(folder)) {
      const sha256 = createHash('sha256')
        .update(await readFile(testFile))
        .digest('hex')
      const toTry = ofFolder
        .filter(({ file }) => !band.isNear || path.dirname(file) === path.dirname(testFile))
        .filter((result) => isToTry(result, testFile, sha256, band.cpuMsMax))
      if (toTry.length === 0) continue
      const known = await loadCosts(testFile, sha256)
      const only = known === undefined ? undefined : namesOf(known, seen.get(testFile), toTry, band)
      // Of tests that were never run, those of the first band are found by running them.
      if (only?.length === 0 || (only === undefined && band.cpuMsMin > 0)) continue
      const { cpuMsMax } = band
      const plain = await tryOnFile(tests, { testFile, sha256, cpuMsMax, only, results: toTry })
      if (!band.isNear) seen.set(testFile, plain)
      if (known === undefined && plain.length > 0) await saveCosts(testFile, sha256, plain)
      console.log(formatTable(countMutants(ofFolder)).split('\n').at(-1), testFile)
    }
  }
}

/**
 * The tests of the band. None, when this session's first run of the file has shown that they run no
 * code of a living mutant.
 */
function namesOf(
  known: readonly TestCost[],
  seen: readonly PlainTest[] | undefined,
  toTry: readonly FileResult[],
  { cpuMsMin, cpuMsMax }: (typeof rounds)[number],
): string[] {
  const alive = new Set(toTry.flatMap(({ mutants }) => mutants.filter(isAlive).map(({ id }) => id)))
  const names = known
    .filter(({ cpuMs }) => cpuMs > cpuMsMin && cpuMs <= cpuMsMax)
    .map(({ test }) => test)
  const mayNotice =
    seen === undefined ||
    seen.some(({ test, covered }) => names.includes(test) && covered.some((id) => alive.has(id)))
  return mayNotice ? names : []
}

function listSurvivors(): void {
  for (const { status, file, line, original, replacement } of results
    .flatMap(({ mutants }) => mutants)
    .filter(isAlive)) {
    console.log(`${status} ${file}:${line} ${original} → ${replacement}`)
  }
}

function isToTry(result: FileResult, testFile: string, sha256: string, cpuMsMax: number): boolean {
  const before = result.tried[testFile]
  if (before?.sha256 === sha256 && before.cpuMsMax >= cpuMsMax) return false
  return result.mutants.some(isAlive)
}

function listTests(folder: string): string[] {
  const parts = features[folder] ?? [folder]
  const files = parts.flatMap((part) =>
    part.endsWith('.ts')
      ? [`server/src/${part}`]
      : globSync(`server/src/${part}/**/*.test.ts`).toSorted(),
  )
  return [...new Set(files)]
    .filter((file) => !leftOut.test(file))
    .filter((file) => values.tests.split(',').some((text) => file.includes(text)))
    .map((file) => ({ file, rank: rankOf(readFileSync(file, 'utf8')) }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ file }) => file)
}

/** What needs neither a database nor the program notices the most for the least. */
function rankOf(testFile: string): number {
  const dear = ['openTestDatabase', 'openTestApp', 'openHostedApp']
  return dear.findLastIndex((name) => testFile.includes(name)) + 1
}
